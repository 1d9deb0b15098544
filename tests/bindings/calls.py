"""Which calls of the headers a binding lacks:

    python3 tests/bindings/calls.py

A binding reaches a call by naming it in its sources (Python as `lib.map_load`), or lists it with a
reason in its left_out.txt."""
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
SOURCES = {"python": ["cairn/*.py"], "npm": ["src/*.mjs"], "lua": ["cairn.lua"],
           "csharp": ["*.cs"]}


def declared():
    script = ROOT / "bindings/declarations.py"
    return subprocess.run([sys.executable, script, "calls"], check=True, capture_output=True,
                          text=True).stdout.split()


def main():
    names, wrong = declared(), []
    assert len(names) > 100
    for binding, patterns in SOURCES.items():
        folder = ROOT / "bindings" / binding
        text = "".join(file.read_text() for pattern in patterns for file in folder.glob(pattern))
        reached = set(re.findall(r"\bcairn_\w+", text))
        reached |= {"cairn_" + name for name in re.findall(r"\blib\.(\w+)", text)}
        sections = (folder / "left_out.txt").read_text().split("\n\n")[1:]
        wrong += [f"{binding}: no call is left out because of this: {section}"
                  for section in sections if "\ncairn_" not in section]
        listed = "\n".join(sections).splitlines()
        left_out = {line for line in listed if line and not line.startswith("#")}
        wrong += [f"{binding} lacks {name}: use it, or list it in bindings/{binding}/left_out.txt"
                  for name in names if name not in reached | left_out]
        wrong += [f"{binding} has {name}, which left_out.txt lists" for name in left_out & reached]
        wrong += [f"{binding}: there is no {name}" for name in left_out - set(names)]
    print("\n".join(wrong))
    return 1 if wrong else 0


sys.exit(main())
