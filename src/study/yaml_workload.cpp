#include "study/yaml_workload.hpp"

#include <algorithm>
#include <array>

#include "base/yaml_reader.hpp"
#include "study/yaml_layers.hpp"
#include "workload/models/gpt3.hpp"
#include "workload/models/vgg16.hpp"

namespace orrery {
namespace {

constexpr int largest_option = 1 << 24;

int option_of(const YamlNode& node, std::string_view key) {
  return int_of(node, key, 1, largest_option);
}

constexpr YamlKey<Vgg16Options> vgg16_keys[] = {
    {"model", [](const YamlNode&, Vgg16Options&) {}},
    {"peak", [](const YamlNode& v, Vgg16Options& o) { o.flops_per_second = flops_of(v, "peak"); }},
    {"batch", [](const YamlNode& v, Vgg16Options& o) { o.batch = option_of(v, "batch"); }},
    {"image-size", [](const YamlNode& v, Vgg16Options& o) { o.image_size = option_of(v, "image-size"); }},
    {"classes", [](const YamlNode& v, Vgg16Options& o) { o.classes = option_of(v, "classes"); }},
    {"bytes-per-element",
     [](const YamlNode& v, Vgg16Options& o) { o.bytes_per_element = option_of(v, "bytes-per-element"); }},
};

constexpr YamlKey<Gpt3Options> gpt3_keys[] = {
    {"model", [](const YamlNode&, Gpt3Options&) {}},
    {"peak", [](const YamlNode& v, Gpt3Options& o) { o.flops_per_second = flops_of(v, "peak"); }},
    {"transformer-layers",
     [](const YamlNode& v, Gpt3Options& o) { o.transformer_layers = option_of(v, "transformer-layers"); }},
    {"tensor-parallel",
     [](const YamlNode& v, Gpt3Options& o) { o.tensor_parallel = option_of(v, "tensor-parallel"); }},
    {"batch", [](const YamlNode& v, Gpt3Options& o) { o.batch = option_of(v, "batch"); }},
    {"sequence", [](const YamlNode& v, Gpt3Options& o) { o.sequence = option_of(v, "sequence"); }},
    {"hidden", [](const YamlNode& v, Gpt3Options& o) { o.hidden = option_of(v, "hidden"); }},
    {"heads", [](const YamlNode& v, Gpt3Options& o) { o.heads = option_of(v, "heads"); }},
    {"vocabulary", [](const YamlNode& v, Gpt3Options& o) { o.vocabulary = option_of(v, "vocabulary"); }},
    {"bytes-per-element",
     [](const YamlNode& v, Gpt3Options& o) { o.bytes_per_element = option_of(v, "bytes-per-element"); }},
};

template <class Options, const auto& keys, LayerTable (*build)(const Options&)>
LayerTable read_model(const YamlNode& node) {
  Options options;
  options.where = node.where;
  read_map(node, "a workload", keys, options);
  return build(options);
}

struct Model {
  LayerTable (*read)(const YamlNode& node);
  std::vector<std::string> (*keys)();

  bool operator==(const Model&) const = default;
};
constexpr std::array<Word<Model>, 2> models{{
    {"vgg16", {read_model<Vgg16Options, vgg16_keys, vgg16>, [] { return key_paths(".", vgg16_keys); }}},
    {"gpt3", {read_model<Gpt3Options, gpt3_keys, gpt3>, [] { return key_paths(".", gpt3_keys); }}},
}};

}  // namespace

LayerTable read_yaml_workload(const YamlNode& workload) {
  require_map(workload, "a workload");
  if (const YamlNode* model = workload.find("model"))
    return word_value_of(*model, "model", models).read(workload);
  if (workload.find("layers")) return read_yaml_layers(workload);
  throw InputError(workload.where, "a workload needs the key `model` or the key `layers`");
}

std::vector<std::string> yaml_workload_keys() {
  std::vector<std::string> paths = yaml_layers_keys();
  for (const auto& [word, model] : models) {
    for (const std::string& path : model.keys())
      if (std::find(paths.begin(), paths.end(), path) == paths.end()) paths.push_back(path);
  }
  return paths;
}

}  // namespace orrery
