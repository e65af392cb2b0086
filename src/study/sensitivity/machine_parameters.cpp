#include "study/sensitivity/machine_parameters.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>

#include "compute/device_file.hpp"
#include "network/network_options.hpp"
#include "study/experiment/pieces/named_definitions.hpp"
#include "study/experiment/run_keys.hpp"
#include "study/sensitivity/improvement.hpp"
#include "study/sensitivity/parameter_meaning.hpp"
#include "study/workloads/transformer/transformer_workload.hpp"
#include "topology/graph/formats/graph_file.hpp"
#include "topology/graph/routing/routing_kinds.hpp"
#include "workload/training/platform.hpp"

namespace orrery::core {

namespace {

struct Place {
  const std::filesystem::path& folder;
  const FileLoader& load;
  Purpose purpose;  // of platforms
};

InputNode as_written(const InputNode& node, const Place&) {
  return node;
}
InputNode whole_platform(const InputNode& node, const Place& place) {
  return written_out_platform(node, place.folder, place.load, place.purpose);
}
InputNode whole_device(const InputNode& node, const Place& place) {
  return device_map(node, place.folder, place.load);
}
template <std::size_t number>
InputNode whole_option(const InputNode& node, const Place& place) {
  return network_option_kinds[number]->written_out(node, {place.folder, place.load});
}

// The keys of an experiment that describe machines; `pieces` names what a word there may stand for.
struct MachineKey {
  const char* key;
  const char* pieces;
  InputNode (*written_out)(const InputNode& node, const Place& place);
};
constexpr MachineKey machine_keys_before_options[] = {
    {"compute-scale", "", as_written},
    {"network", "networks", as_written},
    {"routing", "", as_written},
    {"packets", "", as_written},
};
constexpr MachineKey machine_keys_behind_options[] = {
    {"system", "systems", as_written},
    {"device", "", whole_device},
    {"platform", "platforms", whole_platform},
    {"workload", "workloads", as_written},
};

// Calls a function with the options of the network that can be written out.
template <class Function, std::size_t... number>
void for_each_option(const Function& function, std::index_sequence<number...> /*all*/) {
  const auto call = [&](const NetworkOptionKind& kind, auto* whole) {
    if (kind.written_out) function(MachineKey{kind.key.name.data(), "", whole});
  };
  (call(*network_option_kinds[number], whole_option<number>), ...);
}

// Returns the map of a run; null where the document is the run. `Node` is an InputNode, const or not.
template <class Node>
Node* run_of(Node& document, const std::string& name) {
  Node* const runs = document.find("runs");
  if (!runs) return nullptr;
  for (Node& run : runs->items)
    if (Node* const own = run.find("name"); own && own->text == name) return &run;
  return nullptr;
}

// Returns what stands in a path for an element of a list: its name, or its place.
std::string step_of(const InputNode& list, std::size_t place) {
  const InputNode* const name = list.items[place].find("name");
  const bool fits = name && !name->text.empty() && name->text.find_first_of("=*") == std::string::npos;
  return fits ? name->text : std::to_string(place);
}

// A default that the declaration describes in words.
struct NamedDefault {
  std::string_view schema;
  std::string_view (*of)(const RunSpec& spec);
};
constexpr NamedDefault named_defaults[] = {
    {"routing",
     [](const RunSpec& spec) { return std::string_view(usual_routing(*spec.topology->graph)->name); }},
};

std::string default_of(const KeyPath& key, const RunSpec& spec) {
  for (const NamedDefault& one : named_defaults)
    if (one.schema == key.path) return std::string(one.of(spec));
  std::string text(key.facts->fallback);
  std::erase(text, '`');
  return text;
}

bool is_chosen(const KeyFacts& key) {
  return key.better != Better::as_unit && key.better != Better::never;
}

// "[tensor, data]"
std::string text_of_list(const InputNode& list) {
  std::string text;
  for (const InputNode& item : list.items) text += (text.empty() ? "[" : ", ") + item.text;
  return text + "]";
}

class Collector {
 public:
  Collector(const InputNode& document, const RunSpec& spec, const UsedCollectives& used, const Place& place)
      : document_(document), spec_(spec), used_(used), place_(place), run_(run_of(document, spec.name)) {}

