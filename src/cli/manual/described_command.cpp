#include "cli/manual/described_command.hpp"

#include <fmt/format.h>

#include "cli/subcommands.hpp"

namespace orrery::core {

namespace {

bool names_a_number(const std::string& type) {
  return type.starts_with("INT") || type.starts_with("UINT") || type.starts_with("FLOAT");
}

ValueChoice value_of_option(const CLI::Option& option, const std::vector<std::string>& names) {
  if (option.get_items_expected_max() == 0) return {};
  if (names_a_number(option.get_type_name())) return {ValueKind::number};
  for (const std::string& name : names)
    if (auto listed = listed_choice(name)) return *std::move(listed);
  return {ValueKind::text};
}

DescribedFlag described(const CLI::Option& option) {
  DescribedFlag flag;
  for (const std::string& name : option.get_snames()) flag.names.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) flag.names.push_back("--" + name);
  if (flag.names.empty()) flag.names.push_back(option.get_name(true));
  flag.description = option.get_description();
  flag.default_value = option.get_default_str();
  if (option.get_group() != "Options") flag.group = option.get_group();
  flag.value = value_of_option(option, flag.names);
  flag.required = option.get_required();
  flag.repeats =
      option.get_expected_max() > 1 || option.get_multi_option_policy() == CLI::MultiOptionPolicy::TakeAll;
  return flag;
}

DescribedCommand described(const CLI::App& app, const std::string& path) {
  DescribedCommand command{path, app.get_description(), {}, {}, {}};
  for (const CLI::Option* option : app.get_options())
    (option->nonpositional() ? command.flags : command.arguments).push_back(described(*option));
  for (const CLI::App* inner : app.get_subcommands([](const CLI::App*) { return true; }))
    command.commands.push_back(
        described(*inner, path.empty() ? inner->get_name() : path + " " + inner->get_name()));
  return command;
}

}  // namespace

DescribedCommand described_program() {
  const std::unique_ptr<CLI::App> app = bare_application();
  std::vector<Command> alive;  // options refer to variables that these hold
  for (const Subcommand& added : subcommands()) alive.push_back(add_subcommand(*app, added));
  return described(*app, "");
}

std::vector<const DescribedCommand*> with_inner_commands(const DescribedCommand& command) {
  std::vector<const DescribedCommand*> all{&command};
  for (const DescribedCommand& inner : command.commands)
    for (const DescribedCommand* found : with_inner_commands(inner)) all.push_back(found);
  return all;
}

std::string with_blanks(const std::vector<std::string_view>& words) {
  return fmt::format("{}", fmt::join(words, " "));
}

std::string last_word_of(const DescribedCommand& command) {
  const std::size_t blank = command.path.rfind(' ');
  return blank == std::string::npos ? command.path : command.path.substr(blank + 1);
}

}  // namespace orrery::core
