#include "workload/training/platform.hpp"

#include <optional>

#include <fmt/format.h>

#include "base/embedded_file.hpp"
#include "base/yaml_reader.hpp"
#include "compute/aligned_batches.hpp"
#include "workload/models/model_catalogue.hpp"

namespace orrery {

namespace {

struct Draft {
  const YamlNode* device = nullptr;
  const YamlNode* stack = nullptr;
  std::string source, library = "nccl";
  SourceLocation links_where;  // of the classes
  ClusterLinks links;
};

constexpr int most_gpus_per_node = 1 << 12;

constexpr YamlKey<Draft> platform_keys[] = {
    {"source", [](const YamlNode& v, Draft& d) { d.source = scalar_of(v, "source"); }},
    {"device", [](const YamlNode& v, Draft& d) { d.device = &v; }},
    {"gpus-per-node",
     [](const YamlNode& v, Draft& d) {
       d.links.gpus_per_node = int_of(v, "gpus-per-node", 1, most_gpus_per_node);
     }},
    {"inside",
     [](const YamlNode& v, Draft& d) {
       d.links.inside = scalar_of(v, "inside");
       d.links_where = v.where;
     }},
    {"between",
     [](const YamlNode& v, Draft& d) {
       d.links.between = scalar_of(v, "between");
       d.links_where = v.where;
     }},
    {"nics-per-node",
     [](const YamlNode& v, Draft& d) {
       d.links.nics_per_node = int_of(v, "nics-per-node", 0, most_gpus_per_node);
     }},
    {"library", [](const YamlNode& v, Draft& d) { d.library = scalar_of(v, "library"); }},
    {"stack", [](const YamlNode& v, Draft& d) { d.stack = &v; }},
};

constexpr YamlKey<SoftwareStack> stack_keys[] = {
    {"name", [](const YamlNode& v, SoftwareStack& s) { s.name = scalar_of(v, "name"); }},
    {"source", [](const YamlNode& v, SoftwareStack&) { scalar_of(v, "source"); }},
    {"host-time-per-operator",
     [](const YamlNode& v, SoftwareStack& s) {
       s.host_seconds_per_operator = time_of(v, "host-time-per-operator").ns() * 1e-9;
     }},
    {"host-time-per-exchange",
     [](const YamlNode& v, SoftwareStack& s) {
       s.host_seconds_per_exchange = time_of(v, "host-time-per-exchange").ns() * 1e-9;
     }},
    {"time-per-pass", [](const YamlNode& v,
                         SoftwareStack& s) { s.seconds_per_pass = time_of(v, "time-per-pass").ns() * 1e-9; }},
    {"kernel-slowdown",
     [](const YamlNode& v, SoftwareStack& s) {
       s.kernel_slowdown = real_of(v, "kernel-slowdown", 0.1, 100);
     }},
    {"elementwise-slowdown",
     [](const YamlNode& v, SoftwareStack& s) {
       s.elementwise_slowdown = real_of(v, "elementwise-slowdown", 0.1, 100);
     }},
    {"batches-need-alignment",
     [](const YamlNode& v, SoftwareStack& s) {
       s.batches_need_alignment = bool_of(v, "batches-need-alignment");
     }},
    {"exchange-efficiency",
     [](const YamlNode& v, SoftwareStack& s) {
       s.exchange_efficiency = real_of(v, "exchange-efficiency", 0.001, 1);
     }},
    {"sharding-efficiency",
     [](const YamlNode& v, SoftwareStack& s) {
       s.sharding_efficiency = real_of(v, "sharding-efficiency", 0.001, 1);
     }},
    {"bucket",
     [](const YamlNode& v, SoftwareStack& s) { s.bucket_bytes = bytes_of(v, "bucket").as_double(); }},
    {"attention", [](const YamlNode& v,
                     SoftwareStack& s) { s.attention = word_value_of(v, "attention", attention_words); }},
};

SoftwareStack stack_of(const YamlNode& map) {
  constexpr double not_given = 0;
  SoftwareStack stack;
  stack.elementwise_slowdown = stack.sharding_efficiency = not_given;
  read_map(map, "a software stack", stack_keys, stack);
  if (stack.sharding_efficiency == not_given) stack.sharding_efficiency = stack.exchange_efficiency;
  if (stack.elementwise_slowdown == not_given) stack.elementwise_slowdown = stack.kernel_slowdown;
  return stack;
}

// A file of this folder that comes with the program, by the word that `node` holds.
YamlNode embedded(const YamlNode& node, std::string_view key, const std::string& folder) {
  const std::string name = folder + "/" + scalar_of(node, key) + ".yaml";
  const auto text = embedded_file(name);
  if (!text) reject_word(node, key, embedded_names(folder));
  return parse_yaml(*text, name);
}

SoftwareStack read_stack(const YamlNode& node) {
  return stack_of(node.kind == YamlNode::Kind::map ? node : embedded(node, "stack", "stacks"));
}

std::string beside(const std::filesystem::path& folder, const std::string& name_or_file) {
  return is_model_path(name_or_file) ? (folder / name_or_file).string() : name_or_file;
}

Platform platform_of(const YamlNode& map, const std::filesystem::path& folder) {
  Draft draft;
  read_map(map, "a platform", platform_keys, draft);
  const YamlNode& device = required(map, "a platform", "device");
  required(map, "a platform", "inside");
  ComputingDevice computing =
      find_computing_device(beside(folder, scalar_of(device, "device")), device.where);
  const SoftwareStack stack = draft.stack ? read_stack(*draft.stack) : SoftwareStack{};
  if (stack.batches_need_alignment)
    computing.model = std::make_shared<const AlignedBatches>(computing.model, computing.facts);
  return {draft.source, std::move(computing),
          find_collective_library(beside(folder, draft.library), draft.links, draft.links_where), stack};
}

// The keys of a map without `base`, and those below that are not given there.
YamlNode over_base(const YamlNode& node, const YamlNode& below) {
  YamlNode map;
  map.kind = node.kind;
  map.where = node.where;
  for (const YamlNode* each : {&node, &below})
    for (std::size_t i = 0; i < each->names.size(); ++i) {
      if (each->names[i].text == "base" || map.find(each->names[i].text)) continue;
      map.names.push_back(each->names[i]);
      map.items.push_back(each->items[i]);
    }
  return map;
}

}  // namespace

Platform read_platform(const YamlNode& node, const std::filesystem::path& folder) {
  if (node.kind != YamlNode::Kind::map) return platform_of(embedded(node, "platform", "platforms"), folder);
  const YamlNode* base = node.find("base");
  if (!base) return platform_of(node, folder);
  return platform_of(over_base(node, embedded(*base, "base", "platforms")), folder);
}

std::vector<std::string_view> platform_words() {
  return embedded_names("platforms");
}

std::vector<std::string> platform_file_keys() {
  std::vector<std::string> keys = key_paths(".", platform_keys);
  keys.push_back(".base");
  for (const std::string& key : key_paths(".stack.", stack_keys)) keys.push_back(key);
  return keys;
}

}  // namespace orrery