  std::vector<MachineParameter> collect() {
    for (const MachineKey& key : machine_keys_before_options) collect_below(key);
    for_each_option([&](const MachineKey& key) { collect_below(key); },
                    std::make_index_sequence<network_option_kinds.size()>());
    for (const MachineKey& key : machine_keys_behind_options) collect_below(key);
    return std::move(parameters_);
  }

 private:
  void collect_below(const MachineKey& key) {
    know(key.key);
    if (!matters(key.key, *facts_.at(key.key))) return;
    const InputNode* const own = run_ ? run_->find(key.key) : nullptr;
    const InputNode* const value = own ? own : document_.find(key.key);
    std::string path = key.key;
    if (own) path = "runs." + step_of_run() + "." + path;
    if (value) {
      NamedDefinitions pieces(key.pieces, NamedDefinitions::OtherBase::for_the_reader);
      pieces.take(document_.find(key.pieces));
      const InputNode& meant = pieces.resolve(*value);
      // Other pieces are changed by `base`, which networks have not.
      if (&meant != value && std::string_view(key.key) == "network")
        path = "networks." + last_name(*value, pieces);
      walk(key.written_out(meant, place_), {path, key.key});
    }
    add_defaults(key.key, path);
    if (std::string_view(key.key) == "system") add_algorithms_by_dimension(path);
  }

