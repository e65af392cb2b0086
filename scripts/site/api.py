"""Pages about the API: the public part of each C++ header as it is declared, and the classes and functions of the Python package with their docstrings.

scripts/check-api sees to it that everything there is explained."""

import ast
import re

import repository_links as repository

HEAD = "---\nsearch:\n  boost: 0.7\n---\n\n"


def public_part(text):
    """The declarations of a header with their comments, without what is private and what the compiler needs."""
    kept, hidden = [], False
    for line in text.split("\n"):
        if re.match(r"#(pragma|include|if|endif|define|else)", line) or re.match(r"(namespace|\}  // namespace)", line):
            continue
        if re.match(r" *(private|protected):", line):
            hidden = True
            while kept and not kept[-1].strip():
                kept.pop()
        elif re.match(r"\};", line):
            hidden = False
        if not hidden:
            kept.append(line.replace("ORRERY_API ", ""))
    return re.sub(r"\n{3,}", "\n\n", "\n".join(kept)).strip()


def cpp_page():
    """Returns the page and the number of headers on it."""
    include = repository.ROOT / "include"
    parts, headers = [], sorted(include.rglob("*.hpp"))
    for header in headers:
        text = header.read_text()
        if "namespace orrery" not in text:
            continue
        introduction, rest = text.split("#pragma once", 1)
        lines = [line.removeprefix("//").removeprefix(" ") for line in introduction.strip().split("\n")]
        prose = [line for line in lines if not line.startswith("  ")]
        example = [line.removeprefix("  ") for line in lines if line.startswith("  ")]
        parts.append(f"## {header.relative_to(include)}\n\n" + " ".join(line for line in prose if line) + "\n")
        if example:
            parts.append("```cpp\n" + "\n".join(example) + "\n```\n")
        parts.append("```cpp\n" + public_part(rest) + "\n```\n")
    head = "# C++ headers\n\nThese are the public headers of [the C++ library](../cpp.md), as they are installed.\n\n"
    return HEAD + head + "\n".join(parts), len([part for part in parts if part.startswith("## ")])


def signature_of(function):
    arguments = ast.unparse(function.args).removeprefix("self, ").removeprefix("self").removeprefix("cls, ").removeprefix("cls")
    returns = f" -> {ast.unparse(function.returns)}" if function.returns else ""
    return f"{function.name}({arguments}){returns}"


def text_of(docstring):
    """A docstring as Markdown: examples in code blocks, roles of Sphinx as code."""
    plain = re.sub(r":(?:class|meth|attr|func):`([^`]*)`", r"`\1`", docstring).replace("``", "`")
    plain = re.sub(r"^(Args|Raises|Attributes):$", r"**\1**\n", plain, flags=re.M)
    plain = re.sub(r"^    (\w+): ", r"- `\1`: ", plain, flags=re.M)
    lines, code = [], False
    for line in plain.split("\n"):
        starts = line.startswith(">>> ")
        if starts and not code:
            lines.append("```pycon")
            code = True
        if code and not line.strip():
            lines.append("```")
            code = False
        lines.append(line)
    return "\n".join(lines + ["```"] * code)


def fields_of(node):
    """Yields name, type and docstring of each field of a named tuple."""
    for field, after in zip(node.body, node.body[1:] + [None]):
        if isinstance(field, ast.AnnAssign) and isinstance(after, ast.Expr) and isinstance(after.value, ast.Constant):
            yield ast.unparse(field.target), ast.unparse(field.annotation), after.value.value


def class_text(node):
    bases = ", ".join(ast.unparse(base) for base in node.bases)
    parts = [f"## {node.name}\n" + (f"\nIt is a {bases}.\n" if bases and bases != "NamedTuple" else ""), text_of(ast.get_docstring(node)) + "\n"]
    for name, kind, meaning in fields_of(node):
        parts.append(f"- `{name}: {kind}`: {text_of(meaning)}")
    for member in node.body:
        if not isinstance(member, ast.FunctionDef):
            continue
        decorators = [ast.unparse(decorator) for decorator in member.decorator_list]
        shown = member.name == "__init__" and member.args.kwarg or not member.name.startswith("_")
        if not shown or "overload" in decorators:
            continue
        title = f"{member.name}: {ast.unparse(member.returns)}" if "property" in decorators else signature_of(member)
        title = title.replace("__init__", node.name).removesuffix(" -> None")
        parts.append(f"\n### `{title}`\n\n{text_of(ast.get_docstring(member))}\n")
    return "\n".join(parts)


def python_page():
    """Returns the page and the number of classes and functions on it."""
    package = repository.ROOT / "python/orrery"
    names = ast.literal_eval(re.search(r"__all__ = (\[.*?\])", (package / "__init__.py").read_text(), re.S)[1])
    classes, functions = {}, {}
    for module in package.glob("*.py"):
        for node in ast.parse(module.read_text()).body:
            if isinstance(node, ast.ClassDef) and node.name in names:
                classes[node.name] = class_text(node)
            if isinstance(node, ast.FunctionDef) and node.name in names:
                functions[node.name] = f"## `{signature_of(node)}`\n\n{text_of(ast.get_docstring(node))}\n"
    order = ["Experiment", "Run", "Runs", "Table", "Column", "OrreryError"]
    shown = [classes[name] for name in order + sorted(set(classes) - set(order)) if name in classes]
    shown += [functions[name] for name in sorted(functions)]
    head = "# Python package\n\nThese are the classes and the functions of [the Python package](../python.md), with their docstrings.\n\n"
    return HEAD + head + "\n\n".join(shown) + "\n", len(shown)
