// orrery list: prints what comes with the program.
#include <algorithm>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <vector>

#include "base/diagnostics/words.hpp"
#include "cli/commands.hpp"
#include "cli/console.hpp"
#include "cli/inputs/model_files.hpp"
#include "report/catalogue.hpp"

namespace orrery::core {

namespace {

struct ListOptions {
  std::string what;
  bool json = false;
};

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
  const std::vector<CatalogueTable> tables = tables_of(options.what);
  if (options.what.empty())
    print(lists_text());
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
  return words;
}

Command add_list_command(CLI::App& command) {
  auto options = std::make_shared<ListOptions>();
  command.add_option(
      "what", options->what,
      "What to list: devices, host-stacks, models or platforms; or a file of a transformer, such as "
      "config.json");
  command.add_flag("--json", options->json, "Print everything as JSON");
  return [options](const CommandLine&) { return list(*options); };
}

}  // namespace orrery::core
