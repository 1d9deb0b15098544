#!/bin/sh
# Writes the whole library as two files, cairn.c and cairn.h, for projects that would rather take two
# files along than a folder, and beside them cairn.hpp for C++.
#
#     sh tools/amalgamate.sh [FOLDER]       (build/amalgamation without one)
#
# Compile cairn.c as C11 or later, and link zlib and threads: cc -O2 -DNDEBUG -c cairn.c. With
# -DCAIRN_WITH_LIBDEFLATE it uses libdeflate too. The result serves every system that the library
# serves; to make it, a C compiler is wanted ($CC, or cc). Status 2: wrong usage, 3: it cannot be made.

case ${1:-} in
-*)
    sed -n '2,10s/^# \{0,1\}//p' "$0"
    case $1 in -h | --help) exit 0 ;; esac
    exit 2
    ;;
esac
[ $# -le 1 ] || { echo "usage: sh tools/amalgamate.sh [FOLDER]" >&2 && exit 2; }
root=$(cd "$(dirname "$0")/.." && pwd) || exit 3
folder=${1:-$root/build/amalgamation}
work=$(mktemp -d "${TMPDIR:-/tmp}/cairn-amalgamation.XXXXXX") || exit 3
trap 'rm -rf "$work"' EXIT

give_up() {
    echo "amalgamate.sh: $1" >&2
    exit 3
}

# What both files begin with: what they are and the licence.
write_banner() {
    version=$(sed -n 's/^#define CAIRN_VERSION_[A-Z]* //p' "$root/lib/include/cairn/base.h" |
        paste -s -d . -)
    echo "/* Cairn $version: $1"
    echo " *"
    sed 's/^/ * /; s/ *$//' "$root/LICENSE"
    echo " */"
}

# HEADER: with those that it includes in their places, in their order; cairn.h stays another file.
copy_header() {
    awk -v include="$root/lib/include/" -v header="$1" '
        function copy(path,    line, part) {
            while ((getline line < path) > 0) {
                if (line !~ /^#include "cairn\//) {
                    print line
                    continue
                }
                if (line ~ /"cairn\/cairn.h"/) {
                    if (!is_named++)
                        print "#include \"cairn.h\""
                    continue
                }
                split(line, part, "\"")
                if (!(part[2] in copied)) {
                    copied[part[2]] = 1
                    copy(include part[2])
                }
            }
            close(path)
        }
        BEGIN { copy(include header) }'
}

write_header() {
    write_banner "the public interface, made of the headers of lib/include/cairn."
    copy_header cairn/cairn.h
}

write_cpp_header() {
    write_banner "the same for C++, made of cairn.hpp and the headers of lib/include/cairn/cpp."
    copy_header cairn/cairn.hpp
}

# The room system comes last: it alone includes the header of Windows, which takes many names.
write_source() {
    write_banner "the library, made of the files of lib/src. Link zlib and threads."
    echo '#ifdef __linux__'
    echo '#  ifndef _GNU_SOURCE'
    echo '#    define _GNU_SOURCE'
    echo '#  endif'
    echo '#endif'
    echo '#ifndef _FILE_OFFSET_BITS'
    echo '#  define _FILE_OFFSET_BITS 64'
    echo '#endif'
    echo '#ifdef __clang__'
    echo '#  pragma clang diagnostic ignored "-Wunused-function"  /* of what headers define */'
    echo '#endif'
    echo '#include "cairn.h"'
    # shellcheck disable=SC2046
    (cd "$root/lib/src" && awk -v root="$root" -f "$root/tools/kit/amalgamate.awk" \
        -v cpp="${CC:-cc} -E -I'$root/lib/src' -I'$root/lib/include'" $(printf '%s\n' */*.c | grep -v '^system/' | sort) system/*.c)
}

write_header >"$work/cairn.h" && write_cpp_header >"$work/cairn.hpp" &&
    write_source >"$work/cairn.c" ||
    give_up "the sources of $root cannot be read"
${CC:-cc} -fsyntax-only "$work/cairn.c" || give_up "the result does not compile"
mkdir -p "$folder" && cp "$work/cairn.h" "$work/cairn.hpp" "$work/cairn.c" "$folder" ||
    give_up "$folder cannot be written"
echo "$folder/cairn.h and $folder/cairn.c, and cairn.hpp for C++"
