#!/bin/sh
# Makes the folder of the crate cairn-sys: its sources, the declarations that it needs, the library as
# one file.
#
#     sh bindings/rust/build.sh [FOLDER]      build/rust; `cargo package` there makes the .crate
set -e
root=$(cd "$(dirname "$0")/../.." && pwd)
folder=${1:-$root/build/rust}
version=$(sed -n 's/^project(cairn VERSION \([0-9.]*\).*/\1/p' "$root/CMakeLists.txt")
mkdir -p "$folder/src" "$folder/examples"
sh "$root/tools/amalgamate.sh" "$folder" >/dev/null
python3 "$root/bindings/declarations.py" rust >"$folder/src/declarations.rs"
cp "$root/bindings/rust/build.rs" "$root/bindings/rust/README.md" "$root/LICENSE" "$folder"
cp "$root"/bindings/rust/src/*.rs "$folder/src"
cp "$root"/examples/rust/*.rs "$folder/examples"
sed "s/%VERSION%/$version/" "$root/bindings/rust/Cargo.toml" >"$folder/Cargo.toml"
echo "$folder"
