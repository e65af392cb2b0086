#include "study/machine_parameters.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <string_view>
#include <utility>

#include "compute/device_file.hpp"
#include "network/host/host_stack_file.hpp"
#include "study/improvement.hpp"
#include "study/pieces.hpp"
#include "study/run_keys.hpp"
#include "topology/graph/graph_file.hpp"
#include "workload/training/platform.hpp"

namespace orrery {

namespace {

struct Place {
  const std::filesystem::path& folder;
  const FileLoader& load;
};

InputNode as_written(const InputNode& node, const Place&) {
  return node;
}
InputNode whole_platform(const InputNode& node, const Place& place) {
  return written_out_platform(node, place.folder);
}
InputNode whole_device(const InputNode& node, const Place& place) {
  return device_map(node, place.folder);
}
InputNode whole_host_stack(const InputNode& node, const Place& place) {
  return host_stack_map(node,
                        [&](const std::string& path) { return place.load((place.folder / path).string()); });
}

// The keys of an experiment that describe machines; `pieces` names what a word there may stand for.
struct MachineKey {
  const char* key;
  const char* pieces;
  InputNode (*written_out)(const InputNode& node, const Place& place);
};
constexpr MachineKey machine_keys[] = {
    {"compute-scale", "", as_written},     {"network", "networks", as_written},
    {"routing", "", as_written},           {"packets", "", as_written},
    {"host-stack", "", whole_host_stack},  {"system", "systems", as_written},
    {"device", "", whole_device},          {"platform", "platforms", whole_platform},
    {"workload", "workloads", as_written},
};

// Returns the map of a run; null where the document is the run. `Node` is an InputNode, const or not.
template <class Node>
Node* run_of(Node& document, const std::string& name) {
  Node* const runs = document.find("runs");
  if (!runs) return nullptr;
  for (Node& run : runs->items)
    if (Node* const own = run.find("name"); own && own->text == name) return &run;
  return nullptr;
}

// What stands in a path for an element of a list: its name, or its place.
std::string step_of(const InputNode& list, std::size_t place) {
  const InputNode* const name = list.items[place].find("name");
  const bool fits = name && !name->text.empty() && name->text.find_first_of("=*") == std::string::npos;
  return fits ? name->text : std::to_string(place);
}

bool is_useless(const KeyFacts& key, const RunSpec& spec) {
  const int kind = static_cast<int>(spec.workload->kind(spec));
  return std::ranges::find(key.useless, kind, &UselessIn::kind) != key.useless.end();
}

class Collector {
 public:
  Collector(const InputNode& document, const RunSpec& spec, const Place& place)
      : document_(document), spec_(spec), place_(place), run_(run_of(document, spec.name)) {}

  std::vector<MachineParameter> collect() {
    for (const MachineKey& key : machine_keys) collect_below(key);
    return std::move(parameters_);
  }

 private:
  void collect_below(const MachineKey& key) {
    know(key.key);
    if (is_useless(*facts_.at(key.key), spec_)) return;
    const InputNode* const own = run_ ? run_->find(key.key) : nullptr;
    const InputNode* const value = own ? own : document_.find(key.key);
    std::string path = key.key;
    if (own) path = "runs." + step_of_run() + "." + path;
    if (value) {
      Pieces pieces(key.pieces, Pieces::OtherBase::for_the_reader);
      pieces.take(document_.find(key.pieces));
      const InputNode& meant = pieces.resolve(*value);
      // Other pieces are changed by `base`, which networks have not.
      if (&meant != value && std::string_view(key.key) == "network")
        path = "networks." + last_name(*value, pieces);
      walk(key.written_out(meant, place_), path, key.key, is_graph(meant));
    }
    add_defaults(key.key, path);
  }

  // A piece may be the name of another.
  static std::string last_name(const InputNode& value, const Pieces& pieces) {
    const InputNode* node = &value;
    while (const InputNode* piece = pieces.find(node->text)) {
      if (piece->kind != InputNode::Kind::scalar || !pieces.find(piece->text)) break;
      node = piece;
    }
    return node->text;
  }

  std::string step_of_run() const {
    const InputNode& runs = *document_.find("runs");
    return step_of(runs, static_cast<std::size_t>(run_ - runs.items.data()));
  }

  // Finds the declarations of all keys that begin with `first`.
  void know(const std::string& first) {
    facts_.clear();
    known_ = experiment_file_keys(first);
    for (std::size_t i = 0, count = known_.size(); i < count; ++i) {
      if (!known_[i].facts->is_open) continue;
      const std::string prefix = known_[i].path + ".";
      for (KeyPath& below : device_file_keys()) known_.push_back({prefix + below.path, below.facts});
    }
    for (const KeyPath& key : known_) facts_.emplace(key.path, key.facts);
  }

