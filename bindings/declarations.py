"""What the headers declare, in the languages of the bindings:

    python3 bindings/declarations.py javascript    module with the layout of structs in WebAssembly
    python3 bindings/declarations.py typescript    the words of enums and the members of options
    python3 bindings/declarations.py lua           text for LuaJIT's ffi.cdef, as a module
    python3 bindings/declarations.py csharp        structs, enums and P/Invoke declarations
    python3 bindings/declarations.py rust          the module of raw declarations of cairn-sys
    python3 bindings/declarations.py calls         the names of all calls

A call, a struct or a constant that a header gains is there without a change here.
"""
import pathlib
import re
import sys

HEADERS = pathlib.Path(__file__).resolve().parents[1] / "lib/include/cairn"


def source():
    """All headers in the order in which cairn.h includes them, without comments."""
    order = re.findall(r'^#include "cairn/(\w+\.h)"', (HEADERS / "cairn.h").read_text(), re.M)
    text = "".join((HEADERS / name).read_text() for name in order)
    return re.sub(r"/\*.*?\*/", "", text, flags=re.S)


def number(text, known):
    """The value of a constant, or None: no number."""
    text = re.sub(r"UINT\d+_C\((\w+)\)", r"\1", text)
    text = {"UINT32_MAX": "0xffffffff", "UINT64_MAX": "0xffffffffffffffff"}.get(text, text)
    text = re.sub(r"CAIRN_\w+", lambda name: str(known.get(name[0], name[0])), text)
    return eval(text) if re.fullmatch(r"[0-9a-fA-Fx()<+.\- ]+", text) else None


class Headers:
    """`constants` and `enums`: names and values; `structs`: lists of (type, name, count), of a
    pointer to a function the type is "function"; `functions`: type of the result and arguments as
    written, by (struct, name) of such a member; `opaque`: types without members; `calls`: name,
    type of the result, list of (type, name)."""

    def __init__(self):
        text = source()
        self.constants, self.enums, self.structs, self.calls = {}, {}, {}, []
        self.functions = {}
        for name, value in re.findall(r"^#define (CAIRN_\w+) +(.+)$", text, re.M):
            value = number(value.strip(), self.constants)
            if value is not None:
                self.constants[name] = value
        text = re.sub(r"^ *#.*(\\\n.*)*$", "", text, flags=re.M)
        text = re.sub(r'extern "C" \{', "", text)
        text = re.sub(r"CAIRN_(NODISCARD|MUST_USE) ", "", text)
        self.text = re.sub(r"^\}$", "", text, flags=re.M)
        for name, body in re.findall(r"typedef enum (\w+) \{(.*?)\}", self.text, re.S):
            self.enums[name] = self.values(body)
        for name, body in re.findall(r"typedef struct (\w+) \{(.*?)^\}", self.text, re.S | re.M):
            self.structs[name] = list(self.members(name, body))
        self.aliases = {new: old for old, new in re.findall(r"typedef (\w+) (\w+);", self.text)}
        self.opaque = re.findall(r"typedef struct (\w+) \1;", self.text)
        for result, name, arguments in re.findall(
                r"CAIRN_API\s+([^;()]*?)\b(cairn_\w+)\(([^;]*?)\);", self.text):
            words = [part for part in arguments.split(",") if part.strip() != "void"]
            self.calls.append((name, " ".join(result.split()), [self.declared(w) for w in words]))

    @staticmethod
    def values(body):
        values, value = {}, 0
        for name, given in re.findall(r"(\w+)(?:\s*=\s*(\w+))?\s*,?", body):
            value = int(given, 0) if given else value
            values[name] = value
            value += 1
        return values

    @staticmethod
    def declared(text):
        words, name = re.fullmatch(r"\s*(.*?)(\w+)\s*", text, re.S).groups()
        return " ".join(words.replace("*", " * ").split()), name

    def members(self, owner, body):
        inner = re.search(r"struct \{(.*?)\} (\w+)\[(\w+)\];", body, re.S)
        if inner:
            part = f"{owner}_{inner[2].rstrip('s')}"
            self.structs[part] = list(self.members(part, inner[1]))
            body = body.replace(inner[0], f"{part} {inner[2]}[{inner[3]}];")
        for line in body.split(";"):
            if not line.strip():
                continue
            call = re.fullmatch(r"\s*(.*?)\(\*(\w+)\)\((.*)\)", line, re.S)
            if call:
                self.functions[owner, call[2]] = call[1], call[3]
                yield "function", call[2], 1
                continue
            array = re.search(r"\[(\w+)\]", line)
            count = self.constants.get(array[1]) or int(array[1]) if array else 1
            yield *self.declared(re.sub(r"\[\w+\]", "", line)), count


