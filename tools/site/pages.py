"""Makes the pages of the documentation site, for MkDocs: python3 tools/site/pages.py ROOT FOLDER

The documents keep their places below FOLDER, so that their links hold. What they link to and is no
page, such as an example, becomes a page that shows it. Each public header becomes a page with a
section for every declaration and its comment, in which the names of other declarations are links.
"""
import os
import re
import shutil
import sys

DOCUMENTS = ["README.md", "CONTRIBUTING.md", "CHANGELOG.md", "data/MANIFEST.md", "tests/README.md",
             "bindings/npm/README.md", "bindings/csharp/README.md", "bindings/lua/README.md",
             "bindings/rust/README.md"]
COPIED = (".png", ".svg", ".gz")  # pictures, and what is no text
LANGUAGES = {".c": "c", ".h": "c", ".hpp": "c++", ".cpp": "c++", ".py": "python", ".sh": "sh",
             ".mjs": "js", ".cs": "csharp", ".lua": "lua", ".rs": "rust", ".json": "json",
             ".txt": "cmake", ".cmake": "cmake"}
HEADERS = "lib/include/cairn"


def read(root, path):
    with open(os.path.join(root, path), encoding="utf-8") as file:
        return file.read()


class Site:
    def __init__(self, root, folder):
        self.root, self.folder = root, folder
        self.pages = set()      # paths below the folder
        self.waiting = []       # files and folders of the project that pages link to
        self.names = {}         # declarations: the page and the anchor

    def write(self, page, text):
        path = os.path.join(self.folder, page)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        self.pages.add(page)

    def page_of(self, target):
        """The page that shows a file or folder of the project; None for what is copied."""
        full = os.path.join(self.root, target)
        if os.path.isdir(full):
            own = os.path.exists(os.path.join(full, "README.md"))
            return os.path.join(target, "README.md" if own else "index.md")
        if target.endswith((".md",) + COPIED):
            return target
        return target + ".md"

    def link(self, page, target):
        """A link of a document, as it is from its page."""
        if re.match(r"[a-z]+:|#", target):
            return target
        path, _, anchor = target.partition("#")
        wanted = os.path.normpath(os.path.join(os.path.dirname(page), path))
        shown = self.page_of(wanted)
        if shown not in self.pages:
            self.waiting.append(wanted)
        relative = os.path.relpath(shown, os.path.dirname(page) or ".")
        return relative + ("#" + anchor if anchor else "")

    def document(self, path):
        text = read(self.root, path)
        parts = re.split(r"(^```.*?^```\n|`[^`\n]+`)", text, flags=re.M | re.S)
        for i in range(0, len(parts), 2):
            parts[i] = re.sub(r"\]\(([^)\s]+)\)",
                              lambda found: "](%s)" % self.link(path, found.group(1)), parts[i])
        self.write(path, "".join(parts))

    def show(self, path):
        """A page with the text of a file."""
        language = LANGUAGES.get(os.path.splitext(path)[1], "text")
        self.write(self.page_of(path), "# %s\n\n`````%s\n%s\n`````\n" % (
            os.path.basename(path), language, read(self.root, path).rstrip("\n")))

    def list_folder(self, folder):
        """A page that names the files of a folder; documents by their titles."""
        lines = []
        for base, folders, files in os.walk(os.path.join(self.root, folder)):
            folders.sort()
            for name in sorted(files):
                path = os.path.relpath(os.path.join(base, name), self.root)
                relative = os.path.relpath(self.page_of(path), folder)
                lines.append("- [%s](%s)" % (self.title(path, folder), relative))
                self.waiting.append(path)
        self.write(os.path.join(folder, "index.md"),
                   "# %s\n\n%s\n" % (folder, "\n".join(lines)))

    def title(self, path, folder):
        if path.endswith(".md"):
            return read(self.root, path).split("\n", 1)[0].lstrip("# ")
        return os.path.relpath(path, folder)

    def add(self, target):
        shown = self.page_of(target)
        if shown in self.pages:
            return
        if shown.endswith("/README.md") or target.endswith(".md"):
            self.document(shown)
        elif os.path.isdir(os.path.join(self.root, target)):
            self.list_folder(target)
        elif target.endswith(COPIED):
            os.makedirs(os.path.join(self.folder, os.path.dirname(target)), exist_ok=True)
            shutil.copy(os.path.join(self.root, target), os.path.join(self.folder, target))
            self.pages.add(target)
        else:
            self.show(target)

    def add_waiting(self):
        while self.waiting:
            self.add(self.waiting.pop())

    def pages_of(self, folder):
        """The documents of a folder, without the page that lists them."""
        return sorted(page for page in self.pages if os.path.dirname(page) == folder
                      and not page.endswith("index.md"))

    # ---- headers ----

    def take_headers(self):
        overview = read(self.root, HEADERS + "/cairn.h")
        topics = re.findall(r'^#include "cairn/(\w+\.h)"', overview, flags=re.M)
        headers = [Header(read(self.root, HEADERS + "/" + name), HEADERS + "/" + name + ".md")
                   for name in ["cairn.h"] + topics]
        for header in headers:
            for section in header.sections:
                for name in section.names + (section.members if section.names else []):
                    anchor = name if name in section.names else section.names[0]
                    self.names.setdefault(name, (header.page, anchor))
        for header in headers:
            self.write(header.page, header.text(self.names))
        return [header.page for header in headers]


