"""What MkDocs calls while it builds the site: it adds the pages that are generated, and those of files beside docs/."""

import sys
from pathlib import Path

from mkdocs.structure.files import File

sys.path.insert(0, str(Path(__file__).resolve().parent))
import repository_links as repository  # noqa: E402

# What scripts/site/generate has written.
GENERATED = repository.ROOT / "build/site-pages"
LANGUAGES = {".yaml": "yaml", ".yml": "yaml", ".json": "json", ".xml": "xml", ".hpp": "cpp", ".cpp": "cpp"}


def on_files(files, config):
    for path in sorted(GENERATED.rglob("*")):
        if path.is_file():
            name = path.relative_to(GENERATED).as_posix()
            files.append(File.generated(config, name, abs_src_path=str(path)))
    waiting = []
    for file in files.documentation_pages():
        if is_generated(file):
            continue
        waiting += repository.targets(file.content_string, folder_of(file.src_uri))
    add_linked(files, config, waiting)
    return files


def add_linked(files, config, waiting):
    """Adds a page for each path beside docs/ that a page links to, and for those that these pages link to."""
    while waiting:
        path = waiting.pop()
        page = repository.page_of(path)
        if not page.startswith("source/") or files.get_file_from_path(page) or not (repository.ROOT / path).exists():
            continue
        text = text_of(path)
        files.append(File.generated(config, page, content=text))
        waiting += repository.targets(text, folder_of(page))


# Their links lead to pages of the site already.
def is_generated(file):
    return file.abs_src_path is not None and Path(file.abs_src_path).is_relative_to(GENERATED)


def folder_of(page):
    """The folder of the repository from which a page's links lead."""
    parent = Path(page).parent
    return (parent.relative_to("source") if page.startswith("source/") else "docs" / parent).as_posix()


def text_of(path):
    file = repository.ROOT / path
    if file.is_dir():
        readme = file / "README.md"
        return readme.read_text() if readme.exists() else listing_of(path)
    if file.suffix == ".md":
        return file.read_text()
    language = LANGUAGES.get(file.suffix, "text")
    return f"---\nsearch:\n  exclude: true\n---\n\n# {path}\n\n````{language}\n{file.read_text().rstrip()}\n````\n"


def listing_of(path):
    names = sorted(entry.name for entry in (repository.ROOT / path).iterdir())
    return f"# {path}\n\n" + "".join(f"- [{name}]({name})\n" for name in names)


# Only a server shows a page for missing ones, and its links would hold in the root of a server alone.
def on_post_template(output_content, template_name, config):
    return "" if template_name == "404.html" else output_content


def on_page_markdown(markdown, page, config, files):
    # A page that has a tab of its own would have a menu of itself alone.
    if page.parent is None and page.file.inclusion.is_in_nav():
        page.meta.setdefault("hide", ["navigation"])
    if is_generated(page.file):
        return markdown
    return repository.rewrite(markdown, folder_of(page.file.src_uri), page.file.src_uri)
