# Installs what a script needs and the machine lacks. To be sourced by a POSIX shell:
#
#     . tools/kit/install.sh
#     need_packages cc make cmake zlib || exit 1
#
# Knows: cc make cmake pkg-config zlib png cmocka clang, and web: clang for WebAssembly with a C
# library. Looks for each first and touches the system only for what is missing: through apt-get,
# dnf or brew, with sudo where it is needed and there. Before it installs it says what is missing,
# which packages it takes and which commands it runs; on a terminal it then waits for some seconds.
# Where it may not install, or CAIRN_INSTALL=no says that it shall not, it prints the commands and
# returns 1.

# Whether a C program with the given include lines compiles and links with the given options.
can_compile() {
    probe_dir=$(mktemp -d "${TMPDIR:-/tmp}/cairn-probe.XXXXXX") || return 1
    probe_headers=$1
    shift
    {
        printf '%b' "$probe_headers"
        echo 'int main(void) { return 0; }'
    } >"$probe_dir/probe.c"
    ${CC:-cc} "$probe_dir/probe.c" -o "$probe_dir/probe" "$@" >/dev/null 2>&1
    probe_result=$?
    rm -rf "$probe_dir"
    return $probe_result
}

# Compiler options of a pkg-config package; none when pkg-config does not know it.
package_options() {
    pkg-config --cflags --libs "$1" 2>/dev/null
}

has_package() {
    case $1 in
    cc) can_compile '#include <stdio.h>\n' ;;
    make) command -v ninja >/dev/null 2>&1 || command -v make >/dev/null 2>&1 ;;
    cmake | clang) command -v "$1" >/dev/null 2>&1 ;;
    pkg-config) command -v pkg-config >/dev/null 2>&1 || command -v pkgconf >/dev/null 2>&1 ;;
    # shellcheck disable=SC2046
    zlib) can_compile '#include <zlib.h>\n' $(package_options zlib) -lz ;;
    # shellcheck disable=SC2046
    png) can_compile '#include <png.h>\n' $(package_options libpng) -lpng ;;
    cmocka)
        before='#include <stdarg.h>\n#include <stddef.h>\n#include <setjmp.h>\n'
        # shellcheck disable=SC2046
        can_compile "$before#include <stdint.h>\n#include <cmocka.h>\n" \
            $(package_options cmocka) -lcmocka
        ;;
    web)
        CC=clang can_compile '#include <stdlib.h>\n#include <wasi/api.h>\n' --target=wasm32-wasi \
            -isystem "${WASI_HEADERS:-/usr/include/wasm32-wasi}"
        ;;
    *)
        echo "install.sh: no such package: $1" >&2
        return 1
        ;;
    esac
}

# The name that a package manager has for a package; nothing when the system brings it along.
package_name() {
    case $1:$2 in
    apt-get:cc) echo gcc libc6-dev ;;
    apt-get:zlib) echo zlib1g-dev ;;
    apt-get:png) echo libpng-dev ;;
    apt-get:cmocka) echo libcmocka-dev ;;
    apt-get:web) echo clang lld wasi-libc libclang-rt-dev-wasm32 ;;
    dnf:cc) echo gcc glibc-devel ;;
    dnf:zlib) echo zlib-devel ;;
    dnf:png) echo libpng-devel ;;
    dnf:cmocka) echo libcmocka-devel ;;
    dnf:pkg-config) echo pkgconf-pkg-config ;;
    brew:cc | brew:make | brew:clang | brew:web | dnf:web) ;;
    brew:png) echo libpng ;;
    *) echo "$2" ;;
    esac
}

# The commands that install packages through a manager, one to a line.
installation() {
    manager=$1
    shift
    as_root=
    [ "$manager" = brew ] || [ "$(id -u)" -eq 0 ] || as_root='sudo '
    case $manager in
    apt-get)
        echo "${as_root}apt-get -q update"
        echo "${as_root}env DEBIAN_FRONTEND=noninteractive" \
            "apt-get -q install -y --no-install-recommends $*"
        ;;
    dnf) echo "${as_root}dnf -q install -y $*" ;;
    brew) echo "brew install -q $*" ;;
    esac
}

# Time to read what will be run, for who sits there and may want to stop it.
wait_for_objections() {
    [ -t 0 ] && [ -t 2 ] || return 0
    echo "Ctrl-C stops it; it begins in 5 seconds." >&2
    sleep 5
}

# Says what will be installed and by which commands, then runs them; where it may not, it only says
# them.
install_packages() {
    commands=$(installation "$@")
    manager=$1
    shift
    echo "To be installed by $manager: $*" >&2
    if [ "${CAIRN_INSTALL:-yes}" = no ]; then
        echo "Nothing is installed, as CAIRN_INSTALL=no says. Please run, then try again:" >&2
    elif [ "${commands#sudo }" != "$commands" ] && ! command -v sudo >/dev/null 2>&1; then
        echo "Not root, and no sudo here. Please have these commands run, then try again:" >&2
        commands=$(echo "$commands" | sed 's/^sudo //')
    else
        echo "These commands will run (CAIRN_INSTALL=no keeps them from it):" >&2
        echo "$commands" | sed 's/^/    /' >&2
        wait_for_objections
        # shellcheck disable=SC2086
        echo "$commands" | while read -r command; do
            echo "+ $command" >&2
            $command >&2 </dev/null
        done
        return
    fi
    echo "$commands" | sed 's/^/    /' >&2
    return 1
}

package_manager() {
    for candidate in apt-get dnf brew; do
        if command -v $candidate >/dev/null 2>&1; then
            echo $candidate
            return 0
        fi
    done
    return 1
}

# Makes sure that every named package is there. 0 when it is, 1 when one is not.
need_packages() {
    missing=
    for package in "$@"; do
        has_package "$package" || missing="$missing $package"
    done
    [ -z "$missing" ] && return 0

    echo "Missing here:$missing" >&2
    if ! manager=$(package_manager); then
        echo "No apt-get, dnf or brew found: please install these by hand, then try again." >&2
        return 1
    fi
    names=
    for package in $missing; do
        names="$names $(package_name "$manager" "$package")"
    done
    case $names in
    # shellcheck disable=SC2086
    *[!\ ]*) install_packages "$manager" $names || return 1 ;;
    esac

    for package in $missing; do
        if ! has_package "$package"; then
            echo "Still missing after the installation: $package" >&2
            return 1
        fi
    done
    return 0
}