# ------------------------------------------------------------------------------- JavaScript --

SIZES = {"char": 1, "bool": 1, "int8_t": 1, "uint8_t": 1, "uint16_t": 2, "int32_t": 4, "int": 4,
         "uint32_t": 4, "size_t": 4, "double": 8, "uint64_t": 8}


def plain(headers, kind):
    """The type behind const and typedef."""
    word, star, rest = kind.replace("const ", "").strip().partition("*")
    word = word.strip()
    while word in headers.aliases:
        word = headers.aliases[word]
    return word + star + rest.replace(" ", "")


def layout(headers, kind):
    """Size and alignment of a type in WebAssembly of 32 bits."""
    kind = plain(headers, kind)
    if "*" in kind or kind == "function" or kind in headers.enums:
        return 4, 4
    if kind in SIZES:
        return SIZES[kind], SIZES[kind]
    end, alignment = 0, 1
    for _, member_end, member_alignment in offsets(headers, kind):
        end, alignment = member_end, max(alignment, member_alignment)
    return -(-end // alignment) * alignment, alignment


def offsets(headers, struct):
    end = 0
    for kind, _, count in headers.structs[struct]:
        size, alignment = layout(headers, kind)
        begin = -(-end // alignment) * alignment
        end = begin + size * count
        yield begin, end, alignment


def words(name, values):
    """What follows the prefix that all values share."""
    parts = [value.removeprefix("CAIRN_").split("_") for value in values]
    while name != "cairn_status" and len({part[0] for part in parts}) == 1 and \
            all(len(part) > 1 for part in parts):
        parts = [part[1:] for part in parts]
    return ["_".join(part) for part in parts]


def javascript_type(headers, kind):
    kind = plain(headers, kind)
    return "pointer" if "*" in kind or kind == "function" else kind


def javascript(headers):
    print("// Made by bindings/declarations.py from the headers of the library.")
    for name, value in headers.constants.items():
        print(f"export const {name} = {value}{'n' if value > 2 ** 53 else ''};")
    print("\n// The words of enums, by their numbers.")
    print("export const ENUMS = {")
    for name, values in headers.enums.items():
        said = [word.lower().replace("_", "-") for word in words(name, values)]
        assert list(values.values()) == list(range(len(said)))
        print(f"    {name}: {said},")
    print("};")
    print("\n// Sizes of structs, and for each member its type, offset and count.")
    print("export const STRUCTS = {")
    for struct, members in headers.structs.items():
        print(f"    {struct}: {{size: {layout(headers, struct)[0]}, members: {{")
        for (kind, name, count), (begin, _, _) in zip(members, offsets(headers, struct)):
            print(f"        {name}: ['{javascript_type(headers, kind)}', {begin}, {count}],")
        print("    }},")
    print("};")


def camel(name):
    first, *rest = name.split("_")
    return first + "".join(word.capitalize() for word in rest)


def typescript(headers):
    print("// Made by bindings/declarations.py from the headers of the library.")
    for name, values in headers.enums.items():
        said = " | ".join(repr(word.lower().replace("_", "-")) for word in words(name, values))
        print(f"export type {pascal(name)} = {said};")
    for struct, members in headers.structs.items():
        print(f"\nexport interface {pascal(struct)}Members {{")
        for kind, name, count in members:
            kind = javascript_type(headers, kind)
            if kind == "pointer" or name == "size" or count > 1:
                continue
            if kind in headers.enums:
                kind = pascal(kind)
            elif kind in headers.structs:
                kind = pascal(kind) + "Members"
            else:
                kind = {"bool": "boolean", "char": "string"}.get(kind, "number")
            print(f"    {camel(name)}: {kind};")
        print("}")


# -------------------------------------------------------------------------------------- Lua --

def lua(headers):
    text = headers.text.replace("CAIRN_API ", "")
    text = re.sub(r"\bCAIRN_\w+(?=\])", lambda name: str(headers.constants[name[0]]), text)
    lines = [line for line in text.splitlines() if line.strip()]
    print("-- Made by bindings/declarations.py from the headers of the library.")
    print("local ffi = require 'ffi'\nffi.cdef [[")
    print("\n".join(lines) + "\n]]\n\nreturn {constants = {")
    for name, value in headers.constants.items():
        print(f"    {name} = {value}{'ULL' if value > 2 ** 53 else ''},")
    for values in headers.enums.values():
        for name, value in values.items():
            print(f"    {name} = {value},")
    print("},\n-- Members of structs that are no addresses, with what they take; "
          "of enums the largest value.")
    print("members = {")
    for struct, members in headers.structs.items():
        print(f"    {struct} = {{")
        for kind, name, count in members:
            if count == 1 and name != "size" and \
                    (taken := lua_member(headers, plain(headers, kind))):
                print(f"        ['{name}'] = {taken},")
        print("    },")
    print("}}")


def lua_member(headers, kind):
    if kind in headers.enums:
        return "{'enum', %d}" % max(headers.enums[kind].values())
    if kind in ("size_t", "uint64_t"):
        return "{'large'}"
    known = {"bool": "{'bool'}", "cairn_metric": "{'cairn_metric'}", "uint32_t": "{'number'}"}
    return known.get(kind)


# --------------------------------------------------------------------------------------- C# --

IN_CSHARP = {"char": "byte", "bool": "byte", "int8_t": "sbyte", "uint8_t": "byte", "int": "int",
             "uint16_t": "ushort", "int32_t": "int", "uint32_t": "uint", "size_t": "UIntPtr",
             "double": "double", "uint64_t": "ulong", "void": "void", "function": "IntPtr"}
KEYWORDS = {"object", "params", "ref", "out", "base", "checked", "fixed", "lock", "event", "is"}


def pascal(name):
    return "".join(word.capitalize() for word in name.removeprefix("cairn_").split("_"))


def csharp_type(headers, kind):
    """As it lies in memory. Objects are IntPtr, or handles as arguments (csharp_argument)."""
    kind = plain(headers, kind)
    stars = kind.count("*")
    word = kind.replace("*", "").strip()
    if word in headers.opaque:
        return "IntPtr" + "*" * (stars - 1)
    if word in headers.enums:
        word = pascal(word)
    elif word in headers.structs:
        word = "Native." + pascal(word)
    else:
        word = IN_CSHARP[word]
    return word + "*" * stars


def csharp_argument(headers, kind):
    bare = plain(headers, kind).replace(" ", "")
    if bare.rstrip("*") in headers.opaque:
        handle = pascal(bare.rstrip("*")) + "Handle"
        return {1: handle, 2: "out " + handle}[bare.count("*")]
    return csharp_type(headers, kind)


def csharp(headers):
    print("// Made by bindings/declarations.py from the headers of the library.")
    print("using System;\nusing System.Runtime.InteropServices;\n\nnamespace Cairn\n{")
    for name, values in headers.enums.items():
        print(f"    public enum {pascal(name)}\n    {{")
        for word, value in zip(words(name, values), values.values()):
            word = pascal(word)
            print(f"        {pascal(name) if word[0].isdigit() else ''}{word} = {value},")
        print("    }\n")
    print("    internal static unsafe partial class Native\n    {")
    for name, value in headers.constants.items():
        kind = "double" if isinstance(value, float) else "ulong" if value > 2 ** 32 else "uint"
        print(f"        internal const {kind} {name} = {value};")
    for struct, members in headers.structs.items():
        print(f"\n        [StructLayout(LayoutKind.Sequential)]")
        print(f"        internal struct {pascal(struct)}\n        {{")
        for kind, name, count in members:
            bare = plain(headers, kind)
            word = csharp_type(headers, kind)
            name = "@" + name
            if count == 1:
                print(f"            internal {word} {name};")
            elif bare in headers.structs:
                print(f"            internal fixed ulong {name}"
                      f"[{layout(headers, bare)[0] * count // 8}];")
            else:
                print(f"            internal fixed {word} {name}[{count}];")
        print("        }")
    for name, result, arguments in headers.calls:
        if result == "void" and name.removesuffix("_free") in headers.opaque:
            continue
        listed = [f"{csharp_argument(headers, kind)} @{argument}" for kind, argument in arguments]
        tells_why = ", SetLastError = true" if ("const char *", "path") in arguments else ""
        print("\n        [DllImport(Library, CallingConvention = CallingConvention.Cdecl"
              f"{tells_why})]")
        print(f"        internal static extern {csharp_type(headers, result)} {name}("
              f"{', '.join(listed)});")
    print("    }")
    for word in headers.opaque:
        print(f"\n    internal sealed partial class {pascal(word)}Handle : CairnHandle\n    {{")
        print(f"        protected override bool ReleaseHandle()\n        {{")
        print(f"            Native.{word}_free_raw(handle);")
        print("            return ReleaseParents();\n        }\n    }")
    print("\n    internal static unsafe partial class Native\n    {")
    for word in headers.opaque:
        print(f'        [DllImport(Library, EntryPoint = "{word}_free", '
              "CallingConvention = CallingConvention.Cdecl)]")
        print(f"        internal static extern void {word}_free_raw(IntPtr @object);")
    print("    }\n}")


# --------------------------------------------------------------------------------------- Rust --

IN_RUST = {"char": "c_char", "bool": "bool", "int8_t": "i8", "uint8_t": "u8", "int": "c_int",
           "uint16_t": "u16", "int32_t": "i32", "uint32_t": "u32", "size_t": "usize",
           "double": "f64", "uint64_t": "u64", "void": "c_void"}
RUST_KEYWORDS = {"as", "box", "fn", "in", "impl", "let", "loop", "match", "mod", "move", "ref",
                 "type", "use", "where"}


def rust_name(name):
    return "r#" + name if name in RUST_KEYWORDS else name


def rust_type(kind):
    """Of a type as C writes it, read from its end: `const T *const *` is *const *const T."""
    kind = kind.strip()
    if kind.endswith("const"):
        return rust_type(kind[:-5])
    if kind.endswith("*"):
        inner = kind[:-1].strip()
        is_const = inner.endswith("const") or "*" not in inner and inner.startswith("const ")
        return ("*const " if is_const else "*mut ") + rust_type(inner)
    word = kind.removeprefix("const ").strip()
    return IN_RUST.get(word, word)


def rust_function(result, arguments):
    """The type of a pointer to a function, which may be NULL."""
    taken = []
    for argument in re.split(r",(?![^(]*\))", arguments):
        inner = re.fullmatch(r"\s*(.*?)\(\*(\w+)\)\((.*)\)", argument, re.S)
        if inner:
            taken.append(rust_function(inner[1], inner[3]))
        elif argument.strip().endswith("*"):
            taken.append(rust_type(argument))
        else:
            kind, name = Headers.declared(argument)
            taken.append(rust_type(kind or name))
    gives = "" if result.strip() == "void" else " -> " + rust_type(result)
    return f"Option<unsafe extern \"C\" fn({', '.join(taken)}){gives}>"


def rust(headers):
    print("// Made by bindings/declarations.py from the headers of the library.")
    print("use std::ffi::{c_char, c_void};\nuse std::mem::{size_of, zeroed};\n")
    for name, value in headers.constants.items():
        kind = "f64" if isinstance(value, float) else "u64" if value > 2 ** 32 else "u32"
        print(f"pub const {name}: {kind} = {value};")
    for new, old in headers.aliases.items():
        print(f"pub type {new} = {rust_type(old)};")
    for name, values in headers.enums.items():
        rust_enum(name, values)
    for word in headers.opaque:
        print(f"\n#[repr(C)]\npub struct {word} {{\n    opaque: [u8; 0],\n}}")
    for struct, members in headers.structs.items():
        rust_struct(headers, struct, members)
    print('\nextern "C" {')
    for name, result, arguments in headers.calls:
        listed = ", ".join(f"{rust_name(argument)}: {rust_type(kind)}"
                           for kind, argument in arguments)
        gives = "" if result == "void" else f" -> {rust_type(result)}"
        print(f"    pub fn {name}({listed}){gives};")
    print("}")


def rust_enum(name, values):
    """A number that safe code cannot make: its values are those that the header names."""
    print("\n#[repr(transparent)]\n#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]")
    print(f"pub struct {name}(u32);\n\nimpl {name} {{")
    for word, value in zip(words(name, values), values.values()):
        word = "RULE_" + word if word[0].isdigit() else word
        print(f"    pub const {word}: {name} = {name}({value});")
    print("}\n\nimpl From<" + name + "> for u32 {")
    print(f"    fn from(value: {name}) -> u32 {{\n        value.0\n    }}\n}}")


def rust_struct(headers, struct, members):
    print(f"\n#[repr(C)]\n#[derive(Clone, Copy)]\npub struct {struct} {{")
    for kind, name, count in members:
        taken = rust_function(*headers.functions[struct, name]) if kind == "function" \
            else rust_type(kind)
        print(f"    pub {rust_name(name)}: {taken if count == 1 else f'[{taken}; {count}]'},")
    begin = "unsafe { zeroed() }"
    if members[0][1] == "size":
        begin = f"{struct} {{ size: size_of::<{struct}>(), ..{begin} }}"
    print(f"}}\n\nimpl Default for {struct} {{\n    fn default() -> {struct} {{")
    print(f"        {begin}\n    }}\n}}")


def calls(headers):
    for name, _, _ in headers.calls:
        print(name)


if __name__ == "__main__":
    {made.__name__: made for made in (javascript, typescript, lua, csharp, rust, calls)}[
        sys.argv[1]](Headers())
