"""The page with the help of every command, as the program prints it."""

import re
import subprocess


def help_of(orrery, *words):
    result = subprocess.run([orrery, *words, "--help"], capture_output=True, text=True, check=True)
    return result.stdout


def subcommands_of(text):
    """Names below the heading for commands, which CLI11 prints in two columns."""
    below = re.search(r"^(?:SUBCOMMANDS|Subcommands|Commands):\n((?:  \S.*\n| {3,}.*\n)+)", text, re.M)
    return re.findall(r"^  (\S+)", below[1], re.M) if below else []


def all_commands(orrery):
    """Yields words and help of every command and of those below it."""
    waiting = [[name] for name in subcommands_of(help_of(orrery))]
    while waiting:
        words = waiting.pop(0)
        text = help_of(orrery, *words)
        yield words, text
        waiting = [words + [name] for name in subcommands_of(text)] + waiting


def command_page(orrery):
    text = (
        "# Help of every command\n\n"
        "This page has what `orrery COMMAND --help` prints. [Commands](../inputs/commands.md) explains the commands, "
        "with examples.\n\n"
        f"```text\n{help_of(orrery).rstrip()}\n```\n\n"
    )
    count = 0
    for words, told in all_commands(orrery):
        text += f"## `orrery {' '.join(words)}`\n\n```text\n{told.rstrip()}\n```\n\n"
        count += 1
    return text, count
