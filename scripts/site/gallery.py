"""The gallery: a page for each example with the question it answers, its report and its file."""

import json
import re
import shutil
import subprocess
import time
from html import escape
from pathlib import Path

import repository_links as repository

LISTED = json.loads((Path(__file__).parent / "gallery.json").read_text())
GROUPS = LISTED["groups"]
SLOW = LISTED["take a quarter of a minute or more"]
HELPED = LISTED["say what would help"]
# Figures need the room that the menu would take.
HEAD = "---\nhide:\n  - navigation\n---\n\n"
EXAMPLES = repository.ROOT / "examples"
CHROMIUM = ["chromium", "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--window-size=1280,860",
            "--virtual-time-budget=5000"]


def questions_of_examples():
    """Question of each example, in the order of the gallery; every example has to be there."""
    questions = {name: question for group in GROUPS for name, question in group["examples"].items()}
    there = {path.stem for path in EXAMPLES.glob("*.yaml")}
    if set(questions) != there:
        raise SystemExit(f"scripts/site/gallery.json and examples/ differ in {sorted(set(questions) ^ there)}")
    return questions


def comment_of(name):
    """Paragraphs of the comment that an example begins with, without those that only name the command."""
    lines = []
    for line in (EXAMPLES / f"{name}.yaml").read_text().split("\n"):
        if not line.startswith("#"):
            break
        lines.append(line.removeprefix("#").removeprefix(" "))
    paragraphs = [" ".join(part.split()) for part in "\n".join(lines).split("\n\n")]
    return [part for part in paragraphs if part and not part.startswith("orrery ")]


def command_of(name):
    """The command that the example's own comment begins with."""
    found = re.search(rf"^# +orrery (\w+) examples/{name}\.yaml", (EXAMPLES / f"{name}.yaml").read_text(), re.M)
    return found[1] if found else "run"


class Gallery:
    def __init__(self, orrery, folder, scratch):
        self.orrery, self.folder, self.scratch = orrery, folder, scratch
        (scratch / "examples").symlink_to(EXAMPLES)
        folder.mkdir(parents=True, exist_ok=True)

    def run(self, *words):
        result = subprocess.run([self.orrery, *words], cwd=self.scratch, capture_output=True, text=True)
        if result.returncode:
            raise SystemExit(f"orrery {' '.join(words)}:\n{result.stderr}")

    def commands_of(self, name):
        """What makes the report, as one types it in the repository."""
        file = f"examples/{name}.yaml"
        if command_of(name) == "search":
            return [["search", file], ["report", f"results/{name}"]]
        if command_of(name) == "sweep":
            return [["sweep", file], ["report", f"results/{name}.sqlite"]]
        # By itself, it asks what would help only where the machine is quick enough.
        return [["report", file] + (["--what-would-help=on"] if name in HELPED else [])]

    def report(self, name):
        begin = time.monotonic()
        for words in self.commands_of(name):
            self.run(*words)
        shutil.move(self.scratch / "results" / name / "report.html", self.folder / f"{name}-report.html")
        return time.monotonic() - begin

    def picture(self, name):
        page = (self.folder / f"{name}-report.html").as_uri()
        subprocess.run([*CHROMIUM, f"--screenshot={self.folder / name}.png", page], check=True, capture_output=True)

    def page(self, name, question):
        commands = "\n".join("orrery " + " ".join(words) for words in self.commands_of(name))
        example = (EXAMPLES / f"{name}.yaml").read_text().rstrip()
        report = (
            f'<iframe class="report" src="{name}-report.html" title="Report of {name}" loading="lazy"></iframe>\n\n'
            f"[Open the report by itself]({name}-report.html){{ .md-button }}\n\n"
        )
        if name in SLOW:
            report = "This example takes a quarter of a minute or more, so its report is not part of this site.\n\n"
        text = (
            f"{HEAD}# {name}\n\n**{question}**\n\n{report}"
            f"This makes the report, in the root of the repository:\n\n```text\n{commands}\n```\n\n"
            "## What the example says\n\n" + "\n\n".join(comment_of(name)) + "\n\n"
            f"## The file\n\nThis is `examples/{name}.yaml`:\n\n```yaml\n{example}\n```\n"
        )
        (self.folder / f"{name}.md").write_text(text)

    def index(self, has_pictures):
        text = (
            f"{HEAD}# Gallery\n\n"
            "Each example of the repository answers one question. Its page shows the report that its command makes, "
            "and its file. `orrery report` with the path of that file makes the same report on your machine.\n\n"
        )
        for group in GROUPS:
            text += f"## {group['title']}\n\n<div class=\"gallery\" markdown>\n\n"
            for name, question in group["examples"].items():
                picture = f'<img src="{name}.png" alt="" loading="lazy">' if has_pictures and name not in SLOW else ""
                text += (f'<a class="card" href="{name}.html">{picture}<strong>{name}</strong>'
                         f"<span>{escape(question)}</span></a>\n")
            text += "\n</div>\n\n"
        (self.folder / "index.md").write_text(text)


def write_gallery(orrery, folder, scratch, say):
    gallery = Gallery(orrery, folder, scratch)
    has_browser = shutil.which("chromium") is not None
    questions = questions_of_examples()
    for name, question in questions.items():
        gallery.page(name, question)
        if name in SLOW:
            continue
        seconds = gallery.report(name)
        say(f"{name}: {seconds:.1f} s")
        if has_browser:
            gallery.picture(name)
    gallery.index(has_browser)
    return len(questions) - len(SLOW)
