"""What programs that are linked with the library rely on: kept at a release, compared ever after.

    python3 packaging/abi.py compare [HEADERS]   what they would miss with these headers
                                                 (lib/include). Status 1: something, and the version
                                                 does not say so
    python3 packaging/abi.py dump                keeps the interface of this tree in packaging/abi

`interface.txt` has a line for each call, member, size, value and constant, as the compiler CC lays
them out. Calls, values and constants may be added, and members at the end of a struct whose first
one is its size: behind all of the struct as it was, since a program leaves unset what was padding.
`interface.abi.gz` is what abidw (of abigail-tools) says of a library of the same calls; where
abidiff is there it compares, too. Both are of processors of 64 bits, and skipped on others (status
77). When a change asks for another version is in docs/decisions/versions.md.
"""
import gzip
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[1]
KEPT = ROOT / "packaging/abi"
sys.path.insert(0, str(ROOT / "bindings"))
sys.dont_write_bytecode = True
import declarations  # noqa: E402

# The members that sizes of structs let a library tell apart.
SUPPRESSIONS = """[suppress_type]
  type_kind = struct
  name_regexp = ^cairn_(.*_options|callback_graph)$
  has_data_member_inserted_at = end
"""


def compiler(*words):
    include = f"-I{declarations.HEADERS.parent}"
    subprocess.run([os.environ.get("CC", "cc"), include, *words], check=True)


# ---------------------------------------------------------------------------------- as text --

def signature(name, result, arguments):
    listed = [f"{kind} {word}".replace("* ", "*") for kind, word in arguments]
    return f"{result} {name}({', '.join(listed) or 'void'})"


def callback(headers, struct, member):
    """What a function that a struct holds takes and gives."""
    body = re.search(r"typedef struct %s \{(.*?)^\}" % struct, headers.text, re.S | re.M)[1]
    result, arguments = re.search(r"([^;]*)\(\*%s\)(\([^;]*\));" % member, body, re.S).groups()
    return " ".join(f"{result}(*){arguments}".split())


def measuring(headers):
    """C of a program that prints a line for all that a compiler knows."""
    yield "#include <stddef.h>\n#include <stdio.h>\n#include \"cairn/cairn.h\"\nint main(void) {"
    for name in headers.constants:
        if "VERSION" not in name:
            yield f'printf("constant {name}: %.17g\\n", (double){name});'
    for name, values in headers.enums.items():
        yield f'printf("enum {name}: %zu bytes\\n", sizeof({name}));'
        for value in values:
            yield f'printf("value {value}: %d\\n", (int){value});'
    for name, members in headers.structs.items():
        if f"}} {name};" not in headers.text:  # without a name of its own: its owner has its size
            continue
        yield f'printf("struct {name}: %zu bytes\\n", sizeof({name}));'
        for kind, member, count in members:
            kind = callback(headers, name, member) if kind == "function" else kind
            said = f"member {name}.{member}: {kind}" + (f" x {count}" if count > 1 else "")
            yield (f'printf("{said}, %zu bytes at %zu\\n", sizeof ((({name} *)0)->{member}), '
                   f"offsetof({name}, {member}));")
    yield "return 0; }"


def listing(headers, folder):
    source, program = folder / "measure.c", folder / "measure"
    source.write_text("\n".join(measuring(headers)))
    compiler(str(source), "-o", str(program))
    said = subprocess.run([str(program)], check=True, capture_output=True, text=True).stdout
    version = ".".join(str(headers.constants[f"CAIRN_VERSION_{part}"])
                       for part in ("MAJOR", "MINOR", "PATCH"))
    calls = "".join(f"call {signature(*call)}\n" for call in headers.calls)
    return f"version: {version}\n{calls}{said}"


def items(text):
    """Lines by what they are of."""
    found = {}
    for line in text.splitlines():
        call = re.match(r"call .*?\b(cairn_\w+)\(", line)
        found[call[1] if call else line.split(":")[0]] = line
    return found


def size(line):
    """Of a struct, in bytes."""
    return int(line.split()[-2])


def in_padding(old, new):
    """Lines of structs with a member where there was none, before their end."""
    for key, line in new.items():
        struct = "struct " + key.replace("member ", "").split(".")[0]
        if key.startswith("member ") and key not in old and struct in old and \
                int(line.split()[-1]) < size(old[struct]):
            yield old[struct], line


def missing(headers, old, new):
    """Lines of the old listing that the new one does not keep, each with what is there instead."""
    growing = {f"struct {name}" for name, members in headers.structs.items()
               if members[0][1] == "size"}
    for key, line in old.items():
        now = new.get(key)
        if key != "version" and now != line and \
                not (key in growing and now and size(now) >= size(line)):
            yield line, now


def requirement(listed):
    """What a program asks for: the major version, before 1.0 the minor one, too."""
    major, minor, _ = listed["version"].split()[1].split(".")
    return (major, minor) if major == "0" else (major,)


# ------------------------------------------------------------------------------ by abigail --

def library(headers, folder):
    """One with the same calls, which do nothing."""
    source, made = folder / "calls.c", folder / "libcairn.so"
    source.write_text('#include "cairn/cairn.h"\n' + "\n".join(
        f"{signature(*call)} {{ __builtin_trap(); }}" for call in headers.calls))
    compiler("-g", "-w", "-shared", "-fPIC", str(source), "-o", str(made))
    return made


def abigail_differs(headers, folder):
    if not shutil.which("abidiff"):
        return False
    old, suppressions = folder / "old.abi", folder / "suppressions"
    old.write_bytes(gzip.decompress((KEPT / "interface.abi.gz").read_bytes()))
    suppressions.write_text(SUPPRESSIONS)
    return subprocess.run(["abidiff", "--suppr", str(suppressions), "--no-added-syms", str(old),
                           str(library(headers, folder))]).returncode != 0


def dump(headers, folder):
    made = folder / "new.abi"
    subprocess.run(["abidw", "--no-corpus-path", "--no-comp-dir-path", "--no-show-locs",
                    "--no-elf-needed", "--out-file", str(made), str(library(headers, folder))],
                   check=True)
    (KEPT / "interface.txt").write_text(listing(headers, folder))
    text = made.read_bytes().replace(f"{folder}/".encode(), b"")  # the same wherever it was made
    (KEPT / "interface.abi.gz").write_bytes(gzip.compress(text, mtime=0))


def compare(headers, folder):
    old, new = items((KEPT / "interface.txt").read_text()), items(listing(headers, folder))
    broken = [*missing(headers, old, new), *in_padding(old, new)]
    for line, now in broken:
        print(f"- {line}\n+ {now or 'nothing'}", flush=True)
    differs = abigail_differs(headers, folder)
    if requirement(old) == requirement(new) and (broken or differs):
        sys.exit(1)


def main(action, *paths):
    if sys.maxsize < 2 ** 32:
        sys.exit(77)
    if paths:
        declarations.HEADERS = pathlib.Path(paths[0]).resolve() / "cairn"
    with tempfile.TemporaryDirectory() as folder:
        {"compare": compare, "dump": dump}[action](declarations.Headers(), pathlib.Path(folder))


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    main(*sys.argv[1:])
