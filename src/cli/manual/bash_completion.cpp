#include <fmt/format.h>

#include <map>

#include "base/diagnostics/unreachable.hpp"
#include "cli/manual/completions.hpp"

namespace orrery::core {

namespace {

// Returns how the script is told what may stand somewhere: the name of a kind, and the words.
std::string kind_and_words(const ValueChoice& choice) {
  const std::string words = choice.words.empty() ? "" : " " + with_blanks(choice.words);
  switch (choice.kind) {
    case ValueKind::nothing:
    case ValueKind::number:
    case ValueKind::text:
      return "any";
    case ValueKind::file:
      return "file";
    case ValueKind::folder:
      return "folder";
    case ValueKind::word:
      return "word" + words;
    case ValueKind::words:
      return "words" + words;
    case ValueKind::name_or_file:
      return "name" + words;
  }
  unreachable("bash cannot complete a kind of values");
}

// Returns a line of the shell's `case`. No word of Orrery has a quotation mark.
std::string case_of(std::string_view pattern, std::string_view text) {
  return fmt::format("    '{}') echo '{}' ;;\n", pattern, text);
}

std::string commands_cases(const std::vector<const DescribedCommand*>& all) {
  std::string text;
  for (const DescribedCommand* command : all) {
    std::string names;
    for (const DescribedCommand& inner : command->commands)
      names += (names.empty() ? "" : " ") + last_word_of(inner);
    if (!names.empty()) text += case_of(command->path, names);
  }
  return text;
}

std::string flags_cases(const std::vector<const DescribedCommand*>& all) {
  std::string text;
  for (const DescribedCommand* command : all) {
    std::string names;
    for (const DescribedFlag& flag : command->flags)
      for (const std::string& name : flag.names) names += (names.empty() ? "" : " ") + name;
    text += case_of(command->path, names);
  }
  return text;
}

std::string arguments_cases(const std::vector<const DescribedCommand*>& all) {
  std::string text;
  for (const DescribedCommand* command : all)
    if (!command->arguments.empty())
      text += case_of(command->path, kind_and_words(command->arguments[0].value));
  return text;
}

// A flag means the same in every command that has it.
std::string values_cases(const std::vector<const DescribedCommand*>& all) {
  std::map<std::string, std::string> values;
  for (const DescribedCommand* command : all)
    for (const DescribedFlag& flag : command->flags)
      for (const std::string& name : flag.names)
        if (flag.value.kind != ValueKind::nothing) values.emplace(name, kind_and_words(flag.value));
  std::string text;
  for (const auto& [name, value] : values) text += case_of(name, value);
  return text;
}

constexpr std::string_view bash_script =
    R"bash(# Completes command lines of orrery in bash; `orrery completions bash` has made it.

# Prints the commands within a command.
_orrery_commands() {
  case $1 in
@commands@  esac
}

# Prints the flags of a command.
_orrery_flags() {
  case $1 in
@flags@  esac
}

# Prints what the arguments of a command are: a kind, then words.
_orrery_arguments() {
  case $1 in
@arguments@  esac
}

# Prints what the value of a flag is, likewise; nothing for a flag without one.
_orrery_value() {
  case $1 in
@values@  esac
}

# Offers what a kind and its words say. What stands in front of $current goes in front of every offer.
_orrery_offer() {
  local kind=${1%% *} words= front=$2 current=$3
  [[ $1 == *' '* ]] && words=${1#* }
  if [[ $kind == words && $current == *,* ]]; then
    front+=${current%,*},
    current=${current##*,}
  fi
  case $kind in
    word | words | name) mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current") ;;
  esac
  case $kind in
    file | folder | name)
      compopt -o filenames 2>/dev/null
      mapfile -t -O ${#COMPREPLY[@]} COMPREPLY < <(if [[ $kind == folder ]]; then compgen -d -- "$current"; else compgen -f -- "$current"; fi)
      ;;
  esac
  COMPREPLY=("${COMPREPLY[@]/#/$front}")
}

_orrery() {
  local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]} front= path= helps= at value commands
  COMPREPLY=()
  # bash takes `--flag=value` apart at the sign, unless someone has told it not to.
  if [[ $current == = ]]; then
    current=
  elif [[ $previous == = ]]; then
    previous=${COMP_WORDS[COMP_CWORD - 2]}
  elif [[ $current == --*=* ]]; then
    previous=${current%%=*} front=${current%%=*}= current=${current#*=}
  fi
  # The command comes first: `compute systolic`, also behind `help`.
  for ((at = 1; at < COMP_CWORD; at++)); do
    if ((at == 1)) && [[ ${COMP_WORDS[at]} == help ]]; then
      helps=1
    elif [[ " $(_orrery_commands "$path") " == *" ${COMP_WORDS[at]} "* ]]; then
      path+=${path:+ }${COMP_WORDS[at]}
    else
      break
    fi
  done
  commands=$(_orrery_commands "$path")
  [[ -z $path && -z $helps ]] && commands+=' help'
  value=$(_orrery_value "$previous")
  if [[ -n $helps ]]; then
    _orrery_offer "word $commands" '' "$current"
  elif [[ -n $value ]]; then
    _orrery_offer "$value" "$front" "$current"
  elif [[ $current == -* ]]; then
    _orrery_offer "word $(_orrery_flags "$path")" '' "$current"
  elif [[ -n $commands ]]; then
    _orrery_offer "word $commands" '' "$current"
  else
    _orrery_offer "$(_orrery_arguments "$path")" '' "$current"
  fi
}

complete -F _orrery orrery
)bash";

void fill_in(std::string& script, std::string_view place, const std::string& text) {
  const std::size_t at = script.find(place);
  if (at == std::string::npos) unreachable("the script for bash lacks a place that is to be filled in");
  script.replace(at, place.size(), text);
}

}  // namespace

std::string bash_completion(const DescribedCommand& program) {
  const std::vector<const DescribedCommand*> all = with_inner_commands(program);
  std::string script(bash_script);
  fill_in(script, "@commands@", commands_cases(all));
  fill_in(script, "@flags@", flags_cases(all));
  fill_in(script, "@arguments@", arguments_cases(all));
  fill_in(script, "@values@", values_cases(all));
  return script;
}

}  // namespace orrery::core