  // A piece may be the name of another.
  static std::string last_name(const InputNode& value, const NamedDefinitions& pieces) {
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

  bool matters(std::string_view schema, const KeyFacts& key) const {
    return means_something(schema, key, spec_, used_);
  }

  // The place of a value. `schema` is the path as the declarations have it.
  struct Spot {
    std::string path, schema;
    bool in_graph = false;

    Spot below(const std::string& step, const std::string& schema_step) const {
      return {path + "." + step, schema + schema_step, in_graph};
    }
  };

  void walk(const InputNode& node, const Spot& spot) {
    seen_.insert(spot.schema);
    const auto facts = facts_.find(spot.schema);
    const KeyFacts* const key = facts == facts_.end() ? nullptr : facts->second;
    if (key && !matters(spot.schema, *key)) return;
    if (node.kind == InputNode::Kind::map) {
      walk_map(node, spot);
    } else if (node.kind == InputNode::Kind::list && key && is_chosen(*key) && is_flat(node)) {
      add(spot, text_of_list(node), key, true);
    } else if (node.kind == InputNode::Kind::list) {
      for (std::size_t i = 0; i < node.items.size(); ++i)
        walk(node.items[i], spot.below(step_of(node, i), "[]"));
    } else if (key) {
      add(spot, node.text, key, true);
    }
  }

  void walk_map(const InputNode& map, Spot spot) {
    if (spot.schema.starts_with("network") && is_graph(map)) {
      spot.in_graph = true;
      for (const KeyPath& key : yaml_graph_keys(map)) facts_.emplace(spot.schema + "." + key.path, key.facts);
    }
    const bool in_list = !spot.in_graph && !facts_.contains(spot.schema + "." + first_name(map));
    for (std::size_t i = 0; i < map.items.size(); ++i)
      walk(map.items[i], spot.below(map.names[i].text, (in_list ? "[]." : ".") + map.names[i].text));
    if (spot.in_graph) add_graph_defaults(map, spot);
  }

  static bool is_flat(const InputNode& list) {
    return std::ranges::none_of(list.items, [](const InputNode& item) { return !item.items.empty(); });
  }

  static std::string first_name(const InputNode& map) {
    return map.names.empty() ? std::string() : map.names.front().text;
  }

  // Adds a value. Links of a graph that are written one by one and have equal values form one class.
  // Elsewhere each value is a class of its own.
  void add(const Spot& spot, const std::string& value, const KeyFacts* facts, bool is_written) {
    if (Improvement::of(value, facts).empty()) return;
    if (spot.schema.find("links[]") != std::string::npos) {
      const auto [found, is_new] =
          classes_.emplace(std::tuple(spot.schema, value, is_written), parameters_.size());
      if (!is_new) {
        MachineParameter& same = parameters_[found->second];
        same.paths.push_back(spot.path);
        same.key = with_star(same.paths.front(), spot.path);
        return;
      }
    }
    parameters_.push_back({spot.path, {spot.path}, value, facts, is_written});
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

  // Adds values that are not written but have a default that can be varied, for keys whose declarations ask
  // for it.
  void add_defaults(const std::string& first, const std::string& path) {
    for (const KeyPath& key : known_) {
      if (!is_chosen(*key.facts) || seen_.contains(key.path) || key.path.find('[') != std::string::npos)
        continue;
      if (!may_be_added(key.path) || !matters(key.path, *key.facts)) continue;
      add({path + key.path.substr(first.size()), key.path}, default_of(key, spec_), key.facts, false);
    }
  }

  // If a map is missing and means that there is no such thing, or one that stands elsewhere, it is not made
  // for a key in it.
  bool may_be_added(std::string_view schema) const {
    for (std::size_t dot = schema.find('.'); dot != std::string_view::npos; dot = schema.find('.', dot + 1)) {
      const auto facts = facts_.find(schema.substr(0, dot));
      if (facts == facts_.end() || seen_.contains(facts->first)) continue;
      const std::string_view fallback = facts->second->fallback;
      if (facts->second->is_required() || fallback.starts_with("none") || fallback.starts_with("that of"))
        return false;
    }
    return true;
  }

  // Does the same for one map of a graph.
  void add_graph_defaults(const InputNode& map, const Spot& spot) {
    const std::string front = spot.schema + ".";
    for (auto at = facts_.lower_bound(front); at != facts_.end() && at->first.starts_with(front); ++at) {
      const std::string name = at->first.substr(front.size());
      if (name.find_first_of(".[") != std::string::npos || map.find(name) || !is_chosen(*at->second))
        continue;
      if (!matters(at->first, *at->second)) continue;
      add({spot.path + "." + name, at->first, true}, default_of({at->first, at->second}, spec_), at->second,
          false);
    }
  }

  // Adds each dimension's algorithm of a collective, beside the one for all.
  void add_algorithms_by_dimension(const std::string& path) {
    const SystemConfig& system = *spec_.system;
    if (spec_.topology->dimensions.size() < 2 || system.library || system.channels) return;
    for (const CollectiveKind kind : used_) {
      const std::string name(name_of(kind));
      const std::string schema = "system.collectives." + name;
      std::vector<std::string> words;
      for (const AlgorithmChoice& choice : system.algorithms_of(kind)) {
        if (choice.whole_machine || choice.joins_rest || choice.written || choice.window > 0) return;
        words.emplace_back(choice.algorithm->name);
      }
      for (std::size_t d = 0; d < words.size() && words.size() > 1; ++d) {
        MachineParameter parameter{path + ".collectives." + name, {}, words[d], facts_.at(schema), true};
        parameter.paths = {parameter.key};
        parameter.is_written = seen_.contains(schema);
        parameter.before = "[";
        for (std::size_t i = 0; i < words.size(); ++i) {
          std::string& text = i < d ? parameter.before : parameter.after;
          if (i > d) text += ", ";
          if (i != d) text += words[i];
          if (i < d) text += ", ";
        }
        parameter.after += "]";
        parameters_.push_back(std::move(parameter));
      }
    }
  }

  const InputNode& document_;
  const RunSpec& spec_;
  const UsedCollectives& used_;
  const Place& place_;
  const InputNode* run_;  // null: the document is the run
  std::vector<KeyPath> known_;
  std::map<std::string, const KeyFacts*, std::less<>> facts_;
  std::set<std::string> seen_;  // schemas of what is written
  std::map<std::tuple<std::string, std::string, bool>, std::size_t> classes_;
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

UsedCollectives collectives_of(const Program& program) {
  UsedCollectives used;
  for (const ProgramPart& part : program.parts)
    for (ExecutionGraph::Id id = 0; id < part.graph.size(); ++id)
      if (part.graph[id].kind == OperationKind::collective) used.insert(part.graph[id].collective.kind);
  return used;
}

std::vector<MachineParameter> machine_parameters(const InputNode& document, const RunSpec& spec,
                                                 const UsedCollectives& used,
                                                 const std::filesystem::path& folder,
                                                 const FileLoader& load) {
  const TrainingSetup* const training = training_of(spec);
  const bool infers = training && training->plan.forward_only;
  const Place place{folder, load, infers ? Purpose::inference : Purpose::training};
  return Collector(document, spec, used, place).collect();
}

}  // namespace orrery::core
