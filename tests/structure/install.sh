#!/bin/sh
# What the scripts that install packages say before they do. A package manager that only writes down
# how it was called stands in for the real one.

here=$(cd "$(dirname "$0")" && pwd)
. "$here/../support/report.sh"
cd "$here/../.." || exit 1

work=$(mktemp -d "${TMPDIR:-/tmp}/cairn-install.XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT
mkdir "$work/bin"
cat >"$work/bin/apt-get" <<'END'
#!/bin/sh
echo "apt-get runs: $*" >&2
touch "$WORK/installed"
END
printf '#!/bin/sh\necho "${FAKE_USER:-0}"\n' >"$work/bin/id"
printf '#!/bin/sh\nexec "$@"\n' >"$work/bin/sudo"
chmod +x "$work/bin/apt-get" "$work/bin/id" "$work/bin/sudo"

# Asks for two packages of which one is missing until apt-get has run. Everything it says, then its
# status.
ask() {
    rm -f "$work/installed"
    env -u CAIRN_INSTALL WORK="$work" PATH="$work/bin:$PATH" "$@" sh -c '
        . tools/kit/install.sh
        has_package() { [ "$1" = cc ] || [ -f "$WORK/installed" ]; }
        need_packages cc cmocka' </dev/null 2>&1
    echo "status $?"
}

is_said() {
    if [ "$2" = "$3" ]; then
        pass "$1"
    else
        fail "$1" "expected:
$3
said:
$2"
    fi
}

begin install

update='apt-get -q update'
install='env DEBIAN_FRONTEND=noninteractive apt-get -q install -y --no-install-recommends libcmocka-dev'
is_said "packages_are_named_before_they_are_installed" "$(ask env)" "Missing here: cmocka
To be installed by apt-get: libcmocka-dev
These commands will run (CAIRN_INSTALL=no keeps them from it):
    $update
    $install
+ $update
apt-get runs: -q update
+ $install
apt-get runs: -q install -y --no-install-recommends libcmocka-dev
status 0"

is_said "nothing_is_installed_where_it_is_forbidden" "$(ask CAIRN_INSTALL=no)" "Missing here: cmocka
To be installed by apt-get: libcmocka-dev
Nothing is installed, as CAIRN_INSTALL=no says. Please run, then try again:
    $update
    $install
status 1"

is_said "users_install_through_sudo" "$(ask FAKE_USER=1000 | grep '^    ')" "    sudo $update
    sudo $install"

finish
