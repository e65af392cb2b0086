// orrery list: prints what comes with the program, and what plug-ins add to it.
#include <algorithm>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <vector>

#include "api/plugins/part_kinds.hpp"
#include "base/diagnostics/words.hpp"
#include "cli/commands.hpp"
#include "cli/console.hpp"
#include "cli/flags/plugin_flags.hpp"
#include "cli/inputs/model_files.hpp"
#include "report/catalogue.hpp"

namespace orrery::core {

namespace {

struct ListOptions {
  std::string what;
  bool json = false;
  PluginFlags plugins;
};

std::string list_plugins(const ListOptions& options) {
  const std::vector<ListedPart> parts = listed_parts(options.plugins.registry());
  if (options.json)
    return nlohmann::json{{"plug_ins", json_of<nlohmann::json>(listed_part_table, parts)}}.dump(2) + "\n";
  if (!options.plugins.any_given())
    return "No plug-in is loaded.\n`orrery list plug-ins --plugin FILE.so` lists what one adds.\n";
  return parts.empty() ? "The plug-ins add nothing.\n" : text_of(listed_part_table, parts);
}

constexpr std::string_view plugins_word = "plug-ins";

// Returns the tables of a list of what comes with the program; none where there is no such list.
std::vector<CatalogueTable> tables_of(std::string_view list) {
  std::vector<CatalogueTable> tables;
  for (const CatalogueTable& table : catalogue_tables())
    if (table.list == list) tables.push_back(table);
  return tables;
}

std::string list_tables(const std::vector<CatalogueTable>& tables, bool json) {
  std::string text;
  auto object = nlohmann::ordered_json::object();
  for (const CatalogueTable& table : tables) {
    if (json)
      object[table.key()] = table.json();
    else
      text.append(text.empty() ? "" : "\n").append(table.text());
  }
  return json ? object.dump(2) + "\n" : text;
}

// Returns what there is to list, for a command that does not say which list it wants.
std::string lists_text() {
  std::string text;
  for (const std::string_view word : words_of_lists()) text += "orrery list " + std::string(word) + "\n";
  return text;
}

int list(const ListOptions& options) {
  const bool plugins = options.what == plugins_word;
  if (options.plugins.any_given() && !plugins)
    throw InputError({}, "`--plugin` is for `orrery list plug-ins`; leave it out, or list these");
  const std::vector<CatalogueTable> tables = tables_of(options.what);
  if (options.what.empty())
    print(lists_text());
  else if (plugins)
    print(list_plugins(options));
  else if (!tables.empty())
    print(list_tables(tables, options.json));
  else if (std::filesystem::is_regular_file(options.what) && describes_transformer(options.what))
    print_transformers({options.what}, options.json);
  else
    throw InputError(
        {}, "there is no list of " + backquoted(options.what) + ", use " + alternatives(words_of_lists()));
  return success;
}

}  // namespace

std::vector<std::string_view> words_of_lists() {
  std::vector<std::string_view> words;
  for (const CatalogueTable& table : catalogue_tables())
    if (std::ranges::find(words, table.list) == words.end()) words.push_back(table.list);
  words.push_back(plugins_word);
  std::ranges::sort(words);
  return words;
}

Command add_list_command(CLI::App& command) {
  auto options = std::make_shared<ListOptions>();
  command.add_option(
      "what", options->what,
      "What to list: backends, devices, host-stacks, models, platforms, plug-ins or stacks; or a "
      "file of a transformer, such as config.json");
  options->plugins.add_to(command);
  command.add_flag("--json", options->json, "Print everything as JSON");
  return [options](const CommandLine&) { return list(*options); };
}

}  // namespace orrery::core
