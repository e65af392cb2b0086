#include "workload/training/platform.hpp"

#include <fmt/format.h>

#include "base/embedded_file.hpp"
#include "base/file.hpp"
#include "base/nearest_names.hpp"
#include "base/yaml_reader.hpp"
#include "collective/library/library_file.hpp"
#include "compute/aligned_batches.hpp"
#include "workload/models/model_catalogue.hpp"

namespace orrery {

namespace {

struct Draft {
  const YamlNode* device = nullptr;
  const YamlNode* stack = nullptr;
  std::string source, library = "nccl";
  ClusterLinks links;
};

constexpr int most_gpus_per_node = 1 << 12;

LinkChoice link_of(const YamlNode& node, std::string_view key) {
  if (node.kind != YamlNode::Kind::map) scalar_of(node, key);
  return LinkChoice(node);
}

constexpr YamlKey<Draft> platform_keys[] = {
    {"source", [](const YamlNode& v, Draft& d) { d.source = scalar_of(v, "source"); }},
    {"device", [](const YamlNode& v, Draft& d) { d.device = &v; }},
    {"gpus-per-node",
     [](const YamlNode& v, Draft& d) {
       d.links.gpus_per_node = int_of(v, "gpus-per-node", 1, most_gpus_per_node);
     }},
    {"inside", [](const YamlNode& v, Draft& d) { d.links.inside = link_of(v, "inside"); }, inside_link_keys},
    {"between", [](const YamlNode& v, Draft& d) { d.links.between = link_of(v, "between"); },
     between_link_keys},
    {"nics-per-node",
     [](const YamlNode& v, Draft& d) {
       d.links.nics_per_node = int_of(v, "nics-per-node", 0, most_gpus_per_node);
     }},
    {"library", [](const YamlNode& v, Draft& d) { d.library = scalar_of(v, "library"); }},
    {"stack", [](const YamlNode& v, Draft& d) { d.stack = &v; }},
};

constexpr YamlKey<SoftwareStack> stack_keys[] = {
    {"name", [](const YamlNode& v, SoftwareStack& s) { s.name = label_of(v, "name"); }},
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

// The keys of a map without `base`, and those of `below` that it lacks. A map in it without a `base` is in
// the same way over what `below` has for that key.
YamlNode over_base(const YamlNode& node, const YamlNode& below) {
  YamlNode map;
  map.kind = node.kind;
  map.where = node.where;
  const auto add = [&](const YamlName& name, YamlNode item) {
    map.names.push_back(name);
    map.items.push_back(std::move(item));
  };
  for (std::size_t i = 0; i < node.names.size(); ++i) {
    const YamlName& name = node.names[i];
    YamlNode item = node.items[i];
    const YamlNode* under = below.find(name.text);
    if (name.text == "base") continue;
    if (under && item.kind == YamlNode::Kind::map && !item.find("base")) {
      if (under->kind == YamlNode::Kind::map) {
        item = over_base(item, *under);
      } else {
        item.names.push_back({"base", under->where});
        item.items.push_back(*under);
      }
    }
    add(name, std::move(item));
  }
  for (std::size_t i = 0; i < below.names.size(); ++i)
    if (!map.find(below.names[i].text)) add(below.names[i], below.items[i]);
  return map;
}

// Resolves a word, a path or a map to keys: those of a file that comes with the program, of the user's file,
// or those of the map; in each case with those of its `base`, which is a word or a path again.
class KeysOver {
 public:
  using Folder = std::filesystem::path;

  // `kind` is the folder of the files that come with the program; `settle` is given each map and the folder
  // to which the paths in it are relative.
  KeysOver(std::string kind, void (*settle)(YamlNode& map, const Folder& folder))
      : kind_(std::move(kind)), settle_(settle) {}

  YamlNode of(const YamlNode& node, std::string_view key, const Folder& folder, int depth = 0) const {
    if (depth > most_bases)
      throw InputError(node.where, fmt::format("there are more than {} files over one another; is one of "
                                               "them its own `base`?",
                                               most_bases));
    if (node.kind == YamlNode::Kind::map) return of_map(node, folder, depth);
    const std::string& word = scalar_of(node, key);
    if (is_model_path(word)) {
      const std::string file = (folder / word).lexically_normal().string();
      return of_map(parse_yaml(read_text_file(file), file), Folder(file).parent_path(), depth);
    }
    const std::string name = kind_ + "/" + word + ".yaml";
    if (const auto text = embedded_file(name)) return of_map(parse_yaml(*text, name), {}, depth);
    throw InputError(node.where,
                     none_of_name(kind_.substr(0, kind_.size() - 1), word, embedded_names(kind_)) +
                         ", or give the path of a file");
  }

 private:
  static constexpr int most_bases = 16;

  YamlNode of_map(YamlNode map, const Folder& folder, int depth) const {
    require_map(map, fmt::format("a file of {}", kind_));
    if (settle_) settle_(map, folder);
    const YamlNode* base = map.find("base");
    return base ? over_base(map, of(*base, "base", folder, depth + 1)) : map;
  }

  std::string kind_;
  void (*settle_)(YamlNode& map, const Folder& folder);
};

// Makes a path relative to where the program runs.
void settle_path(YamlNode* value, const std::filesystem::path& folder) {
  if (value && value->kind == YamlNode::Kind::scalar && is_model_path(value->text))
    value->text = (folder / value->text).string();
}

void settle_paths(YamlNode& platform, const std::filesystem::path& folder) {
  for (const auto key : {"device", "library", "stack"}) settle_path(platform.find(key), folder);
  if (YamlNode* stack = platform.find("stack")) settle_path(stack->find("base"), folder);
}

SoftwareStack read_stack(const YamlNode& node) {
  return stack_of(KeysOver("stacks", nullptr).of(node, "stack", {}));
}

const YamlNode& required_of_platform(const YamlNode& map, std::string_view key) {
  if (const YamlNode* value = map.find(key)) return *value;
  throw InputError(map.where, fmt::format("a platform needs the key `{}`, or a `base` that has it", key));
}

}  // namespace

Platform read_platform(const YamlNode& node, const std::filesystem::path& folder) {
  const YamlNode map = KeysOver("platforms", settle_paths).of(node, "platform", folder);
  Draft draft;
  read_map(map, "a platform", platform_keys, draft);
  const YamlNode& device = required_of_platform(map, "device");
  required_of_platform(map, "inside");
  ComputingDevice computing = find_computing_device(scalar_of(device, "device"), device.where);
  const SoftwareStack stack = draft.stack ? read_stack(*draft.stack) : SoftwareStack{};
  if (stack.batches_need_alignment)
    computing.model = std::make_shared<const AlignedBatches>(computing.model, computing.facts);
  return {draft.source, std::move(computing), find_collective_library(draft.library, draft.links, map.where),
          stack};
}

std::vector<std::string_view> platform_words() {
  return embedded_names("platforms");
}

std::vector<std::string> platform_file_keys() {
  std::vector<std::string> keys = key_paths(".", platform_keys);
  keys.push_back(".base");
  keys.push_back(".stack.base");
  for (const std::string& key : key_paths(".stack.", stack_keys)) keys.push_back(key);
  return keys;
}

}  // namespace orrery
