#!/bin/sh
# The ways in which other projects take Cairn: installed (found by CMake and by pkg-config, static
# and shared, from a folder that was moved), as a folder of their tree, fetched, and from C++ and
# Python.
#
#     sh tests/package/run.sh [BUILD]
#
# A static build that is there already is installed as it is; without BUILD one is made.
set -u
root=$(cd "$(dirname "$0")/../.." && pwd)
. "$root/tests/support/report.sh"
. "$root/tests/support/python.sh"
static_build=${1:+$(cd "$1" && pwd)}
work=$(mktemp -d "${TMPDIR:-/tmp}/cairn-package.XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT
unset LD_LIBRARY_PATH

check() {
    name=$1
    shift
    if "$@" >"$work/log" 2>&1; then
        pass "$name"
    else
        fail "$name" "$(cat "$work/log")"
    fi
}

# Assertions stay on, and little time goes into compiling: without optimisation, for any processor.
configure() {
    cmake -S "$1" -B "$2" -DCMAKE_BUILD_TYPE=Debug "-DCMAKE_C_FLAGS_DEBUG=-O0 -DCAIRN_NO_X86" \
        "-DBUILD_SHARED_LIBS=$3"
}

# KIND, BUILD: installs below a folder, and moves that.
install_build() {
    cmake --install "$2" --prefix "$work/$1/first" && mv "$work/$1/first" "$work/$1/moved"
}

install_static() {
    if [ -z "$static_build" ]; then
        static_build=$work/static/build
        configure "$root" "$static_build" OFF && cmake --build "$static_build" -j 2 || return 1
    fi
    install_build static "$static_build"
}

install_shared() {
    configure "$root" "$work/shared/build" ON && cmake --build "$work/shared/build" -j 2 &&
        install_build shared "$work/shared/build"
}

# A shell puts the archive for the competition together, and takes such a path for two words.
build_below_a_blank() {
    configure "$root" "$work/a blank/build" OFF &&
        cmake --build "$work/a blank/build" --target cairn_gppc_classic -j 2 &&
        [ -f "$work/a blank/build/tools/libGPPCclassic.a" ]
}

# --------------------------------------------------------------------------------- installed --

# KIND, VERSION, FOLDER OF THE BUILD
find_by_cmake() {
    cmake -S "$root/tests/package/find_package" -B "$work/$1/$3" -DCAIRN_WANTED="$2" \
        -DCMAKE_PREFIX_PATH="$work/$1/moved"
}

use_by_cmake() {
    find_by_cmake "$1" "$version" user && cmake --build "$work/$1/user" && "$work/$1/user/user"
}

# A later and an earlier minor version are not found.
is_found_by_its_minor_version_alone() {
    for other in "$major.$((minor + 1))" "$major.$((minor - 1))" "$((major + 1)).0"; do
        ! find_by_cmake static "$other" other || return 1
    done
    find_by_cmake static "$major.$minor" other
}

# What programs ask the system for carries the same versions as find_package tells apart.
shared_name_is_that_of_the_minor_version() {
    test -f "$lib/libcairn.so.$major.$minor" && test ! -e "$lib/libcairn.so.$major" &&
        env LC_ALL=C ldd "$work/shared/user/user" | grep "libcairn.so.$major.$minor "
}

examples_by_cmake() {
    cmake -S "$root/examples" -B "$work/examples" -DCMAKE_PREFIX_PATH="$work/static/moved" &&
        cmake --build "$work/examples" && "$work/examples/game"
}

# GENERATOR: a change of a map, or of a file that an option names, builds what depends on it, once.
tables_by_cmake() {
    project=$work/tables-$1
    mkdir -p "$project" && cp -r "$root/examples/tables" "$root/examples/own_astar.c" "$project" &&
        cmake -G "$1" -S "$project/tables" -B "$project/build" \
            -DCMAKE_PREFIX_PATH="$work/static/moved" && cmake --build "$project/build" &&
        "$project/build/game" "$project/build/harbour.cairn" 1 0 22 7 || return 1
    cairn=$work/static/moved/bin/cairn
    "$cairn" verify "$project/build/swamp.cairn" || return 1
    built_again "$project/build" || return 1
    sleep 1 # make compares times by the second on some disks
    touch "$project/tables/swamp.map" && built_again "$project/build" swamp || return 1
    touch "$project/tables/terrain.txt" && built_again "$project/build" harbour swamp || return 1
    printf x >>"$project/tables/swamp.map"
    cmake --build "$project/build" >"$work/broken" 2>&1 && return 1
    grep 'swamp.map:13: expected' "$work/broken"
}

# BUILD, NAME...: whether these tables are built, and no other.
built_again() {
    build=$1
    shift
    cmake --build "$build" >"$work/built" 2>&1 || { cat "$work/built" && return 1; }
    names=$(sed -n 's/.*Building the table \(.*\).cairn.*/\1/p' "$work/built" | sort | xargs)
    [ "$names" = "$*" ] ||
        { cat "$work/built" && return 1; }
}

# Installed below a folder, with what has the project's name there.
# Of files that are not installed no link is left.
links_of_pages_lead_somewhere() {
    (cd "$work/static/moved/share/doc/cairn" && ls README.md docs/GUIDE.md docs/decisions/gates.md &&
        for page in *.md docs/*.md docs/*/*.md; do
            grep -o '](\([^)#]*\)[^)]*)' "$page" | sed 's/^](//; s/[#)].*//' | grep -v '^http' |
                while read -r link; do
                    [ -z "$link" ] || [ -e "$(dirname "$page")/$link" ] || echo "$page: $link"
                done
        done >"$work/dead" && cat "$work/dead" && [ ! -s "$work/dead" ])
}

uninstalling_removes_what_was_installed() {
    DESTDIR=$work/there cmake --install "$static_build" --prefix /usr &&
        find "$work/there" -type f >"$work/files" && grep -q man/man1/cairn-build.1 "$work/files" &&
        grep -q licenses/cairn/LICENSE "$work/files" &&
        grep -q bash-completion/completions/cairn "$work/files" &&
        DESTDIR=$work/there cmake --build "$static_build" --target uninstall &&
        [ -z "$(find "$work/there" ! -type d; find "$work/there" -name 'cairn*')" ]
}

# The program finds its library wherever the whole was moved to.
program_runs() {
    "$work/$1/moved/bin/cairn" generate maze -o "$work/$1.map" --size 32x32 --seed 1 &&
        "$work/$1/moved/bin/cairn" build "$work/$1.map" -o "$work/$1.cairn"
}

# With an empty part of such a path the loader searches the folder where the program is called.
static_program_has_no_path() {
    ! readelf -d "$static_build/tools/cairn" | grep -E 'R(UN)?PATH'
}

# KIND OF LIBRARY, --static OR NOTHING, SOURCE, COMPILER...
use_by_pkg_config() {
    kind=$1
    static=$2
    source=$root/tests/package/$3
    shift 3
    pc=$(dirname "$(find "$work/$kind/moved" -name cairn.pc)")
    # shellcheck disable=SC2046,SC2086
    "$@" $(PKG_CONFIG_PATH="$pc" pkg-config --cflags cairn) "$source" \
        -o "$work/$kind/by-pc" $(PKG_CONFIG_PATH="$pc" pkg-config $static --libs cairn) &&
        LD_LIBRARY_PATH=$(dirname "$pc") "$work/$kind/by-pc"
}

# ----------------------------------------------------------------------------- from sources --

# Names and values in a cache.
cached() {
    sed -n '/^[^#/]/s/:[A-Z]*=/=/p' "$1/CMakeCache.txt" |
        grep -v '^CMAKE_HOME_DIRECTORY\|^CMAKE_NUMBER_OF_MAKEFILES\|^WITH_' | sort
}

# Beside a configuration without Cairn, what there is new begins with cairn or was found for it.
nothing_of_the_parent_changes() {
    cmake -S "$root/tests/package/subproject" -B "$work/without" \
        "-DCMAKE_C_FLAGS=-O0 -DCAIRN_NO_X86" -DWITH_CAIRN=OFF &&
        cmake -S "$root/tests/package/subproject" -B "$work/subproject" \
            "-DCMAKE_C_FLAGS=-O0 -DCAIRN_NO_X86" || return 1
    cached "$work/without" | sed "s,$work/without,$work/subproject," >"$work/cache-without"
    cached "$work/subproject" >"$work/cache-with"
    changed=$(diff "$work/cache-without" "$work/cache-with" | sed -n 's/^[<>] //p' |
        grep -v -i '^cairn_\|^ZLIB_\|^LIBDEFLATE\|^FIND_PACKAGE_\|^_CMAKE_\|^CMAKE_HAVE_LIBC_')
    [ -z "$changed" ] || { echo "$changed" && return 1; }
}

# LEVEL, OPTION: the level of optimisation in a project that gives the option.
is_optimised() {
    cmake -S "$root/tests/package/subproject" -B "$work/level" "$2" \
        -DCMAKE_EXPORT_COMPILE_COMMANDS=ON &&
        [ "$(grep 'lib/src/search' "$work/level/compile_commands.json" | grep -o ' -O[0-9a-z]*' |
            sort -u)" = "$1" ] && rm -r "$work/level"
}

a_subproject_is_optimised() {
    is_optimised " -O2" -DCMAKE_BUILD_TYPE= && is_optimised "" -DCMAKE_BUILD_TYPE=Debug &&
        is_optimised " -O1" -DCMAKE_C_FLAGS=-O1 && is_optimised " -O1" -DPARENT_OPTIONS=-O1
}

# In a project that joins files, warns, and has characters without a sign. To fetch sources comes to
# the same as having them as a folder of the tree, which is not built for itself.
fetched_sources_serve() {
    cmake -S "$root/tests/package/fetch_content" -B "$work/fetch" -DCMAKE_UNITY_BUILD=ON \
        -DCMAKE_C_STANDARD=17 \
        "-DCMAKE_C_FLAGS=-O0 -DCAIRN_NO_X86 -funsigned-char -Wall -Wextra -Werror" &&
        cmake --build "$work/fetch" -j 2 &&
        cmake --install "$work/fetch" --prefix "$work/fetched" && "$work/fetched/bin/user" &&
        [ "$(cd "$work/fetched" && find . -type f)" = ./bin/user ]
}

fetched_sources_are_the_library_alone() {
    find "$work/fetch" -type f -perm -u+x ! -path '*/CMakeFiles/*' >"$work/programs"
    [ "$(cat "$work/programs")" = "$work/fetch/user" ] || { cat "$work/programs" && return 1; }
}

# --------------------------------------------------------------------------------- two files --

# COMPILER, FLAGS, COMPILER OF THE PROGRAM...: cairn.c without a warning, beside a program that
# takes cairn.h. (GCC takes half of its time for the indentation of so long a file.)
two_files_serve() {
    compiler=$1
    flags=$2
    two=$work/two-$compiler
    shift 2
    CC=$compiler sh "$root/tools/amalgamate.sh" "$two" &&
        "$compiler" $flags -std=c11 -O0 -Wall -Wextra -Wno-misleading-indentation -Werror \
            -c "$two/cairn.c" -o "$two/cairn.o" &&
        sed 's,"cairn/cairn.h","cairn.h",' "$root/tests/structure/one_line.c" >"$two/game.c" &&
        "$@" -c "$two/game.c" -o "$two/game.o" &&
        "$compiler" "$two/game.o" "$two/cairn.o" -lz -lpthread -o "$two/game" &&
        [ "$("$two/game")" = "6 steps" ]
}

# COMPILER...: the program of user.cpp, beside cairn.o.
two_files_have_a_header_for_cpp() {
    two=$work/two-cc
    sed 's,<cairn/cairn.hpp>,"cairn.hpp",' "$root/tests/package/user.cpp" >"$two/user.cpp" &&
        "$@" "$two/user.cpp" "$two/cairn.o" -lz -lpthread -o "$two/user" && "$two/user"
}

# What was made of one compiler's preprocessor is the same as by another.
two_files_are_the_same() {
    diff "$work/two-cc/cairn.c" "$work/two-clang/cairn.c" &&
        diff "$work/two-cc/cairn.h" "$work/two-clang/cairn.h"
}

# COMPILER: a table of the project's town, as a file.
town_of_two_files() {
    two=$work/two-$1
    sed 's,"cairn/cairn.h","cairn.h",' "$root/examples/pipeline.c" >"$two/pipeline.c" &&
        "$1" -std=c11 "$two/pipeline.c" "$two/cairn.o" -lz -lpthread -o "$two/pipeline" &&
        timeout 60 "$two/pipeline" "$root/data/maps/town.map" "$two/town.cairn"
}

# One with the vectors of this processor, the other without them and by another compiler.
files_are_the_same() {
    town_of_two_files cc && town_of_two_files clang &&
        cmp "$work/two-cc/town.cairn" "$work/two-clang/town.cairn"
}

two_files_compile_for_arm64() {
    clang -target aarch64-linux-gnu -isystem "$arm64_headers" -idirafter /usr/include -std=c11 \
        -fsyntax-only -Wall -Wextra -Werror "$work/two-cc/cairn.c"
}

# For Microsoft's compiler, by clang with its target: without a warning, and without a word that
# only GCC and Clang know.
two_files_compile_for_msvc() {
    mkdir -p "$work/zlib" && cp "$zlib_headers/zlib.h" "$work/zlib" &&
        sed '/define Z_HAVE_UNISTD_H/d' "$zlib_headers/zconf.h" >"$work/zlib/zconf.h" || return 1
    for action in -fsyntax-only -E; do
        clang -target x86_64-pc-windows-msvc -fms-compatibility-version=19.29 -std=c11 \
            -include "$root/tests/package/msvc.h" -isystem "$windows_headers" \
            -isystem "$work/zlib" $action -Wall -Wextra -Wgnu -Werror "$work/two-cc/cairn.c" \
            >"$work/preprocessed" || return 1
    done
    ! awk '/^# [0-9]+ "/ { mine = $3 ~ /cairn\.c"/ }
           mine && /__attribute__|__extension__|typeof|\(\{/' "$work/preprocessed" | grep .
}

# -------------------------------------------------------------------------------------- C++ --

strict="-std=c++11 -Wall -Wextra -Wshadow -Wold-style-cast -pedantic -Werror"

# A program that uses every constant and macro of the headers, by its name.
use_of_every_macro() {
    echo '#include <cairn/cairn.hpp>'
    echo 'int main()'
    echo '{'
    sed -n 's/^# *define *\(CAIRN_[A-Z0-9_]*\) .*/\1/p
            s/^# *define *\(CAIRN_[A-Z0-9_]*\)(.*/\1(7)/p' \
        "$root"/lib/include/cairn/*.h | grep -vE 'CAIRN_(API|NODISCARD|MUST_USE)' | sort -u | awk '
        { print "    const auto value_" NR " = " $0 ";\n    static_cast<void>(value_" NR ");" }'
    echo '}'
}

headers_are_clean() {
    use_of_every_macro >"$work/macros.cpp"
    grep -q 'CAIRN_MICROSECONDS(7)' "$work/macros.cpp" || return 1
    # shellcheck disable=SC2086
    "$1" $strict -I"$root/lib/include" -fsyntax-only "$work/macros.cpp" &&
        "$1" $strict -I"$root/lib/include" -fsyntax-only "$root/tests/package/user.cpp" &&
        "$1" $strict -I"$root/lib/include" -fsyntax-only "$root/tests/package/helpers.cpp"
}

# --------------------------------------------------------------------------------- Python --

python_tour() {
    PYTHONPATH=$root/bindings/python python3 "$root/examples/python/tour.py"
}

# A copy is built, since pip builds in the folder where the sources are. Where Python has pip, another
# one in the environment would take as long as building the library.
python_package_installs() {
    python=$(python_for_packages)
    own_pip=
    "$python" -c 'import pip' 2>/dev/null && own_pip=--without-pip
    mkdir "$work/sources" &&
        (cd "$root" && tar cf - CMakeLists.txt LICENSE MANIFEST.in README.md lib pyproject.toml \
            setup.py bindings/python) | tar xf - -C "$work/sources" &&
        "$python" -m venv --system-site-packages $own_pip "$work/venv" &&
        debug="-DCMAKE_BUILD_TYPE=Debug -DCMAKE_C_FLAGS_DEBUG=-O0" &&
        CMAKE_ARGS="$debug -DCMAKE_C_FLAGS=-DCAIRN_NO_X86" \
            "$work/venv/bin/python" -m pip install --no-build-isolation --no-index --no-deps "$work/sources"
}

python_package_serves() {
    (unset CAIRN_LIBRARY PYTHONPATH && cd "$work" &&
        "$work/venv/bin/python" "$root/tests/python/run.py" &&
        "$work/venv/bin/python" "$root/examples/python/tour.py")
}

# Takes the library that was installed before, in place of building one more.
python_package_is_editable() {
    mkdir "$work/commands" &&
        cat >"$work/commands/cmake" <<'EOF' &&
#!/bin/sh
[ "$1" = --install ] || exit 0
while [ "$1" != --prefix ]; do shift; done
mkdir -p "$2/lib" && cp "$CAIRN_LIBRARY" "$2/lib/libcairn.so"
EOF
        chmod +x "$work/commands/cmake" &&
        "$work/venv/bin/python" -m pip uninstall -y cairn-path &&
        PATH=$work/commands:$PATH "$work/venv/bin/python" -m pip install --no-build-isolation \
            --no-index --no-deps -e "$work/sources" &&
        (unset CAIRN_LIBRARY PYTHONPATH && cd "$work" && "$work/venv/bin/python" -c \
            "import cairn; assert cairn.__file__.startswith('$work/sources/'), cairn.__file__")
}

begin package
major=$(sed -n 's/^#define CAIRN_VERSION_MAJOR //p' "$root"/lib/include/cairn/*.h)
minor=$(sed -n 's/^#define CAIRN_VERSION_MINOR //p' "$root"/lib/include/cairn/*.h)
version=$major.$minor

check a_static_library_installs install_static
check a_build_may_lie_below_a_blank build_below_a_blank
check uninstalling_removes_what_was_installed uninstalling_removes_what_was_installed
check links_of_installed_pages_lead_somewhere links_of_pages_lead_somewhere
check an_installed_static_library_serves_find_package use_by_cmake static
check a_package_is_found_by_its_minor_version_alone is_found_by_its_minor_version_alone
check an_installed_static_program_runs program_runs static
if command -v readelf >/dev/null; then
    check a_static_program_searches_no_path_for_libraries static_program_has_no_path
else
    skip a_static_program_searches_no_path_for_libraries "readelf is not installed"
fi
check the_examples_are_a_project_of_their_own examples_by_cmake
check tables_are_built_by_make tables_by_cmake "Unix Makefiles"
if command -v ninja >/dev/null; then
    check tables_are_built_by_ninja tables_by_cmake Ninja
else
    skip tables_are_built_by_ninja "ninja is not installed"
fi
check a_shared_library_installs install_shared
lib=$(dirname "$(find "$work/shared/moved" -name libcairn.so)")
check an_installed_shared_library_serves_find_package use_by_cmake shared
check a_shared_library_is_named_by_its_minor_version shared_name_is_that_of_the_minor_version
check an_installed_shared_program_runs_from_its_prefix program_runs shared
check a_subproject_changes_nothing_of_its_parent nothing_of_the_parent_changes
check a_subproject_is_optimised_unless_its_parent_says_how a_subproject_is_optimised
check fetched_sources_serve_and_install_nothing fetched_sources_serve
check fetched_sources_are_the_library_alone fetched_sources_are_the_library_alone
check two_files_serve_c two_files_serve cc "" cc -std=c11
if command -v c++ >/dev/null; then
    # shellcheck disable=SC2086
    check two_files_have_a_header_for_cpp two_files_have_a_header_for_cpp c++ $strict
else
    skip two_files_have_a_header_for_cpp "there is no C++ compiler"
fi
if command -v clang >/dev/null && command -v clang++ >/dev/null; then
    check two_files_without_assertions_serve_cpp_on_any_processor \
        two_files_serve clang "-DCAIRN_NO_X86 -DNDEBUG" clang++ -x c++ -std=c++11
    check two_files_do_not_depend_on_the_compiler two_files_are_the_same
    check files_do_not_depend_on_the_compiler files_are_the_same
    # Debian: libc6-dev-arm64-cross.
    arm64_headers=${ARM64_HEADERS:-/usr/aarch64-linux-gnu/include}
    if [ -d "$arm64_headers" ]; then
        check two_files_compile_for_arm64 two_files_compile_for_arm64
    else
        skip two_files_compile_for_arm64 "needs $arm64_headers"
    fi
    # Debian: mingw-w64-common.
    windows_headers=${WINDOWS_HEADERS:-/usr/share/mingw-w64/include}
    zlib_headers=$(dirname "$(echo '#include <zlib.h>' | clang -E - 2>/dev/null |
        sed -n 's/^# 1 "\(.*zlib.h\)".*/\1/p' | head -n 1)")
    if [ -d "$windows_headers" ] && [ -f "$zlib_headers/zconf.h" ]; then
        check two_files_compile_for_msvc two_files_compile_for_msvc
    else
        skip two_files_compile_for_msvc "needs $windows_headers and zlib"
    fi
else
    skip two_files_without_assertions_serve_cpp_on_any_processor "clang is not installed"
fi
for compiler in g++ clang++; do
    if command -v $compiler >/dev/null; then
        check "the_headers_are_clean_in_$compiler" headers_are_clean $compiler
    else
        skip "the_headers_are_clean_in_$compiler" "$compiler is not installed"
    fi
done
if command -v python3 >/dev/null; then
    export CAIRN_LIBRARY="$lib/libcairn.so" PYTHONDONTWRITEBYTECODE=1
    check no_python_program_brings_the_interpreter_down \
        python3 "$root/tests/python/storm.py" 20000
    check the_tour_of_python_ends python_tour
    if [ -n "$(python_for_packages)" ]; then
        check the_python_package_installs_without_a_network python_package_installs
        check the_installed_python_package_serves python_package_serves
        check an_editable_python_package_serves python_package_is_editable
    else
        check an_installed_shared_library_serves_python python3 "$root/tests/python/run.py"
        skip the_python_package_installs_without_a_network "setuptools, wheel or venv is not there"
    fi
else
    skip an_installed_shared_library_serves_python "python3 is not installed"
fi
if command -v pkg-config >/dev/null; then
    check an_installed_static_library_serves_pkg_config use_by_pkg_config static --static user.c cc
    check an_archive_alone_needs_no_word_for_pkg_config use_by_pkg_config static "" user.c cc
    check an_installed_shared_library_serves_pkg_config use_by_pkg_config shared "" user.c cc
    if command -v c++ >/dev/null; then
        # shellcheck disable=SC2086
        check an_installed_library_serves_cpp use_by_pkg_config static --static user.cpp c++ $strict
    else
        skip an_installed_library_serves_cpp "there is no C++ compiler"
    fi
else
    skip an_installed_library_serves_pkg_config "pkg-config is not installed"
fi
finish
