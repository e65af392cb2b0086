#include "study/yaml_workload.hpp"

#include <algorithm>

#include "base/token_reader.hpp"
#include "base/yaml_reader.hpp"
#include "study/yaml_layers.hpp"
#include "study/yaml_training.hpp"
#include "workload/models/model_catalogue.hpp"

namespace orrery {
namespace {

constexpr int largest_option = 1 << 24;

std::vector<std::string_view> model_keys(const std::vector<std::string>& parameters) {
  std::vector<std::string_view> keys{"model", "peak", "datatype"};
  keys.insert(keys.end(), yaml_training_keys().begin(), yaml_training_keys().end());
  keys.insert(keys.end(), parameters.begin(), parameters.end());
  keys.push_back("bytes-per-element");
  return keys;
}

ModelFile model_file_of(const YamlNode& model, const std::filesystem::path& folder, const FileLoader& load) {
  const std::string& text = scalar_of(model, "model");
  return find_model_file(
      is_model_path(text) ? (folder / text).string() : text, model.where, [&](const std::string& path) {
        try {
          return load(path);
        } catch (const InputError& error) {
          throw InputError(model.where, std::string("no model file that can be read: ") + error.what());
        }
      });
}

TrainedModel trained_model(const YamlNode& workload, const WorkloadContext& context, const FileLoader& load,
                           Warnings& warnings) {
  const ModelFile file = model_file_of(*workload.find("model"), context.folder, load);
  const std::vector<std::string> parameters = parameters_of_model_file(file.text, file.name);
  require_map_of(workload, "a workload", model_keys(parameters));
  Training training;
  training.where = workload.where;
  training.device = context.device;
  training.machine = context.machine;
  const YamlNode* peak = workload.find("peak");
  if (peak) training.flops_per_second = flops_of(*peak, "peak");
  if (training.device && peak) throw InputError(peak->where, "the run has a `device`, leave `peak` out");
  if (const YamlNode* type = workload.find("datatype")) {
    if (!training.device)
      throw InputError(type->where, "`datatype` is of a `device`, which the run does not have");
    training.type = word_value_of(*type, "datatype", datatype_words);
    training.type_where = type->where;
  }
  if (const YamlNode* bytes = workload.find("bytes-per-element"))
    training.bytes_per_element = int_of(*bytes, "bytes-per-element", 1, largest_option);
  read_yaml_training(workload, context.folder, load, training, warnings);
  std::vector<ParameterChoice> choices;
  for (const std::string& name : parameters) {
    const YamlNode* node = workload.find(name);
    if (!node) continue;
    const auto value = parse_unsigned(scalar_of(*node, name));
    if (!value) reject_value(*node, name, "a whole number");
    choices.push_back({name, *value, node->where});
  }
  return train(read_neural_network(file.text, file.name, choices), training, warnings);
}

}  // namespace

TrainedModel read_yaml_workload(const YamlNode& workload, const WorkloadContext& context, Warnings& warnings,
                                const FileLoader& load) {
  require_map(workload, "a workload");
  if (workload.find("model")) return trained_model(workload, context, load, warnings);
  if (workload.find("layers")) {
    if (context.device)
      throw InputError(workload.where, "layers say their times, leave the run's `device` out");
    return {read_yaml_layers(workload), {}};
  }
  throw InputError(workload.where, "a workload needs the key `model` or the key `layers`");
}

std::vector<std::string> yaml_workload_keys() {
  std::vector<std::string> paths = yaml_layers_keys();
  const auto add = [&](const std::string& path) {
    if (std::find(paths.begin(), paths.end(), path) == paths.end()) paths.push_back(path);
  };
  for (const std::string_view word : model_words()) {
    const ModelFile file = find_model_file(std::string(word), {});
    const std::vector<std::string> parameters = parameters_of_model_file(file.text, file.name);
    for (const std::string_view key : model_keys(parameters)) add("." + std::string(key));
  }
  return paths;
}

}  // namespace orrery
