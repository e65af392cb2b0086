"""Tables of Markdown pages: the indices of keys and columns are made of those in docs/inputs and docs/outputs, which
tests compare with the declarations in the sources."""

import re

import repository_links as repository

KEYS = re.compile(r"<!-- keys of (.*) -->")
HEADING = re.compile(r"(#+) (.*)")
# The tables take the room of a table of contents, which would have one line. In a search, pages that explain come first.
HEAD = "---\nhide:\n  - toc\nsearch:\n  boost: 0.5\n---\n\n"

# The titles of tables that list columns or keys of results.
NAMES = {"column", "title", "key"}
ENDS = [["unit", "meaning"], ["type", "meaning"], ["type, unit", "meaning"]]


def cells_of(line):
    """Cells of a row; a bar within code or behind a backslash separates nothing."""
    return [cell.strip() for cell in re.findall(r"((?:`[^`]*`|\\.|[^|`\\])*)\|", line.strip().removeprefix("|"))]


def tables_of(text):
    """Yields heading, marker, titles and rows of every table of a page."""
    heading, marker, lines = "", "", text.split("\n")
    for at, line in enumerate(lines):
        found = HEADING.match(line)
        if found:
            heading, marker = found[2], ""
        elif KEYS.match(line):
            marker = KEYS.match(line)[1]
        elif line.startswith("| --- ") and lines[at - 1].startswith("|"):
            rows = []
            for row in lines[at + 1 :]:
                if not row.startswith("|"):
                    break
                rows.append(cells_of(row))
            yield heading, marker, cells_of(lines[at - 1]), rows
            marker = ""


def anchor_of(heading):
    """The anchor that a heading has, where no other heading of the page has the same words."""
    plain = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading)
    return re.sub(r"\s", "-", re.sub(r"[^\w\s-]", "", plain.lower()).strip())


def pages_of(folder):
    return sorted((repository.ROOT / folder).glob("*.md"))


def bare(cell):
    return cell.replace("`", "").lower()


def moved(cell, page):
    """The cell with links that lead from a page of reference/ to where they led from its own."""
    whole = repository.map_links(cell, lambda link: page.name + link if link.startswith("#") else link)
    return repository.rewrite(whole, f"docs/{page.parent.name}", "reference/index.md")


def key_index():
    """Every key that an input file may have, and every flag, with the page that explains it."""
    rows = []
    for page in pages_of("docs/inputs"):
        for heading, marker, titles, table in tables_of(page.read_text()):
            kind = titles[0]
            if not marker and kind != "flag":
                continue
            place = f"[{heading.replace('`', '')}](../inputs/{page.name}#{anchor_of(heading)})"
            for cells in table:
                meaning = cells[titles.index("meaning")] if "meaning" in titles else ""
                rows.append((cells[0], moved(cells[1], page), moved(meaning, page), place))
    rows.sort(key=lambda row: bare(row[0]).lstrip("-"))
    text = (
        f"{HEAD}# Index of keys and flags\n\n"
        "This page lists every key of an input file and every flag of a command, in the order of the alphabet. The last "
        "column leads to the page that explains it.\n\n"
    )
    return text + table_text(("key or flag", "value", "meaning", "explained in"), rows), len(rows)


def column_index():
    """Every column of a table and every key of a JSON file that a command writes."""
    rows = []
    for page in pages_of("docs/outputs"):
        for heading, _, titles, table in tables_of(page.read_text()):
            if titles[0] not in NAMES or titles[-2:] not in ENDS:
                continue
            place = f"[{heading.replace('`', '')}](../outputs/{page.name}#{anchor_of(heading)})"
            for cells in table:
                name = cells[titles.index("title") if "title" in titles else 0]
                if name.startswith("`"):  # some columns have no title
                    rows.append((name, cells[-2], moved(cells[-1], page), place))
    rows.sort(key=lambda row: bare(row[0]))
    text = (
        f"{HEAD}# Index of columns\n\n"
        "This page lists every column of a table that a command writes, and every key of its JSON files, in the order of "
        "the alphabet. The last column leads to the file that has it.\n\n"
    )
    return text + table_text(("column or key", "unit or type", "meaning", "in"), rows), len(rows)


def table_text(titles, rows):
    lines = ["| " + " | ".join(titles) + " |", "|" + " --- |" * len(titles)]
    return "\n".join(lines + ["| " + " | ".join(row) + " |" for row in rows]) + "\n"