def declared_names(code):
    """What a piece of a header declares, in its order."""
    found = re.findall(r"^CAIRN_API [^;]*?\b(cairn_\w+)\(|^#define (CAIRN_\w+)|^\} (cairn_\w+);"
                       r"|^typedef [^{;]*?\b(cairn_\w+);|^static inline [^(]*?\b(cairn_\w+)\(",
                       code, flags=re.M)
    return [name for names in found for name in names if name]


class Section:
    def __init__(self, comment, code):
        self.comment, self.names = comment, declared_names(code)
        self.members = re.findall(r"^ +(CAIRN_\w+)(?:,| |$)", code, flags=re.M)
        if code.startswith("CAIRN_API "):
            code = re.sub("^ {10}(?= )", "", code, flags=re.M)
        self.code = re.sub("CAIRN_(API|NODISCARD) ", "", code)


class Header:
    def __init__(self, text, page):
        self.page = page
        body = re.sub(r'^#\s*(if|ifdef|ifndef|else|elif|endif|include)\b[^\n]*\n', "", text,
                      flags=re.M)
        body = re.sub(r"^extern \"C\" \{\n|^\}\n|^#define CAIRN_\w+_H\n|^#  .*\n", "", body,
                      flags=re.M)
        found = [(self.prose(comment), code) for comment, code in self.blocks(body)]
        self.intro = found[0][0]
        self.sections = [Section(comment, code) for comment, code in found if code]

    @staticmethod
    def blocks(body):
        """Comments at the margin, each with the declarations below it up to an empty line that no
        brace encloses."""
        comment, code, is_comment, depth = [], [], False, 0
        for line in body.split("\n") + [""]:
            if not code and not is_comment and line.startswith("/*"):
                comment, is_comment = [], True
            if is_comment:
                comment.append(line)
                is_comment = not line.endswith("*/")
                continue
            depth += line.count("{") - line.count("}")
            if line.strip() or depth:
                code.append(line)
            elif code or comment:
                yield "\n".join(comment), "\n".join(code)
                comment, code = [], []

    @staticmethod
    def prose(comment):
        text = re.sub(r"^/\* ?| ?\*/$", "", comment.strip())
        return re.sub(r"^ \* ?", "", text, flags=re.M).strip("\n")

    def text(self, names):
        name = os.path.basename(self.page)[:-3]
        lines = ["# cairn/" + name, "", markdown(self.intro, self.page, names), ""]
        for section in self.sections:
            heading = ", ".join(section.names) or "Types"
            anchors = "".join('<span id="%s"></span>' % each for each in section.names)
            lines += ["## " + heading, "", anchors, "",
                      "```c", section.code, "```", "",
                      markdown(section.comment, self.page, names), ""]
        return "\n".join(lines)


def markdown(prose, page, names):
    """A comment as Markdown: indented lines as they are, declared names as links."""
    lines = []
    for line in prose.split("\n"):
        if line.startswith(" "):
            if lines and lines[-1] and not lines[-1].startswith("    "):
                lines.append("")
            lines.append("    " + line)
        else:
            lines.append(with_links(line, page, names) if line else "")
    return "\n".join(lines)


def with_links(line, page, names):
    parts = re.split(r"(`[^`]*`|\bcairn_\w+|\bCAIRN_\w+)", line)
    for i, part in enumerate(parts):
        if part in names:
            target = os.path.relpath(names[part][0], os.path.dirname(page))
            parts[i] = "[`%s`](%s#%s)" % (part, target, names[part][1])
        elif i % 2 == 0:
            parts[i] = re.sub(r"([\\*_\[\]<>|#])", r"\\\1", part)
        elif not part.startswith("`"):
            parts[i] = "`%s`" % part
    return "".join(parts)


def navigation(title, pages, indent="  "):
    return "".join(["%s- %s:\n" % (indent, title)] +
                   ["%s    - %s\n" % (indent, page) for page in pages])


def main(root, folder):
    site = Site(root, folder)
    for path in DOCUMENTS:
        site.add(path)
    headers = site.take_headers()
    site.add("examples")
    site.add_waiting()
    decisions = site.pages_of("docs/decisions")
    examples = sorted(page for page in site.pages if re.match(r"examples/\w+\.c(pp)?\.md$", page))
    with open(os.path.join(root, "tools/site/mkdocs.yml"), encoding="utf-8") as file:
        settings = file.read()
    settings = settings.replace("  # headers\n", navigation("Reference", headers))
    settings = settings.replace("  # examples\n",
                                navigation("Examples", ["examples/index.md"] + examples))
    settings = settings.replace("      # measurements\n", "".join(
        "      - %s\n" % page for page in site.pages_of("docs/benchmarks")))
    settings = settings.replace("      # decisions\n", navigation("Decisions", decisions, "      "))
    with open(os.path.join(folder, "..", "mkdocs.yml"), "w", encoding="utf-8") as file:
        file.write(settings)


if __name__ == "__main__":
    main(*sys.argv[1:])
