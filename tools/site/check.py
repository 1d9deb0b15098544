"""Checks a built site: python3 tools/site/check.py FOLDER

Every link leads to a file of the site and an anchor that is there, a link leads to every page, and
no page fetches anything from elsewhere. Prints what does not hold; status 1 then.
"""
import os
import sys
from html.parser import HTMLParser
from urllib.parse import unquote, urldefrag

FETCHED = {("script", "src"), ("img", "src"), ("iframe", "src"), ("link", "href"),
           ("source", "src")}
NO_FETCH = {"canonical", "prev", "next", "author", "license"}


class Page(HTMLParser):
    def __init__(self, path):
        super().__init__()
        self.links, self.fetches, self.anchors = [], [], {""}
        with open(path, encoding="utf-8") as file:
            self.feed(file.read())

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        self.anchors.update(attributes.get(key) for key in ("id", "name"))
        for key in ("href", "src"):
            target = attributes.get(key)
            if not target or attributes.get("rel") in NO_FETCH:
                continue
            (self.fetches if (tag, key) in FETCHED else self.links).append(target)


def is_elsewhere(target):
    return target.startswith(("http:", "https:", "//", "mailto:"))


def check(folder):
    pages = {}
    for base, _, files in os.walk(folder):
        for name in files:
            if name.endswith(".html") and name != "404.html":
                path = os.path.join(base, name)
                pages[os.path.relpath(path, folder)] = Page(path)
    reached = {"index.html"}
    for name, page in sorted(pages.items()):
        for target in page.fetches:
            if is_elsewhere(target):
                yield "%s fetches %s" % (name, target)
        for target in page.links + page.fetches:
            if is_elsewhere(target) or target.startswith(("data:", "blob:", "javascript:")):
                continue
            path, anchor = urldefrag(target)
            path = os.path.normpath(os.path.join(os.path.dirname(name), unquote(path))) \
                if path else name
            if os.path.isdir(os.path.join(folder, path)):
                path = os.path.normpath(os.path.join(path, "index.html"))
            reached.add(path)
            if not os.path.exists(os.path.join(folder, path)):
                yield "%s: there is no %s" % (name, target)
            elif path in pages and unquote(anchor) not in pages[path].anchors:
                yield "%s: there is no %s in %s" % (name, anchor, path)
    for name in sorted(set(pages) - reached):
        yield "nothing leads to %s" % name


if __name__ == "__main__":
    problems = list(check(sys.argv[1]))
    print("\n".join(problems) or "every link leads somewhere")
    sys.exit(1 if problems else 0)
