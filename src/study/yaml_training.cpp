#include "study/yaml_training.hpp"

#include <fmt/format.h>

#include "base/yaml_reader.hpp"

namespace orrery {
namespace {

constexpr std::string_view training_keys[] = {"strategy", "strategies", "memory", "optimizer", "sharding"};
constexpr int highest_sharding = 2;  // what stage 3 gathers again and again is not in layer tables

std::string relative_to(const std::filesystem::path& folder, const std::string& path) {
  return (folder / path).string();
}

void read_strategies(const YamlNode& node, const std::filesystem::path& folder, const FileLoader& load,
                     Training& training, Warnings& warnings) {
  if (training.policy != TrainingPolicy::hybrid_customized)
    throw InputError(node.where,
                     "`strategies` are those of the layers under `strategy: hybrid-customized`; "
                     "write that, or leave them out");
  const std::string path = relative_to(folder, scalar_of(node, "strategies"));
  training.layers = read_layer_strategies(load(path), path, warnings);
}

void read_memory(const YamlNode& workload, const std::filesystem::path& folder, Training& training) {
  if (const YamlNode* node = workload.find("memory")) {
    const std::string& text = scalar_of(*node, "memory");
    const bool is_path = text.find('/') != std::string::npos || text.ends_with(".yaml");
    training.memory_profile = is_path ? relative_to(folder, text) : text;
    training.memory_where = node->where;
  }
  if (const YamlNode* node = workload.find("optimizer"))
    training.optimizer = word_value_of(*node, "optimizer", optimizer_words);
  if (const YamlNode* node = workload.find("sharding"))
    training.sharding = int_of(*node, "sharding", 0, highest_sharding);
}

}  // namespace

std::span<const std::string_view> yaml_training_keys() {
  return training_keys;
}

void read_yaml_training(const YamlNode& workload, const std::filesystem::path& folder, const FileLoader& load,
                        Training& training, Warnings& warnings) {
  training.policy_where = workload.where;
  if (const YamlNode* node = workload.find("strategy")) {
    training.policy = word_value_of(*node, "strategy", strategy_words);
    training.policy_where = node->where;
  }
  if (const YamlNode* node = workload.find("strategies"))
    read_strategies(*node, folder, load, training, warnings);
  else if (training.policy == TrainingPolicy::hybrid_customized)
    throw InputError(training.policy_where,
                     "the layers' own strategies are missing, name their file with `strategies`");
  const YamlNode* batch = workload.find("batch");
  training.batch_where = (batch ? batch : workload.find("model"))->where;
  for (const char* key : {"memory", "optimizer", "sharding"})
    if (const YamlNode* node = workload.find(key); node && !training.device)
      throw InputError(
          node->where,
          fmt::format("`{}` is about the memory of a `device`, which the run does not have", key));
  read_memory(workload, folder, training);
}

}  // namespace orrery
