#include <fmt/format.h>

#include <algorithm>

#include "base/diagnostics/unreachable.hpp"
#include "cli/manual/completions.hpp"

namespace orrery::core {

namespace {

// Escapes what has a meaning in the specifications of zsh's _arguments, within quotation marks of the shell.
std::string in_specification(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '\'')
      out += "'\\''";
    else if (std::string_view("\\[]:").find(c) != std::string_view::npos)
      out += fmt::format("\\{}", c);
    else
      out += c;
  }
  return out;
}

// Returns the function of a command.
std::string zsh_function_of(const DescribedCommand& command) {
  std::string name = "_orrery" + (command.path.empty() ? "" : "_" + command.path);
  std::ranges::replace(name, ' ', '_');
  return name;
}

// Returns what zsh is to do to complete a value, as _arguments takes it.
std::string action_of(const ValueChoice& choice) {
  const std::string words = in_specification(with_blanks(choice.words));
  switch (choice.kind) {
    case ValueKind::nothing:
    case ValueKind::number:
    case ValueKind::text:
      return "";
    case ValueKind::file:
      return "_files";
    case ValueKind::folder:
      return "_files -/";
    case ValueKind::word:
      return "(" + words + ")";
    case ValueKind::words:
      return "_values -s , word " + words;
    case ValueKind::name_or_file:
      return "{compadd -- " + words + "; _files}";
  }
  unreachable("zsh cannot complete a kind of values");
}

std::string value_specification(const DescribedFlag& flag) {
  return fmt::format(":{}:{}", placeholder_of(flag.value.kind), action_of(flag.value));
}

std::string specifications_of(const DescribedFlag& flag) {
  const bool has_value = flag.value.kind != ValueKind::nothing;
  std::string text;
  for (const std::string& name : flag.names) {
    const char* const sign = !has_value ? "" : name.starts_with("--") ? "=" : "+";
    text += fmt::format(" \\\n    '{}{}{}[{}]{}'", flag.repeats ? "*" : "", name, sign,
                        in_specification(flag.description), has_value ? value_specification(flag) : "");
  }
  return text;
}

// Lists the commands within a command with what they do, and goes on within the one that is named.
std::string zsh_of_group(const DescribedCommand& command) {
  std::string text =
      "  local curcontext=$curcontext state line\n  local -a commands\n  typeset -A opt_args\n  _arguments "
      "-C";
  for (const DescribedFlag& flag : command.flags) text += specifications_of(flag);
  text += " \\\n    '1: :->command' '*:: :->rest'\n  case $state in\n    command)\n      commands=(\n";
  for (const DescribedCommand& inner : command.commands)
    text += fmt::format("        '{}:{}'\n", last_word_of(inner), in_specification(inner.description));
  if (command.path.empty()) text += "        'help:Say what a command does and which flags it has'\n";
  text += "      )\n      _describe command commands\n      ;;\n    rest)\n      case $line[1] in\n";
  for (const DescribedCommand& inner : command.commands)
    text += fmt::format("        {}) {} ;;\n", last_word_of(inner), zsh_function_of(inner));
  if (command.path.empty()) {
    std::string names;
    for (const DescribedCommand& inner : command.commands) names += " " + last_word_of(inner);
    text += "        help) _arguments '1:command:(" + names.substr(1) + ")' ;;\n";
  }
  return text + "      esac\n      ;;\n  esac\n";
}

std::string zsh_of_command(const DescribedCommand& command) {
  std::string text = "  _arguments";
  for (const DescribedFlag& flag : command.flags) text += specifications_of(flag);
  for (const DescribedFlag& argument : command.arguments)
    text += fmt::format(" \\\n    '{}:{}:{}'", argument.repeats ? "*" : "", argument.names[0],
                        action_of(argument.value));
  return text + "\n";
}

}  // namespace

std::string zsh_completion(const DescribedCommand& program) {
  std::string text =
      "#compdef orrery\n# Completes command lines of orrery in zsh; `orrery completions zsh` has made it.\n";
  for (const DescribedCommand* command : with_inner_commands(program))
    text += fmt::format("\n{}() {{\n{}}}\n", zsh_function_of(*command),
                        command->commands.empty() ? zsh_of_command(*command) : zsh_of_group(*command));
  // The file is the body of the function _orrery where zsh loads it by itself, and is read where a user says
  // so.
  return text +
         "\nif [[ $funcstack[1] == _orrery ]]; then\n  _orrery \"$@\"\nelse\n  compdef _orrery orrery\nfi\n";
}

}  // namespace orrery::core
