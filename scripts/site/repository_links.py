"""Which page of the site a file of the repository is on.

Pages of docs/ link to files beside docs/, such as examples/tori.yaml, so that the links work where the repository is
browsed. In the site an example is a page of the gallery, another page of Markdown is a page below source/, and any other
file is a page that shows it.
"""

import posixpath
import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
LINK = re.compile(r"(\]\()([^)\s]+)(\))")
FENCE = re.compile(r"^ {0,3}(```|~~~)")


def page_of(path):
    """The page, relative to the site's sources, of a path relative to the repository."""
    parts = path.split("/")
    if parts[0] == "docs":
        return "/".join(parts[1:])
    if path == "examples":
        return "gallery/index.md"
    if len(parts) == 2 and parts[0] == "examples" and path.endswith(".yaml"):
        return "gallery/" + parts[1].removesuffix(".yaml") + ".md"
    if (ROOT / path).is_dir():
        return f"source/{path}/README.md"
    return f"source/{path}" if path.endswith(".md") else f"source/{path}.md"


def targets(markdown, folder):
    """Paths, relative to the repository, to which a page of that folder links."""
    found = []

    def note(link):
        target = resolve(link, folder)
        if target:
            found.append(target[0])
        return link

    map_links(markdown, note)
    return found


def resolve(link, folder):
    """Path in the repository and anchor of a link; None for one that leads elsewhere or within its page."""
    path, mark, anchor = link.partition("#")
    if not path or "://" in path or path.startswith(("mailto:", "/")):
        return None
    return posixpath.normpath(posixpath.join(folder, path)), mark + anchor


def rewrite(markdown, folder, page):
    """The page with links that lead to pages of the site; folder is where the page lies in the repository."""
    here = posixpath.dirname(page)

    def to_page(link):
        target = resolve(link, folder)
        if not target:
            return link
        path, anchor = target
        return posixpath.relpath(page_of(path), here or ".") + anchor

    return map_links(markdown, to_page)


def map_links(markdown, change):
    """The text with its links changed; what looks like a link within code stays as it is."""
    out, paragraph, fenced = [], [], False

    def change_links(text):
        return LINK.sub(lambda m: m[1] + change(m[2]) + m[3], text)

    def end_paragraph():
        if paragraph:
            out.append(outside_code("\n".join(paragraph), change_links))
            paragraph.clear()

    for line in markdown.split("\n"):
        fence = FENCE.match(line)
        if fence or fenced or not line:
            end_paragraph()
            out.append(line)
            fenced ^= bool(fence)
        else:
            paragraph.append(line)
    end_paragraph()
    return "\n".join(out)


def outside_code(text, change):
    """A link may have code as its text, so only a code that holds a whole link is left alone."""
    out, at = "", 0
    for code in re.finditer(r"`[^`]*`", text):
        if LINK.search(code[0]):
            out += change(text[at : code.start()]) + code[0]
            at = code.end()
    return out + change(text[at:])
