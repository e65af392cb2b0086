// orrery list: prints what comes with the program.
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>

#include "base/diagnostics/words.hpp"
#include "cli/commands.hpp"
#include "cli/console.hpp"
#include "cli/inputs/model_files.hpp"
#include "report/catalogue.hpp"

namespace orrery::core {

namespace {

std::string list_devices(bool json) {
  return json ? device_list_to_json(listed_devices()).dump(2) + "\n"
              : text_of(device_table, listed_devices());
}

std::string list_models(bool json) {
  const std::vector<ModelSummary> models = model_summaries();
  const std::vector<ListedTransformer> transformers = listed_transformers();
  if (!json) return text_of(model_table, models) + "\n" + text_of(transformer_table, transformers);
  const nlohmann::json list{{"models", json_of<nlohmann::json>(model_table, models)},
                            {"transformers", json_of<nlohmann::json>(transformer_table, transformers)}};
  return list.dump(2) + "\n";
}

std::string list_platforms(bool json) {
  const std::vector<ListedPlatform> platforms = listed_platforms();
  if (!json) return text_of(platform_table, platforms);
  return nlohmann::json{{"platforms", json_of<nlohmann::json>(platform_table, platforms)}}.dump(2) + "\n";
}

std::string list_host_stacks(bool json) {
  const std::vector<ListedHostStack> stacks = listed_host_stacks();
  if (!json) return text_of(host_stack_table, stacks);
  return nlohmann::json{{"host_stacks", json_of<nlohmann::json>(host_stack_table, stacks)}}.dump(2) + "\n";
}

// Returns one of the lists as text or as JSON.
using List = std::string (*)(bool json);
constexpr std::array<EnumName<List>, 4> lists{{
    {"devices", list_devices},
    {"host-stacks", list_host_stacks},
    {"models", list_models},
    {"platforms", list_platforms},
}};

// Returns what there is to list, for a command that does not say which list it wants.
std::string lists_text() {
  std::string text;
  for (const std::string_view word : words_of(lists)) text += "orrery list " + std::string(word) + "\n";
  return text;
}

struct ListOptions {
  std::string what;
  bool json = false;
};

int list(const ListOptions& options) {
  if (options.what.empty()) {
    std::cout << lists_text();
    return success;
  }
  const auto found = value_of(lists, options.what);
  if (!found && std::filesystem::is_regular_file(options.what) && describes_transformer(options.what)) {
    print_transformers({options.what}, options.json);
    return success;
  }
  if (!found)
    throw InputError(
        {}, "there is no list of " + backquoted(options.what) + ", use " + alternatives(words_of(lists)));
  print((*found)(options.json));
  return success;
}

}  // namespace

std::vector<std::string_view> words_of_lists() {
  return words_of(lists);
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
