#!/bin/sh
# Makes Cairn.dll and the NuGet package, by mono's compiler or by dotnet where that is.
#
#     sh bindings/csharp/build.sh LIBRARY [FOLDER]      LIBRARY: libcairn.so; FOLDER: build/csharp
#
# The package holds the assembly for netstandard2.1 and the library for the system that it is built on.
set -e
root=$(cd "$(dirname "$0")/../.." && pwd)
library=${1:?usage: sh bindings/csharp/build.sh LIBRARY [FOLDER]}
folder=${2:-$root/build/csharp}
version=$(sed -n 's/^project(cairn VERSION \([0-9.]*\).*/\1/p' "$root/CMakeLists.txt")
case $(uname -s)-$(uname -m) in
Linux-x86_64) system=linux-x64 ;;
Linux-aarch64) system=linux-arm64 ;;
Darwin-arm64) system=osx-arm64 ;;
*) system=any ;;
esac
package=$folder/package
rm -rf "$package"
mkdir -p "$package/lib/netstandard2.1" "$package/runtimes/$system/native"
python3 "$root/bindings/declarations.py" csharp >"$folder/Native.g.cs"
if command -v dotnet >/dev/null; then
    dotnet build -c Release -o "$package/lib/netstandard2.1" "-p:Declarations=$folder/Native.g.cs" \
        "$root/bindings/csharp/Cairn.csproj"
else
    # Members of structs that only the library writes have no assignment. The type has the name that
    # references get.
    echo 'static class netstandard { }' >"$folder/Names.g.cs"
    mcs -langversion:latest -optimize -unsafe -target:library -nowarn:0649,0169 \
        -out:"$package/lib/netstandard2.1/Cairn.dll" "$root"/bindings/csharp/*.cs \
        "$folder/Native.g.cs" "$folder/Names.g.cs"
    python3 "$root/bindings/csharp/netstandard.py" "$package/lib/netstandard2.1/Cairn.dll"
fi
cp -L "$library" "$package/runtimes/$system/native/"
cp "$root/LICENSE" "$root/bindings/csharp/README.md" "$root/bindings/csharp/left_out.txt" \
    "$package"
sed "s/%VERSION%/$version/" "$root/bindings/csharp/cairn-path.nuspec" >"$package/cairn-path.nuspec"
cp -r "$root/bindings/csharp/package/." "$package"
(cd "$package" && python3 -m zipfile -c "../cairn-path.$version.nupkg" '[Content_Types].xml' _rels \
    cairn-path.nuspec LICENSE README.md left_out.txt lib runtimes)
echo "$folder/cairn-path.$version.nupkg"
