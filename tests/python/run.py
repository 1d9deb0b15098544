"""Runs the tests of the Python module without any other tool (pytest finds the same functions):

    CAIRN_LIBRARY=libcairn.so python3 tests/python/run.py
"""
import importlib
import pathlib
import sys
import traceback

here = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(here))
failed = []
count = 0
for file in sorted(here.glob("test_*.py")):
    module = importlib.import_module(file.stem)
    print(f"[==========] {file.stem}")
    for name, test in list(vars(module).items()):
        if not name.startswith("test_"):
            continue
        count += 1
        try:
            test()
            print(f"[       OK ] {name}")
        except Exception:
            traceback.print_exc(file=sys.stdout)
            print(f"[  FAILED  ] {name}")
            failed.append(name)
print(f"[==========] {count} test(s) run.")
if failed:
    print(f"[  FAILED  ] {len(failed)} test(s), listed below:", *failed, sep="\n[  FAILED  ] ")
sys.exit(bool(failed))
