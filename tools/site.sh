#!/bin/sh
# Builds the documentation site: the documents, the examples, the comments of the headers and the demo,
# with a search.
#
#     sh tools/site.sh [FOLDER]      FOLDER/html; build/site without one
#     python3 -m http.server -d build/site/html      shows it; pages open from files as well, but a
#                                                    browser lets search work on a server alone
#
# Needs MkDocs with the theme Material, python3, and what the demo needs (tools/web/build.sh), all of
# which Debian has. The pages fetch nothing from elsewhere, which is checked, and so are all links.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
mkdir -p "${1:-$root/build/site}"
folder=$(cd "${1:-$root/build/site}" && pwd)
command -v mkdocs >/dev/null && [ -d /usr/share/mkdocs/themes/material ] || {
    echo "site.sh: needs Debian's mkdocs and mkdocs-material" >&2
    exit 3
}
rm -rf "$folder/pages" "$folder/html"
mkdir -p "$folder/pages/demo"
DOCUMENTS=../index.html sh "$root/tools/web/build.sh" "$folder/demo"
cp "$folder/demo/cairn.html" "$folder/pages/demo/cairn.html"
cp "$root/tools/site/site.css" "$folder/pages/site.css"
python3 "$root/tools/site/pages.py" "$root" "$folder/pages"
# What is not in the navigation is reached by links, and the checks see to that.
mkdocs build --quiet --config-file "$folder/mkdocs.yml"
python3 "$root/tools/site/check.py" "$folder/html"
echo "$folder/html/index.html"
