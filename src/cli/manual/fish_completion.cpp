#include <fmt/format.h>

#include "base/diagnostics/unreachable.hpp"
#include "cli/manual/completions.hpp"

namespace orrery::core {

namespace {

std::string fish_quoted(std::string_view text) {
  std::string out = "'";
  for (const char c : text) {
    if (c == '\'' || c == '\\') out += '\\';
    out += c;
  }
  return out + "'";
}

// Returns the arguments of fish's `complete` that say what may stand behind a flag, or as an argument.
std::string fish_choice(const ValueChoice& choice) {
  const std::string words = " -a " + fish_quoted(with_blanks(choice.words));
  switch (choice.kind) {
    case ValueKind::nothing:
      return "";
    case ValueKind::number:
    case ValueKind::text:
      return " -x";
    case ValueKind::file:
      return " -r -F";
    case ValueKind::folder:
      return " -x -a '(__fish_complete_directories)'";
    case ValueKind::word:
    case ValueKind::words:
      return " -x" + words;
    case ValueKind::name_or_file:
      return " -r -F" + words;
  }
  unreachable("fish cannot complete a kind of values");
}

// Returns a line that holds behind the words of a command, or only right behind them.
std::string fish_line(const char* condition, const std::string& path, const std::string& rest) {
  return "complete -c orrery -n " + fish_quoted(condition + (path.empty() ? "" : " " + path)) + rest + "\n";
}

std::string fish_name(const std::string& name) {
  return name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
}

std::string fish_of(const DescribedCommand& command) {
  // The program's own flags stand in front of any command.
  const char* const condition = command.commands.empty() ? "__orrery_in" : "__orrery_at";
  std::string text;
  for (const DescribedCommand& inner : command.commands)
    text += fish_line("__orrery_at", command.path,
                      " -a " + last_word_of(inner) + " -d " + fish_quoted(inner.description));
  for (const DescribedFlag& flag : command.flags) {
    std::string names;
    for (const std::string& name : flag.names) names += fish_name(name);
    text += fish_line(condition, command.path,
                      names + fish_choice(flag.value) + " -d " + fish_quoted(flag.description));
  }
  for (const DescribedFlag& argument : command.arguments) {
    const ValueChoice& choice = argument.value;
    if (!choice.words.empty())
      text += fish_line(condition, command.path, " -a " + fish_quoted(with_blanks(choice.words)));
    if (choice.kind == ValueKind::file || choice.kind == ValueKind::name_or_file)
      text += fish_line(condition, command.path, " -F");
  }
  return text;
}

constexpr std::string_view fish_functions =
    R"fish(# Completes command lines of orrery in fish; `orrery completions fish` has made it.

# Whether these words, and nothing else, stand in front of what is completed.
function __orrery_at
    set -l words (commandline -opc)
    test "$words[2..-1]" = "$argv"
end

# Whether these words stand first.
function __orrery_in
    set -l words (commandline -opc)
    set -l last (math (count $argv) + 1)
    test (count $words) -ge $last; and test "$words[2..$last]" = "$argv"
end

complete -c orrery -f
)fish";

}  // namespace

std::string fish_completion(const DescribedCommand& program) {
  std::string text(fish_functions), names;
  for (const DescribedCommand* command : with_inner_commands(program)) text += fish_of(*command);
  for (const DescribedCommand& command : program.commands)
    names += (names.empty() ? "" : " ") + last_word_of(command);
  text += fish_line("__orrery_at", "",
                    " -a help -d " + fish_quoted("Say what a command does and which flags it has"));
  return text + fish_line("__orrery_at", "help", " -a " + fish_quoted(names));
}

}  // namespace orrery::core
