#include "cli/flags/network_model_flag.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <vector>

#include "base/diagnostics/words.hpp"
#include "network/graph/foreign_network_model.hpp"
#include "network/network_models.hpp"

namespace orrery::core {

namespace {

constexpr const char* model_flag = "--network-model";

std::string list_of_network_models() {
  std::vector<std::string> models;
  for (const auto& [word, model] : network_model_words)
    models.push_back(fmt::format("{} ({})", word, model->meaning));
  return fmt::format("{}", fmt::join(models, ", "));
}

}  // namespace

void NetworkModelFlag::add_to(CLI::App& command) {
  command.add_option(model_flag, word_, list_of_network_models())->expected(1);
}

std::optional<NetworkModel> NetworkModelFlag::model(const Extensions& extensions) const {
  if (!word_) return std::nullopt;
  const NetworkModel model = find_network_model(*word_, extensions);
  if (!model)
    throw InputError({model_flag}, "unknown word " + backquoted(*word_) + ", use " +
                                       alternatives(all_network_model_words(extensions)));
  return model;
}

}  // namespace orrery::core