  // `schema` is the path as the declarations have it.
  void walk(const InputNode& node, const std::string& path, const std::string& schema, bool in_graph) {
    seen_.insert(schema);
    if (node.kind == InputNode::Kind::map) {
      const bool in_list = !in_graph && !facts_.contains(schema + "." + first_name(node));
      for (std::size_t i = 0; i < node.items.size(); ++i)
        walk(node.items[i], path + "." + node.names[i].text,
             schema + (in_list ? "[]." : ".") + node.names[i].text, in_graph);
    } else if (node.kind == InputNode::Kind::list) {
      for (std::size_t i = 0; i < node.items.size(); ++i)
        walk(node.items[i], path + "." + step_of(node, i), schema + "[]", in_graph);
    } else if (const auto facts = facts_.find(schema); in_graph || facts != facts_.end()) {
      add(path, in_graph ? schema : "", node.text, in_graph ? nullptr : facts->second);
    }
  }

  static std::string first_name(const InputNode& map) {
    return map.names.empty() ? std::string() : map.names.front().text;
  }

  // Of a graph, elements of a list with equal values are one class of links: `class_path` has no numbers of
  // elements. Elsewhere each value is one of its own.
  void add(const std::string& path, const std::string& class_path, const std::string& value,
           const KeyFacts* facts) {
    if (Improvement::of(value, facts).empty()) return;
    if (class_path.find("[]") != std::string::npos) {
      const auto [found, is_new] = classes_.emplace(std::pair(class_path, value), parameters_.size());
      if (!is_new) {
        MachineParameter& same = parameters_[found->second];
        same.paths.push_back(path);
        same.key = with_star(same.paths.front(), path);
        return;
      }
    }
    parameters_.push_back({path, {path}, value, facts, true});
  }

  // "links.*.bandwidth" for "links.0.bandwidth" and "links.1.bandwidth".
  static std::string with_star(std::string_view one, std::string_view other) {
    const std::size_t least = std::min(one.size(), other.size());
    std::size_t front = 0, back = 0;
    while (front < least && one[front] == other[front]) ++front;
    front = one.rfind('.', front) + 1;
    while (back < least - front && one[one.size() - 1 - back] == other[other.size() - 1 - back]) ++back;
    const std::string_view end = one.substr(one.size() - back);
    return std::string(one.substr(0, front)) + "*" +
           std::string(end.substr(std::min(end.find('.'), end.size())));
  }

  // Adds what is not written but has a default that can be varied, of keys whose declarations ask for it.
  void add_defaults(const std::string& first, const std::string& path) {
    for (const KeyPath& key : known_) {
      if (key.facts->better == Better::as_unit || key.facts->better == Better::never) continue;
      if (seen_.contains(key.path) || key.path.find('[') != std::string::npos) continue;
      const std::string value(key.facts->fallback);
      if (Improvement::of(value, key.facts).empty()) continue;
      const std::string whole = path + key.path.substr(first.size());
      parameters_.push_back({whole, {whole}, value, key.facts, false});
    }
  }

  const InputNode& document_;
  const RunSpec& spec_;
  const Place& place_;
  const InputNode* run_;  // null: the document is the run
  std::vector<KeyPath> known_;
  std::map<std::string, const KeyFacts*> facts_;
  std::set<std::string> seen_;  // schemas of what is written
  std::map<std::pair<std::string, std::string>, std::size_t> classes_;
  std::vector<MachineParameter> parameters_;
};

}  // namespace

void write_out_network(InputNode& document, const std::string& run, const std::filesystem::path& folder,
                       const FileLoader& load) {
  InputNode* const own = run_of(document, run);
  InputNode* network = own ? own->find("network") : nullptr;
  if (!network) network = document.find("network");
  const InputNode* const named = document.find("networks");
  if (!network || network->kind != InputNode::Kind::scalar) return;
  if (named && named->find(network->text)) return;
  const std::string file = (folder / network->text).string();
  const std::string text = load(file);
  if (is_yaml_graph(text)) *network = parse_yaml(text, file);
}

std::vector<MachineParameter> machine_parameters(const InputNode& document, const RunSpec& spec,
                                                 const std::filesystem::path& folder,
                                                 const FileLoader& load) {
  const Place place{folder, load};
  return Collector(document, spec, place).collect();
}

}  // namespace orrery
