"""Makes an assembly of mono's compiler refer to netstandard 2.1, as those of dotnet do, and not to
mono's mscorlib, which has the same types: in netstandard every .NET finds them.

    python3 bindings/csharp/netstandard.py ASSEMBLY

The name has to be in the assembly, such as that of a type; the layout is that of ECMA-335, II.24.
"""
import struct
import sys

VERSION = (2, 1, 0, 0)
TOKEN = bytes.fromhex("cc7b13ffcd2ddd51")


def streams(image):
    """Of each stream of the metadata its name, where it begins and its size."""
    root = image.index(b"BSJB")
    [length] = struct.unpack_from("<I", image, root + 12)
    at = root + 16 + length
    [count] = struct.unpack_from("<H", image, at + 2)
    at += 4
    found = {}
    for _ in range(count):
        offset, size = struct.unpack_from("<II", image, at)
        end = image.index(b"\0", at + 8)
        found[image[at + 8:end].decode()] = root + offset, size
        at = end + 4 - (end - at) % 4
    return found


def index_of(image, stream, name):
    """The index of a name among the strings."""
    begin, size = stream
    return image[begin:begin + size].index(b"\0" + name + b"\0") + 1


def main(path):
    with open(path, "rb") as file:
        image = bytearray(file.read())
    found = streams(image)
    tables, size = found["#~"]
    wide = image[tables + 6]
    name_format, blob_format = "I" if wide & 1 else "H", "I" if wide & 4 else "H"
    mono = index_of(image, found["#Strings"], b"mscorlib")
    own = index_of(image, found["#Strings"], b"netstandard")
    row = struct.Struct(f"<4HI{blob_format}{name_format}{name_format}{blob_format}")
    rows = [at for at in range(tables, tables + size - row.size)
            if row.unpack_from(image, at)[:5] == (4, 0, 0, 0, 0)
            and row.unpack_from(image, at)[6:] == (mono, 0, 0)]
    if len(rows) != 1:
        sys.exit(f"{path}: expected one reference to mscorlib, found {len(rows)}")
    token = row.unpack_from(image, rows[0])[5]
    row.pack_into(image, rows[0], *VERSION, 0, token, own, 0, 0)
    at = found["#Blob"][0] + token
    if image[at] != len(TOKEN):
        sys.exit(f"{path}: expected a token of {len(TOKEN)} bytes")
    image[at + 1:at + 1 + len(TOKEN)] = TOKEN
    with open(path, "wb") as file:
        file.write(image)


main(sys.argv[1])
