#include "cli/flags/option_prefixes.hpp"

#include <algorithm>

#include "base/diagnostics/diagnostics.hpp"
#include "base/diagnostics/words.hpp"

namespace orrery::core {

namespace {

std::vector<std::string> long_names(const CLI::App& command) {
  std::vector<std::string> names;
  for (const CLI::Option* option : command.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back(name);
  }
  return names;
}

// "compute systolic"
std::string path_of(const CLI::App& command) {
  const CLI::App* parent = command.get_parent();
  const bool nested = parent && parent->get_parent();
  return (nested ? path_of(*parent) + " " : "") + command.get_name();
}

[[noreturn]] void reject_unknown(const std::string& flag, const std::vector<std::string>& names,
                                 const CLI::App& command) {
  std::vector<std::string> flags;
  for (const std::string& name : names) flags.push_back("--" + name);
  const std::vector<std::string_view> known(flags.begin(), flags.end());
  const std::string meant = suggestion(flag, known);
  throw InputError(
      {flag}, "unknown flag" + (meant.empty() ? ", see `orrery " + path_of(command) + " --help`" : meant));
}

}  // namespace

void expand_option_prefixes(const CLI::App& command, std::vector<std::string>& arguments) {
  const std::vector<std::string> names = long_names(command);
  for (std::string& argument : arguments) {
    if (argument.size() < 3 || argument.compare(0, 2, "--") != 0) continue;
    const std::size_t end = std::min(argument.find('='), argument.size());
    const std::string written = argument.substr(2, end - 2);
    if (written.empty() || std::find(names.begin(), names.end(), written) != names.end()) continue;
    std::vector<std::string> candidates;
    std::copy_if(names.begin(), names.end(), std::back_inserter(candidates),
                 [&](const std::string& name) { return name.compare(0, written.size(), written) == 0; });
    if (candidates.size() > 1) {
      std::string list;
      for (const std::string& name : candidates) list += (list.empty() ? "--" : ", --") + name;
      throw InputError({"--" + written}, "could mean any of " + list + ", write more of its name");
    }
    if (candidates.empty()) reject_unknown("--" + written, names, command);
    if (candidates.size() == 1) argument = "--" + candidates[0] + argument.substr(end);
  }
}

}  // namespace orrery::core
