"""The module declares what the header does."""
import ctypes
import enum
import os
import pathlib
import re
import subprocess
import tempfile

from support import ROOT
from cairn import _enums, _native

def test_structs_are_those_of_the_header():
    lines = ['#include <stdio.h>', '#include "cairn/cairn.h"', 'int main(void) {']
    expected = []
    for name, struct in _native.STRUCTS.items():
        lines.append(f'printf("{name} %zu\\n", sizeof(cairn_{name}));')
        expected.append(f"{name} {ctypes.sizeof(struct)}")
        for field, *_ in struct._fields_:
            if field == "padding":
                continue
            lines.append(f'printf("{name}.{field} %zu\\n", offsetof(cairn_{name}, {field}));')
            expected.append(f"{name}.{field} {getattr(struct, field).offset}")
    with tempfile.TemporaryDirectory() as folder:
        source, program = pathlib.Path(folder) / "layout.c", pathlib.Path(folder) / "layout"
        source.write_text("\n".join(lines + ["return 0; }"]))
        subprocess.run([os.environ.get("CC", "cc"), f"-I{ROOT}/lib/include", source, "-o", program],
                       check=True)
        said = subprocess.run([program], check=True, capture_output=True, text=True).stdout
    assert said.splitlines() == expected, (said, expected)


# The enumerations of the header whose names differ from those of the module.
NAMES_IN_C = {"Placement": "PLACE", "Outcome": "PATH", "RowState": "ROW",
              "NodeState": "NODE", "EditKind": "EDIT"}


def enumerations():
    """The value of every constant of an enumeration in the headers."""
    values = {}
    for header in (ROOT / "lib/include/cairn").glob("*.h"):
        text = re.sub(r"/\*.*?\*/", "", header.read_text(), flags=re.S)
        text = text.replace("CAIRN_NODISCARD ", "")
        for body in re.findall(r"typedef enum \w+ \{(.*?)\}", text, flags=re.S):
            value = 0
            for name, given in re.findall(r"(\w+)(?:\s*=\s*(\w+))?\s*,?", body):
                value = int(given, 0) if given else value
                values[name] = value
                value += 1
    return values


def test_choices_are_those_of_the_header():
    values = enumerations()
    kinds = [kind for kind in vars(_enums).values()
             if isinstance(kind, type) and issubclass(kind, enum.IntEnum) and list(kind)]
    assert len(kinds) > 12
    for kind in kinds:
        prefix = f"CAIRN_{NAMES_IN_C.get(kind.__name__, kind.__name__.upper())}_"
        expected = {name[len(prefix):]: value for name, value in values.items()
                    if name.startswith(prefix)}
        found = {choice.name: int(choice) for choice in kind}
        assert sorted(found.values()) == sorted(expected.values()), (kind, expected)
        same = found.keys() & expected.keys()
        assert {name: found[name] for name in same} == {name: expected[name] for name in same}


def declarations():
    """Of every function in the headers its result and arguments, as text."""
    for header in sorted((ROOT / "lib/include/cairn").glob("*.h")):
        text = re.sub(r"/\*.*?\*/", "", header.read_text(), flags=re.S)
        for words, name, arguments in re.findall(
                r"CAIRN_API\s+([^;()]*?)\bcairn_(\w+)\(([^;]*?)\);", text):
            yield name, [words] + [text for text in arguments.split(",") if text.strip() != "void"]


def size_in_c(text):
    """Of a type: "*" for any pointer, else its bytes; enums have 4."""
    if "*" in text:
        return "*"
    word = text.replace("const ", "").split()[0]
    struct = _native.STRUCTS.get(word.replace("cairn_", "", 1))
    sizes = {"void": 0, "size_t": ctypes.sizeof(ctypes.c_size_t), "char": 1, "double": 8, "bool": 1,
             "uint64_t": 8, "cairn_budget": 8}
    return ctypes.sizeof(struct) if struct else sizes.get(word, 4)


def size_in_python(kind):
    if kind is None:
        return 0
    is_pointer = kind in (ctypes.c_char_p, ctypes.c_void_p) or hasattr(kind, "contents")
    return "*" if is_pointer else ctypes.sizeof(kind)


def test_functions_are_those_of_the_header():
    declared = dict(declarations())
    assert len(declared) > 90
    for name, types in _native.FUNCTIONS.items():
        expected = [size_in_c(text) for text in declared[name]]
        assert [size_in_python(kind) for kind in types] == expected, (name, declared[name])
