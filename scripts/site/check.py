"""Checks of the built site; each prints what is wrong, and the last line says how many checks passed and failed.

usage: check.py SITE ORRERY
"""

import json
import re
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

sys.path.insert(0, str(Path(__file__).resolve().parent))
import commands  # noqa: E402
import repository_links as repository  # noqa: E402

# Attributes by which a page loads something while it is shown; of <link>, only these relations are loaded.
LOADED = {"script": "src", "img": "src", "iframe": "src", "source": "src", "video": "src", "audio": "src", "embed": "src",
          "object": "data", "link": "href"}
LOADED_RELATIONS = {"stylesheet", "icon", "preload", "modulepreload", "prefetch", "preconnect", "manifest"}


class Page(HTMLParser):
    """Links, anchors, what is loaded, and texts of <code> of a page."""

    def __init__(self, path):
        super().__init__()
        self.path, self.links, self.ids, self.loads, self.codes = path, [], set(), [], []
        self.code = None
        self.feed(path.read_text())

    def handle_starttag(self, tag, pairs):
        given = dict(pairs)
        self.ids |= {given[name] for name in ("id", "name") if given.get(name)}
        if tag == "a" and given.get("href"):
            self.links.append(given["href"])
        target = given.get(LOADED.get(tag, ""))
        if target and (tag != "link" or LOADED_RELATIONS & set((given.get("rel") or "").split())):
            self.loads.append(target)
        if tag == "code":
            self.code = ""

    def handle_endtag(self, tag):
        if tag == "code" and self.code is not None:
            self.codes.append(self.code)
            self.code = None

    def handle_data(self, data):
        if self.code is not None:
            self.code += data


def check_links(site, pages):
    """Links, and what is loaded, lead to files and anchors that are there."""
    for page in pages.values():
        for link in page.links + page.loads:
            parts = urlsplit(link)
            if parts.scheme or parts.netloc:
                continue
            target = (page.path.parent / unquote(parts.path)).resolve() if parts.path else page.path
            if not target.is_file():
                yield f"{page.path.relative_to(site)}: {link} leads to no file"
            elif parts.fragment and target in pages and unquote(parts.fragment) not in pages[target].ids:
                yield f"{page.path.relative_to(site)}: {link} leads to no anchor"


def check_loads(site, pages):
    """Nothing is loaded from a network: no script, style, font or picture."""
    for page in pages.values():
        for target in page.loads:
            if urlsplit(target).netloc:
                yield f"{page.path.relative_to(site)}: loads {target}"
    for style in site.rglob("*.css"):
        for target in re.findall(r"(?:url\(|@import\s+)[\"']?((?:https?:)?//[^\"')\s]+)", style.read_text()):
            yield f"{style.relative_to(site)}: loads {target}"


def check_search(site, pages):
    """The index for searching offline has every page that is not left out of it on purpose."""
    script = (site / "search/search_index.js").read_text()
    if not script.startswith("var __index = "):
        yield "search/search_index.js does not define the index"
        return
    entries = json.loads(script.removeprefix("var __index = "))["docs"]
    found = {entry["location"].split("#")[0] for entry in entries if entry["text"]}
    for path in pages:
        name = path.relative_to(site).as_posix()
        listing = name.startswith("source/") and not name.endswith("README.html") and not name.endswith("index.html")
        if not name.endswith("-report.html") and not listing and name not in found:
            yield f"{name} is not in the search index"


def commands_on(page):
    for code in page.codes:
        for line in code.replace("\\\n", " ").split("\n"):
            words = re.split(r"\s[|>#]", line.strip().removeprefix("$ "))[0].split()
            if len(words) < 2 or words[0] not in ("orrery", "build/release/orrery"):
                continue
            if words[1] not in ("help", "and", "--version", "--help"):
                # Flags without a command are those of ASTRA-sim, which `orrery run` takes.
                yield (["run"] if words[1].startswith("--") else []) + words[1:]


def check_commands(site, pages, orrery):
    """Commands of all pages are known, and so are their flags and the examples that they name."""
    helps = commands.all_commands(orrery)
    known = {" ".join(words): set(re.findall(r"--[a-z0-9_-]+", text)) for words, text in helps}
    seen = 0
    for page in pages.values():
        if page.path.name.endswith("-report.html"):
            continue
        for words in commands_on(page):
            place = f"{page.path.relative_to(site)}: orrery {' '.join(words)}"
            name = next((name for name in (" ".join(words[:2]), words[0]) if name in known), None)
            if name is None:
                if words[0].islower():  # COMMAND stands for any
                    yield f"{place}: no such command"
                continue
            seen += 1
            for word in words[1:]:
                flag = word.split("=")[0]
                if flag.startswith("--") and not any(one.startswith(flag) for one in known[name] | {"--help"}):
                    yield f"{place}: no flag {flag}"
                example = re.match(r"(?:.*=)?(examples/[\w./-]+\.\w+)$", word)
                if example and not (repository.ROOT / example[1]).exists():
                    yield f"{place}: {example[1]} is not there"
    if seen < 100:
        yield f"only {seen} commands were found on all pages"


def main():
    site, orrery = Path(sys.argv[1]).resolve(), Path(sys.argv[2]).resolve()
    pages = {path: Page(path) for path in sorted(site.rglob("*.html"))}
    failed = 0
    checks = {
        "links lead to files and anchors": check_links(site, pages),
        "nothing is loaded from a network": check_loads(site, pages),
        "the search index has all pages": check_search(site, pages),
        "commands and their flags are known": check_commands(site, pages, orrery),
    }
    for name, found in checks.items():
        problems = list(found)
        failed += bool(problems)
        print("\n".join(problems + [f"{'FAILED' if problems else 'ok'}: {name}"]))
    links = sum(len(page.links) for page in pages.values())
    print(f"{len(pages)} pages with {links} links")
    print(f"{len(checks) - failed} passed, {failed} failed")
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
