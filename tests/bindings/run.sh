#!/bin/sh
# The bindings as others use them: each package is built, taken into an empty folder outside of the
# tree, answers 500 queries as the C library does, and is called with arguments of any type and size.
#
#     sh tests/bindings/run.sh [LANGUAGE...]      python npm lua csharp rust; without any all
#
# The queries are of orz900d where CAIRN_TEST_DATA is, else of the project's town. What a query costs
# more than in C is printed for each language and held to its limit. About two minutes of processor
# time: tests/run.sh runs calls.sh alone. Languages that are not installed are skipped.
set -u
root=$(cd "$(dirname "$0")/../.." && pwd)
here=$root/tests/bindings
. "$root/tests/support/report.sh"
. "$root/tests/support/python.sh"
. "$root/tools/kit/install.sh"
[ $# -gt 0 ] || set -- python npm lua csharp rust
work=$(mktemp -d "${TMPDIR:-/tmp}/cairn-bindings.XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT
export PYTHONDONTWRITEBYTECODE=1
unset LD_LIBRARY_PATH CAIRN_LIBRARY PYTHONPATH
CALLS=${CALLS:-100000}

check() {
    name=$1
    shift
    if "$@" >"$work/log" 2>&1; then
        pass "$name"
    else
        fail "$name" "$(tail -n 40 "$work/log")"
    fi
}

map=${CAIRN_TEST_DATA:-}/movingai/dao/orz900d.map
scenario=$map.scen
[ -f "$map" ] || map=$root/data/maps/town.map scenario=$root/data/scen/town.map.scen

library_is_built() {
    cmake -S "$root" -B "$root/build/shared" -DCMAKE_BUILD_TYPE=Release -DBUILD_SHARED_LIBS=ON &&
        cmake --build "$root/build/shared" --target cairn -j 2 &&
        cc -O2 -I"$root/lib/include" "$here/queries.c" "$root/build/shared/lib/libcairn.so" \
            -Wl,-rpath,"$root/build/shared/lib" -o "$work/queries" &&
        "$work/queries" "$map" "$scenario" >"$work/answers.c" &&
        [ "$(wc -l <"$work/answers.c")" = 501 ]
}

time_of() {
    sed -n 's/^time //p' "$1"
}

# LANGUAGE, LIMIT IN MICROSECONDS, COMMAND...: says what it wants to be given, prints the costs that C
# has, and is hardly slower.
answers_as_c_does() {
    language=$1
    limit=$2
    shift 2
    if ! "$@" 2>&1 | grep -q "usage: .*MAP SCEN"; then
        echo "without MAP and SCEN it does not say its usage"
        return 1
    fi
    "$@" "$map" "$scenario" >"$work/answers.$language" || return 1
    # Beside it once more, so that both are measured on the machine as it is now.
    "$work/queries" "$map" "$scenario" >"$work/answers.c"
    for side in c "$language"; do
        grep -v time "$work/answers.$side" >"$work/costs.$side"
    done
    cmp "$work/costs.c" "$work/costs.$language" || return 1
    echo "$(time_of "$work/answers.c") $(time_of "$work/answers.$language")" |
        awk -v limit="$limit" -v language="$language" '
            { printf "%s: a query takes %.2f us more than in C (%.2f us)\n", language, $2 - $1, $1
              exit $2 - $1 > limit }' | tee "$work/overhead.$language"
    awk -v limit="$limit" '{ exit $5 > limit }' "$work/overhead.$language"
}

# The calls that a package lacks are listed in it, where its README says so.
names_what_it_has() {
    grep -q left_out.txt "$1/README.md" && [ -s "$1/left_out.txt" ]
}

small() {
    [ "$(wc -c <"$1")" -lt 1048576 ]
}

# ------------------------------------------------------------------------------------ Python --

test_python() {
    python=$(python_for_packages)
    if [ -z "$python" ]; then
        skip python "python3, setuptools, wheel or venv is not there"
        return
    fi
    check python_makes_a_wheel python_makes_a_wheel
    check python_installs_it python_installs_it
    python_has numpy || skip python_takes_arrays_of_numpy "numpy is not installed"
    if python_has pytest; then
        check python_serves_pytest python_serves_pytest
    else
        skip python_serves_pytest "pytest is not installed"
    fi
    check python_answers_as_c_does answers_as_c_does python 3 "$work/venv/bin/python" \
        "$root/examples/python/queries.py"
    check python_storm "$work/venv/bin/python" "$root/tests/python/storm.py" "$CALLS"
}

python_makes_a_wheel() {
    mkdir "$work/sources" "$work/wheels" &&
        (cd "$root" && tar cf - CMakeLists.txt LICENSE MANIFEST.in README.md lib \
            pyproject.toml setup.py bindings/python) | tar xf - -C "$work/sources" &&
        "$python" -m venv --system-site-packages "$work/venv" &&
        "$work/venv/bin/pip" wheel --no-build-isolation --no-index --no-deps "$work/sources" \
            -w "$work/wheels" && small "$work"/wheels/*.whl
}

python_has() {
    "$work/venv/bin/python" -c "import $1" 2>/dev/null
}

python_serves_pytest() {
    cd "$work" && "$work/venv/bin/python" -m pytest -q -p no:cacheprovider "$root/tests/python"
}

python_installs_it() {
    "$work/venv/bin/pip" install --no-index "$work"/wheels/*.whl &&
        (cd "$work" && "$work/venv/bin/python" "$root/tests/python/run.py")
}

# --------------------------------------------------------------------------------------- npm --

test_npm() {
    if ! has_package web || ! command -v npm >/dev/null; then
        skip npm "node, npm, clang for WebAssembly or wasi-libc is not installed"
        return
    fi
    check npm_makes_a_package npm_makes_a_package
    check npm_installs_it npm_installs_it
    check npm_answers_as_c_does answers_as_c_does npm 2 node "$work/user/queries.mjs"
    check npm_serves_import_and_require npm_serves_import_and_require
    check npm_storm_with_vectors node "$work/user/storm.mjs" "$CALLS" 2
    check npm_storm_without_vectors node "$work/user/storm.mjs" "$CALLS" 1
    if command -v tsc >/dev/null; then
        check npm_types_fit tsc --strict --noEmit --target es2022 --lib es2022 --module nodenext \
            "$work/user/types.mts"
    else
        skip npm_types_fit "tsc is not installed"
    fi
}

npm_makes_a_package() {
    sh "$root/bindings/npm/build.sh" && small "$root"/build/npm/*.tgz
}

npm_installs_it() {
    mkdir "$work/user" && cd "$work/user" && echo '{"private": true}' >package.json &&
        npm install --offline --no-audit --no-fund "$root"/build/npm/*.tgz &&
        names_what_it_has node_modules/cairn-path &&
        cp "$here"/npm/* "$root/examples/npm/queries.mjs" "$work/user"
}

npm_serves_import_and_require() {
    cd "$work/user" && node use.mjs && node use.cjs
}

# --------------------------------------------------------------------------------------- Lua --

test_lua() {
    if ! command -v luajit >/dev/null; then
        skip lua "luajit is not installed"
        return
    fi
    check lua_makes_its_folder lua_makes_its_folder
    export LUA_PATH="$work/lua/?.lua" CAIRN_LIBRARY="$root/build/shared/lib/libcairn.so"
    check lua_answers_as_c_does answers_as_c_does lua 3 luajit "$root/examples/lua/queries.lua"
    check lua_serves luajit "$here/lua/use.lua"
    check lua_says_that_the_library_is_missing lua_says_that_the_library_is_missing
    check lua_storm luajit "$here/lua/storm.lua" "$CALLS" 1
    unset LUA_PATH CAIRN_LIBRARY
}

lua_makes_its_folder() {
    sh "$root/bindings/lua/build.sh" "$work/lua" && names_what_it_has "$work/lua"
}

lua_says_that_the_library_is_missing() {
    CAIRN_LIBRARY=$work/no/libcairn.so luajit -e "require 'cairn'" 2>&1 | tee "$work/said"
    grep -q "libcairn was not found: set CAIRN_LIBRARY to its file .*no/libcairn.so" "$work/said"
}

# ---------------------------------------------------------------------------------------- C# --

test_csharp() {
    if ! command -v mcs >/dev/null || ! command -v mono >/dev/null; then
        skip csharp "mono's compiler or mono is not installed"
        return
    fi
    check csharp_makes_a_package csharp_makes_a_package
    check csharp_has_a_netstandard csharp_has_a_netstandard
    check csharp_compiles_programs csharp_compiles_programs
    check csharp_answers_as_c_does answers_as_c_does csharp 1 mono "$work/mono/Queries.exe"
    # Freed memory holds other bytes at once.
    check csharp_serves env MALLOC_PERTURB_=165 mono "$work/mono/Use.exe"
    check csharp_storm mono "$work/mono/Storm.exe" "$CALLS" 1
}

# Taken out of the package as its users do it.
csharp_makes_a_package() {
    sh "$root/bindings/csharp/build.sh" "$root/build/shared/lib/libcairn.so" "$work/csharp" &&
        small "$work"/csharp/*.nupkg && mkdir "$work/unpacked" "$work/mono" &&
        (cd "$work/unpacked" && python3 -m zipfile -e "$work"/csharp/*.nupkg .) &&
        names_what_it_has "$work/unpacked" &&
        cp "$work/unpacked/lib/netstandard2.1/Cairn.dll" "$work"/unpacked/runtimes/*/native/* \
            "$work/mono"
}

# The one that mono-devel has, or one that forwards to mono's own types.
csharp_has_a_netstandard() {
    facade=/usr/lib/mono/4.5/Facades/netstandard.dll
    if [ -f "$facade" ]; then
        cp "$facade" "$work/mono"
        return
    fi
    key=00240000048000009400000006020000002400005253413100040000010001004b86c4cb78549b34bab61a3b
    key=${key}1800e23bfeb5b3ec390074041536a7e3cbd97f5f04cf0f857155a8928eaa29ebfd11cfbbad3ba70efea7
    key=${key}bda3226c6a8d370a4cd303f714486b6ebc225985a638471e6ef571cc92a4613c00b8fa65d61ccee0cbe5
    key=${key}f36330c9a01f4183559f1bef24cc2917c6d913e3a541333a1d05d9bed22b38cb
    python3 -c "open('$work/key', 'wb').write(bytes.fromhex('$key'))" &&
        mcs -out:"$work/forward.exe" "$here/csharp/facade/Forward.cs" &&
        mono "$work/forward.exe" >"$work/facade.cs" &&
        mcs -target:library -nowarn:612,618,619 -delaysign+ -keyfile:"$work/key" \
            -out:"$work/mono/netstandard.dll" "$work/facade.cs"
}

csharp_compiles_programs() {
    for program in "$root/examples/csharp/Queries.cs" "$here"/csharp/*.cs; do
        mcs -langversion:latest -optimize -r:"$work/mono/Cairn.dll" -r:"$work/mono/netstandard.dll" \
            -out:"$work/mono/$(basename "$program" .cs).exe" "$program" || return 1
    done
}

# --------------------------------------------------------------------------------------- Rust --

test_rust() {
    if ! command -v cargo >/dev/null || ! cargo --version >/dev/null 2>&1; then
        skip rust "cargo is not installed"
        return
    fi
    export CARGO_NET_OFFLINE=true CARGO_TARGET_DIR="$work/target"
    check rust_makes_a_crate rust_makes_a_crate
    check rust_compiles_programs rust_compiles_programs
    check rust_declares_what_the_headers_do rust_declares_what_the_headers_do
    check rust_answers_as_c_does answers_as_c_does rust 1 "$work/target/release/queries"
    check rust_serves "$work/target/release/use" "$work"
    check rust_refuses_what_its_documents_say rust_refuses_what_its_documents_say
    check rust_storm "$work/target/release/storm" "$CALLS" 1
    unset CARGO_NET_OFFLINE CARGO_TARGET_DIR
}

# Unpacked as its users get it.
rust_makes_a_crate() {
    sh "$root/bindings/rust/build.sh" "$work/rust" &&
        (cd "$work/rust" && cargo package --no-verify --allow-dirty) &&
        small "$work"/target/package/*.crate &&
        mkdir -p "$work/program/crate" "$work/program/src/bin" &&
        tar xf "$work"/target/package/*.crate -C "$work/program/crate" --strip-components 1
}

rust_compiles_programs() {
    cat >"$work/program/Cargo.toml" <<'EOF'
[package]
name = "program"
version = "0.0.0"
edition = "2021"

[dependencies]
cairn-sys = { path = "crate" }

[workspace]
EOF
    cp "$here"/rust/*.rs "$root/examples/rust/queries.rs" "$work/program/src/bin" &&
        python3 "$here/rust/layout.py" rust >"$work/program/src/bin/layout.rs" &&
        (cd "$work/program" && RUSTFLAGS=-Dwarnings cargo build --release)
}

rust_declares_what_the_headers_do() {
    python3 "$here/rust/layout.py" c >"$work/layout.c" &&
        cc -I"$root/lib/include" "$work/layout.c" -o "$work/layout" &&
        "$work/layout" >"$work/layout.in_c" && [ "$(wc -l <"$work/layout.in_c")" -gt 300 ] &&
        "$work/target/release/layout" | cmp - "$work/layout.in_c"
}

rust_refuses_what_its_documents_say() {
    (cd "$work/program" && cargo test --release --doc -p cairn-sys)
}

begin bindings
check every_call_is_there_or_left_out sh "$here/calls.sh"
check library_is_built library_is_built
for language in "$@"; do
    "test_$language"
done
cat "$work"/overhead.* 2>/dev/null
finish
