"""Programs that print what the headers declare, constants, sizes and offsets, in C and in Rust:

    python3 tests/bindings/rust/layout.py c
    python3 tests/bindings/rust/layout.py rust

Both print the same. The second one takes the address of every call besides; and

    python3 tests/bindings/rust/layout.py types DECLARATIONS.rs

says in C what the declarations say in Rust, beside the headers: a compiler of C refuses calls and
members of other types.
"""
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[3] / "bindings"))
from declarations import Headers, rust_name, words  # noqa: E402


def in_c(headers):
    print("#include <cairn/cairn.h>\n#include <stdio.h>\n\nint main(void)\n{")
    for name, value in headers.constants.items():
        kind = "f" if isinstance(value, float) else "llu"
        cast = "double" if kind == "f" else "unsigned long long"
        print(f'    printf("{name} %{kind}\\n", ({cast}){name});')
    for name, values in headers.enums.items():
        print(f'    printf("{name} %zu\\n", sizeof({name}));')
        for value in values:
            print(f'    printf("{value} %d\\n", (int){value});')
    for struct, members in headers.structs.items():
        if "typedef struct %s {" % struct not in headers.text:
            continue  # a struct without a name, whose size shows in that of its owner
        print(f'    printf("{struct} %zu\\n", sizeof({struct}));')
        for _, name, _ in members:
            print(f'    printf("{struct}.{name} %zu %zu\\n", offsetof({struct}, {name}), '
                  f"sizeof((({struct} *)0)->{name}));")
    print("    return 0;\n}")


def in_rust(headers):
    print("use cairn_sys::ffi::*;\nuse std::mem::{offset_of, size_of, size_of_val};\n\nfn main() {")
    for name, value in headers.constants.items():
        print(f'    println!("{name} {{{":.6" if isinstance(value, float) else ""}}}", {name});')
    for name, values in headers.enums.items():
        print(f'    println!("{name} {{}}", size_of::<{name}>());')
        for value, word in zip(values, words(name, values)):
            word = "RULE_" + word if word[0].isdigit() else word
            print(f'    println!("{value} {{}}", u32::from({name}::{word}));')
    for struct, members in headers.structs.items():
        if "typedef struct %s {" % struct not in headers.text:
            continue
        print(f'    println!("{struct} {{}}", size_of::<{struct}>());')
        for _, name, _ in members:
            name = rust_name(name)
            print(f'    println!("{struct}.{name.removeprefix("r#")} {{}} {{}}", '
                  f"offset_of!({struct}, {name}), size_of_val(&{struct}::default().{name}));")
    # Every call is there: its address is taken, so that a missing one does not link.
    calls = ", ".join(f"{name} as *const ()" for name, _, _ in headers.calls)
    print(f"    let calls = [{calls}];")
    print("    assert!(calls.iter().all(|call| !call.is_null()));\n}")


TYPES = {"c_char": "char", "c_void": "void", "c_int": "int", "usize": "size_t", "f64": "double",
         **{f"u{bits}": f"uint{bits}_t" for bits in (8, 16, 32, 64)},
         **{f"i{bits}": f"int{bits}_t" for bits in (8, 16, 32, 64)}}


def c_type(text):
    """A type of Rust as C writes it; a pointer to a function too."""
    text = text.strip()
    called = re.fullmatch(r'Option<unsafe extern "C" fn\((.*?)\)(?: -> ([^()]+))?>', text)
    if called:
        given = c_type(called[2]) if called[2] else "void"
        return f"__typeof__({given} (*)({c_arguments(called[1])}))"
    if text.startswith("*"):
        const, inner = re.match(r"\*(const|mut) (.*)", text).groups()
        return c_type(inner) + (" const *" if const == "const" else " *")
    return TYPES.get(text, text)


def c_arguments(text):
    """Of a list of types; a pointer to a function among them has one argument."""
    kinds = [kind for kind in re.findall(r"(?:Option<.*?>|[^,])+", text) if kind.strip()]
    return ", ".join(c_type(kind) for kind in kinds) or "void"


def types(headers, path):
    text = pathlib.Path(path).read_text().replace("r#", "")
    print("#include <cairn/cairn.h>")
    calls = re.findall(r"^    pub fn (\w+)\((.*)\)(?: -> (.*))?;$", text, re.M)
    assert len(calls) == len(headers.calls) > 100
    for name, arguments, result in calls:
        listed = re.sub(r"\w+: ", "", arguments)
        print(f"{c_type(result) if result else 'void'} {name}({c_arguments(listed)});")
    structs = re.findall(r"^pub struct (\w+) \{\n((?:    pub .*\n)+)\}", text, re.M)
    assert len(structs) == len(headers.structs) > 20
    for struct, members in structs:
        if "typedef struct %s {" % struct not in headers.text:
            continue
        for name, kind in re.findall(r"pub (\w+): (.*),\n", members):
            array = re.fullmatch(r"\[(.*); (\d+)\]", kind)
            if array and array[1] not in headers.structs:
                kind = f"{c_type(array[1])}[{array[2]}]"
            elif not array:
                kind = c_type(kind)
            else:
                continue
            print("_Static_assert(__builtin_types_compatible_p(__typeof__("
                  f'(({struct} *)0)->{name}), {kind}), "{struct}.{name}");')


{"c": in_c, "rust": in_rust, "types": types}[sys.argv[1]](Headers(), *sys.argv[2:])
