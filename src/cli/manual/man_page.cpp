#include "cli/manual/man_page.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/build_info.hpp"

namespace orrery::core {

namespace {

// A minus sign that is not escaped is a hyphen, which nobody can copy from a page into a shell, and a point
// or a quotation mark at the beginning of a line would begin a macro.
std::string escaped(std::string_view text) {
  std::string out;
  bool starts_line = true;
  for (const char c : text) {
    if (starts_line && (c == '.' || c == '\'')) out += "\\&";
    starts_line = c == '\n';
    switch (c) {
      case '\\':
        out += "\\e";
        break;
      case '-':
        out += "\\-";
        break;
      case '`':
        out += "\\(ga";
        break;
      case '\'':
        out += "\\(aq";
        break;
      case '~':
        out += "\\(ti";
        break;
      case '^':
        out += "\\(ha";
        break;
      case '"':
        out += "\\(dq";
        break;
      default:
        out += c;
    }
  }
  return out;
}

std::string bold(std::string_view text) {
  return "\\fB" + escaped(text) + "\\fR";
}

std::string italic(std::string_view text) {
  return "\\fI" + escaped(text) + "\\fR";
}

std::string called(const DescribedCommand& command) {
  return command.path.empty() ? "orrery" : "orrery " + command.path;
}

// Starts with a small letter, as it stands behind the name of the page; "ASTRA-sim" keeps its letters.
std::string in_name_section(std::string text) {
  if (text.size() > 1 && text[1] >= 'a' && text[1] <= 'z') text[0] = static_cast<char>(std::tolower(text[0]));
  if (text.ends_with('.')) text.pop_back();
  return text;
}

std::string synopsis_of(const DescribedCommand& command) {
  std::string text = bold(called(command));
  if (!command.commands.empty()) return text + " " + italic("COMMAND") + " ...\n";
  for (const DescribedFlag& flag : command.flags)
    if (flag.required) text += " " + bold(flag.names.back()) + "=" + italic(placeholder_of(flag.value.kind));
  text += " [" + italic("OPTION") + "]...";
  for (const DescribedFlag& argument : command.arguments) {
    const std::string name = italic(argument.names[0]) + (argument.repeats ? "..." : "");
    text += argument.required ? " " + name : " [" + name + "]";
  }
  return text + "\n";
}

std::string item_of(const DescribedFlag& flag, bool is_argument) {
  std::string text = ".TP\n";
  for (std::size_t i = 0; i < flag.names.size(); ++i)
    text += (i > 0 ? ", " : "") + (is_argument ? italic(flag.names[i]) : bold(flag.names[i]));
  if (!is_argument && flag.value.kind != ValueKind::nothing)
    text += (flag.names.back().starts_with("--") ? "=" : " ") + italic(placeholder_of(flag.value.kind));
  text += "\n" + escaped(flag.description);
  if (!flag.value.words.empty()) {
    text += flag.value.kind == ValueKind::name_or_file ? ".\nNames: " : ".\nWords: ";
    text += escaped(fmt::format("{}", fmt::join(flag.value.words, ", ")));
  }
  if (!flag.default_value.empty()) text += ".\nDefault: " + escaped(flag.default_value);
  return text + ".\n";
}

// Flags under the headings that the help has, in their order.
std::string options_of(const DescribedCommand& command) {
  std::vector<std::string> groups;
  for (const DescribedFlag& flag : command.flags)
    if (std::ranges::find(groups, flag.group) == groups.end()) groups.push_back(flag.group);
  std::string text = ".SH OPTIONS\n";
  for (const std::string& group : groups) {
    if (!group.empty()) text += ".SS Flags of " + escaped(group) + "\n";
    for (const DescribedFlag& flag : command.flags)
      if (flag.group == group) text += item_of(flag, false);
  }
  return text;
}

std::string commands_of(const DescribedCommand& command) {
  std::string text = ".SH COMMANDS\n";
  for (const DescribedCommand& inner : command.commands)
    text += ".TP\n" + bold(called(inner)) + "\n" + escaped(inner.description) + ".\nSee\n.BR " +
            escaped(page_name_of(inner)) + " (1).\n";
  if (command.path.empty())
    text += ".TP\n" + bold("orrery help") + " [" + italic("COMMAND") +
            "]\nSay what a command does and which flags it has, as " + bold("--help") + " does.\n";
  return text;
}

constexpr std::string_view about_flags = R"(.PP
A flag and its value are written as \fB\-\-flag=\fIvalue\fR or as \fB\-\-flag\fR \fIvalue\fR.
The name of a flag may be cut short as long as only one flag begins that way.
)";

constexpr std::string_view exit_status = R"(.SH EXIT STATUS
.TP
0
All was done.
.TP
1
Orrery has a fault; please report it.
.TP
2
The input or the command line is wrong, or results could not be written.
A message says where, what is wrong and what to do.
.TP
3
The simulation cannot go on; the message says who waits for what.
)";

constexpr std::string_view examples = R"(.SH EXAMPLES
.TP
\fBorrery run\fR experiment.yaml
Simulate the runs of an experiment file, and write the results to the folder
.IR results .
.TP
\fBorrery run\fR experiment.yaml \fB\-\-set\fR network.bandwidth=\(dq50 GB/s\(dq
Do the same with one value replaced.
.TP
\fBorrery report\fR experiment.yaml
Simulate, and show the results as a page for a browser.
.TP
\fBorrery list platforms\fR
List the platforms that come with the program.
)";

std::string see_also_of(const DescribedCommand& command, const DescribedCommand& program) {
  std::vector<std::string> names;
  for (const DescribedCommand* other : with_inner_commands(program))
    if (other != &command && (command.path.empty() || other->path.empty()))
      names.push_back(page_name_of(*other));
  std::string text = ".SH SEE ALSO\n";
  for (std::size_t i = 0; i < names.size(); ++i)
    text += ".BR " + escaped(names[i]) + " (1)" + (i + 1 < names.size() ? " ,\n" : "\n");
  return text;
}

std::string upper_case(std::string text) {
  for (char& c : text) c = static_cast<char>(std::toupper(c));
  return text;
}

}  // namespace

std::string page_name_of(const DescribedCommand& command) {
  std::string name = called(command);
  std::ranges::replace(name, ' ', '-');
  return name;
}

std::string man_page(const DescribedCommand& command, const DescribedCommand& program) {
  const std::string name = page_name_of(command);
  std::string text = fmt::format(
      ".\\\" Made by `orrery manual` from the flags of the program.\n.TH {} 1 \"{}\" \"Orrery {}\" "
      "\"User Commands\"\n.SH NAME\n{} \\- {}\n.SH SYNOPSIS\n{}",
      escaped(upper_case(name)), build_info().date, build_info().version, escaped(name),
      escaped(in_name_section(command.description)), synopsis_of(command));
  text += ".SH DESCRIPTION\n" + escaped(command.description) +
          (command.description.ends_with('.') ? "\n" : ".\n");
  if (command.path.empty())
    text += "The flags of ASTRA\\-sim need no command: they are those of\n.BR \"orrery run\" .\n";
  if (!command.flags.empty()) text += about_flags;
  if (!command.commands.empty()) text += commands_of(command);
  if (!command.arguments.empty()) text += ".SH ARGUMENTS\n";
  for (const DescribedFlag& argument : command.arguments) text += item_of(argument, true);
  text += options_of(command);
  if (command.path.empty()) text += examples;
  text += exit_status;
  return text + see_also_of(command, program);
}

}  // namespace orrery::core
