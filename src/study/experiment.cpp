#include "study/experiment.hpp"

#include <algorithm>
#include <filesystem>
#include <map>
#include <memory>
#include <set>
#include <span>
#include <tuple>

#include <fmt/format.h>

#include "base/printable.hpp"
#include "base/yaml_reader.hpp"
#include "collective/system_file.hpp"
#include "compute/device_model.hpp"
#include "study/overrides.hpp"
#include "study/run_keys.hpp"
#include "study/workload_file.hpp"
#include "study/yaml_comparisons.hpp"
#include "study/yaml_network.hpp"
#include "study/yaml_system.hpp"
#include "study/yaml_transformer.hpp"
#include "study/yaml_variations.hpp"
#include "study/yaml_workload.hpp"
#include "topology/network_file.hpp"
#include "workload/models/model_catalogue.hpp"

namespace orrery {
namespace {

constexpr int most_passes = 1'000'000'000;
constexpr double largest_scale = 1e6;
constexpr std::size_t most_layers = 2'000'000;  // of all runs together

// The values of the keys, null where a key is left out.
struct Values {
  const YamlNode *name = nullptr, *dialect = nullptr, *passes = nullptr;
  const YamlNode *compute_scale = nullptr, *communication_scale = nullptr, *injection_scale = nullptr;
  const YamlNode *stragglers = nullptr, *compute_jitter = nullptr, *slow_links = nullptr;
  const YamlNode* network_model = nullptr;
  const YamlNode *network = nullptr, *system = nullptr, *workload = nullptr, *device = nullptr,
                 *platform = nullptr;
  const YamlNode *networks = nullptr, *systems = nullptr, *workloads = nullptr, *runs = nullptr;
  const YamlNode *comparisons = nullptr, *reports = nullptr;
};

// Returns the keys of all kinds of workloads.
std::vector<std::string> all_workload_keys() {
  std::vector<std::string> paths = yaml_workload_keys();
  for (const std::string& path : yaml_transformer_keys())
    if (std::find(paths.begin(), paths.end(), path) == paths.end()) paths.push_back(path);
  return paths;
}

template <const YamlNode* Values::*member>
void keep(const YamlNode& value, Values& values) {
  values.*member = &value;
}

constexpr YamlKey<Values> document_keys[] = {
    {"name", keep<&Values::name>},
    {"dialect", keep<&Values::dialect>},
    {"passes", keep<&Values::passes>},
    {"compute-scale", keep<&Values::compute_scale>},
    {"communication-scale", keep<&Values::communication_scale>},
    {"injection-scale", keep<&Values::injection_scale>},
    {"stragglers", keep<&Values::stragglers>, yaml_straggler_keys},
    {"compute-jitter", keep<&Values::compute_jitter>, yaml_jitter_keys},
    {"slow-links", keep<&Values::slow_links>, yaml_slow_link_keys},
    {"network-model", keep<&Values::network_model>},
    {"network", keep<&Values::network>, yaml_network_keys},
    {"system", keep<&Values::system>, yaml_system_keys},
    {"workload", keep<&Values::workload>, all_workload_keys},
    {"device", keep<&Values::device>},
    {"platform", keep<&Values::platform>, platform_file_keys},
    {"networks", keep<&Values::networks>},
    {"systems", keep<&Values::systems>},
    {"workloads", keep<&Values::workloads>},
    {"runs", keep<&Values::runs>},
    {"comparisons", keep<&Values::comparisons>, yaml_comparison_keys},
    {"reports", keep<&Values::reports>},
};
constexpr std::span<const YamlKey<Values>> run_keys = std::span(document_keys).first(15);

// In an experiment's folder, beside the folders of its runs.
constexpr std::string_view result_files[] = {"summary.json", "runs.csv", "layers.csv", "comparisons.csv",
                                             "layouts.csv"};

// Names of runs become names of folders and cells of tables.
void check_name(const std::string& name, const SourceLocation& where) {
  if (name.empty() || name.size() > 200 || name.front() == '.' ||
      name.find_first_of("/\\,\"") != std::string::npos || !is_printable(name))
    throw InputError(where, backquoted(name) +
                                " cannot be a name: it has to have 1 to 200 characters, no slash, comma, "
                                "quote or control character, and no dot in front; choose another `name`");
  if (std::find(std::begin(result_files), std::end(result_files), name) != std::end(result_files))
    throw InputError(
        where,
        backquoted(name) + " cannot be a name: a file of the results is called so; choose another `name`");
}

// The place where a network, system or workload is described: a node of the document, or a file.
struct Source {
  const YamlNode* node;  // null for a file
  std::string path;

  auto operator<=>(const Source&) const = default;
};

// `from`'s entry for `key`, made by `read` when it is asked for first.
template <class Key, class Value, class Read>
const Value& read_once(std::map<Key, Value>& from, const Key& key, const Read& read) {
  const auto found = from.find(key);
  return found != from.end() ? found->second : from.emplace(key, read()).first->second;
}

// Thousands of runs may use one piece: each is read once.
class Reader {
 public:
  Reader(const YamlNode& document, const std::string& file, Warnings& warnings, const FileLoader& load)
      : document_(document), file_(file), warnings_(warnings), load_(load) {
    no_system_.kind = YamlNode::Kind::map;
    no_system_.where = {file_};
  }

  Experiment read() {
    read_map(document_, "an experiment", document_keys, values_);
    Experiment experiment;
    experiment.where = values_.name ? values_.name->where : SourceLocation{file_};
    experiment.name =
        values_.name ? scalar_of(*values_.name, "name") : std::filesystem::path(file_).stem().string();
    check_name(experiment.name, experiment.where);
    if (values_.networks) require_map(*values_.networks, "`networks`");
    if (values_.systems) require_map(*values_.systems, "`systems`");
    if (values_.workloads) require_map(*values_.workloads, "`workloads`");
    if (!values_.runs)
      experiment.runs.push_back(read_run(document_, values_, experiment.name));
    else
      read_runs(experiment);
    unused_keys_.refuse_unused();
    if (values_.comparisons) read_comparisons(experiment);
    if (values_.reports) experiment.reports = ReportChoice(*values_.reports, names_of_runs(experiment));
    for (const YamlNode* pieces : {values_.networks, values_.systems, values_.workloads})
      if (pieces) warn_of_unused(*pieces);
    return experiment;
  }

 private:
  void read_runs(Experiment& experiment) {
    std::set<std::string> names;
    experiment.runs.reserve(list_of(*values_.runs, "runs").size());
    for (const YamlNode& node : list_of(*values_.runs, "runs")) {
      Values values = values_;
      read_map(node, "a run", run_keys, values);
      const YamlNode& name = required(node, "a run", "name");
      RunSpec run = read_run(node, values, scalar_of(name, "name"));
      check_name(run.name, name.where);
      if (!names.insert(run.name).second)
        throw InputError(name.where, "there are two runs " + backquoted(run.name) + "; rename one");
      layers_ += run.training ? 1 : run.recorded ? run.recorded->graph.size() : run.workload->layers.size();
      if (layers_ > most_layers)
        throw InputError(node.where,
                         fmt::format("the runs have more than {} layers; split the experiment", most_layers));
      experiment.runs.push_back(std::move(run));
    }
  }

  void read_comparisons(Experiment& experiment) {
    std::vector<std::string> names;
    for (const RunSpec& run : experiment.runs) names.push_back(run.name);
    experiment.comparisons = read_yaml_comparisons(*values_.comparisons, names);
  }

  // A transformer on a platform, which says all about network and system.
  RunSpec read_training_run(const YamlNode& node, const Values& values, const std::string& name) {
    if (!values.workload) throw InputError(node.where, "a run needs the key `workload`, here or at the top");
    RunSpec run;
    run.name = name;
    const Platform& platform =
        read_once(platforms_, values.platform, [&] { return read_platform(*values.platform, folder()); });
    for (const LinkNote& note : platform.library.notes()) warnings_.add(note.where, note.text);
    const YamlNode& workload = resolve(*values.workload, values_.workloads);
    run.training = std::make_shared<const TrainingSetup>(
        read_yaml_transformer(workload, platform, folder(), load_, warnings_));
    return run;
  }

  RunSpec read_run(const YamlNode& node, const Values& values, const std::string& name) {
    RunSpec run =
        values.platform ? read_training_run(node, values, name) : read_layers_run(node, values, name);
    run.where = node.where;
    unused_keys_.refuse(run, node, document_);
    return run;
  }

  RunSpec read_layers_run(const YamlNode& node, const Values& values, const std::string& name) {
    const auto scale = [](const YamlNode* value, std::string_view key) {
      return value ? real_of(*value, key, 0, largest_scale) : 1.0;
    };
    RunSpec run;
    run.name = name;
    if (values.dialect) run.dialect = *word_value_of(*values.dialect, "dialect", dialect_words);
    if (values.network_model)
      run.network_model = word_value_of(*values.network_model, "network-model", network_model_words);
    if (values.passes) run.passes = int_of(*values.passes, "passes", 1, most_passes);
    run.compute_scale = scale(values.compute_scale, "compute-scale");
    run.comm_scale = scale(values.communication_scale, "communication-scale");
    const double injection_scale = scale(values.injection_scale, "injection-scale");
    for (const auto& [value, key] :
         {std::pair(values.network, "network"), std::pair(values.workload, "workload")})
      if (!value)
        throw InputError(node.where, fmt::format("a run needs the key `{}`, here or at the top", key));
    run.topology = network_of(*values.network);
    const Topology& topology = *run.topology;
    run.compute_slowdown =
        read_yaml_compute_slowdown(values.stragglers, values.compute_jitter, topology, rank_budget_);
    if (values.slow_links) run.slow_links = read_yaml_slow_links(*values.slow_links, topology, rank_budget_);
    run.system =
        system_of(values.system ? *values.system : no_system_, topology, run.dialect, injection_scale);
    if (values.injection_scale && run.system->shared_bus)
      throw InputError(
          values.injection_scale->where,
          "is a factor on the endpoint delay, which the system's shared bus replaces; leave it out");
    const Workload& workload = workload_of(*values.workload, values.device, topology);
    run.workload = workload.table;
    run.recorded = workload.recorded;
    run.memory = workload.memory;
    if (run.recorded) run.passes = passes_of(*run.recorded, values.passes);
    return run;
  }

  const Shared<Topology>& network_of(const YamlNode& node) {
    const YamlNode& network = resolve(node, values_.networks);
    const Source source = source_of(network);
    return read_once(networks_, source, [&]() -> Topology {
      if (source.node) return read_yaml_network(network, warnings_);
      const std::string text = load(network, source.path, "networks", values_.networks);
      return read_network_file(text, source.path, {}, warnings_);
    });
  }

  // The result depends on all parameters; `topology` must be one of networks_.
  const Shared<SystemConfig>& system_of(const YamlNode& node, const Topology& topology,
                                        const Dialect& dialect, double injection_scale) {
    const YamlNode& system = resolve(node, values_.systems);
    const Source source = source_of(system);
    return read_once(systems_, SystemKey{source, &topology, dialect.name, injection_scale},
                     [&]() -> SystemConfig {
                       if (source.node) return read_yaml_system(system, topology, dialect, injection_scale);
                       const std::string text = load(system, source.path, "systems", values_.systems);
                       return read_system_file(text, source.path, injection_scale, dialect, warnings_);
                     });
  }

  const Workload& workload_of(const YamlNode& node, const YamlNode* device_node, const Topology& topology) {
    const YamlNode& workload = resolve(node, values_.workloads);
    const Source source = source_of(workload);
    const ComputingDevice* device = device_node ? &device_of(*device_node) : nullptr;
    if (device && !source.node)
      throw InputError(device_node->where,
                       "computes models, but the workload is a file that says its times; "
                       "leave `device` out");
    // Only models depend on the machine.
    const SplitMachine machine =
        workload.find("model") ? split_machine_of(topology) : SplitMachine{.npus = 1, .packages = 1};
    const Topology* const staged = workload.find("model") && workload.find("pipeline") ? &topology : nullptr;
    return read_once(
        workloads_, std::tuple(source, device, machine.npus, machine.packages, staged), [&]() -> Workload {
          if (!source.node)
            return read_workload_file(load(workload, source.path, "workloads", values_.workloads),
                                      source.path, warnings_);
          TrainedModel trained =
              read_yaml_workload(workload, {folder(), device, machine, &topology}, warnings_, load_);
          Workload read{std::make_shared<const LayerTable>(std::move(trained.table)), nullptr};
          if (trained.memory) read.memory = std::make_shared<const MemoryVerdict>(*trained.memory);
          return read;
        });
  }

  // Hybrid policies tell dimension 0 from the others (workload/astra1/participation.hpp).
  static SplitMachine split_machine_of(const Topology& topology) {
    const auto npus = static_cast<std::uint64_t>(topology.npus());
    return {.npus = npus, .packages = npus / static_cast<std::uint64_t>(topology.dimensions[0].size)};
  }

  const ComputingDevice& device_of(const YamlNode& node) {
    const std::string& name = scalar_of(node, "device");
    return read_once(devices_, name, [&] {
      const std::string path =
          is_model_path(name) ? (folder() / name).string() : name;  // devices' rule as well
      return find_computing_device(path, node.where);
    });
  }

  static int passes_of(const chakra::RecordedGraph& recorded, const YamlNode* wanted) {
    const int passes = recorded.passes;
    if (wanted && int_of(*wanted, "passes", 1, most_passes) != passes)
      throw InputError(wanted->where,
                       fmt::format("{} holds {} training passes, leave `passes` out", recorded.file, passes));
    return passes;
  }

  std::filesystem::path folder() const { return std::filesystem::path(file_).parent_path(); }

  Source source_of(const YamlNode& node) const {
    if (node.kind != YamlNode::Kind::scalar) return {&node, {}};
    return {nullptr, (folder() / node.text).string()};
  }

  // Returns what a run's value stands for: the piece that it names, or else the value itself.
  const YamlNode& resolve(const YamlNode& node, const YamlNode* pieces) {
    const YamlNode* piece = pieces && node.kind == YamlNode::Kind::scalar ? pieces->find(node.text) : nullptr;
    if (!piece) return node;
    used_.insert(piece);
    return *piece;
  }

  void warn_of_unused(const YamlNode& pieces) {
    for (std::size_t i = 0; i < pieces.items.size(); ++i)
      if (!used_.contains(&pieces.items[i]))
        warnings_.add(pieces.names[i].where,
                      "no run uses " + backquoted(pieces.names[i].text) + ", so nothing in it is checked");
  }

  std::string load(const YamlNode& node, const std::string& path, const char* map,
                   const YamlNode* pieces) const {
    try {
      return load_(path);
    } catch (const InputError& error) {
      std::vector<std::string_view> names;
      if (pieces)
        for (const YamlName& name : pieces->names) names.push_back(name.text);
      const std::string known = names.empty() ? "" : " (there: " + alternatives(names) + ")";
      throw InputError(node.where, fmt::format("{} is no name under `{}`{} and no file that can be read: {}",
                                               backquoted(node.text), map, known, error.what()));
    }
  }

  const YamlNode& document_;
  const std::string& file_;
  Warnings& warnings_;
  const FileLoader& load_;
  Values values_;
  YamlNode no_system_;              // a system left out has all its keys left out
  std::set<const YamlNode*> used_;  // pieces
  using SystemKey = std::tuple<Source, const Topology*, std::string_view, double>;
  std::map<Source, Shared<Topology>> networks_;
  std::map<const YamlNode*, Platform> platforms_;
  std::map<SystemKey, Shared<SystemConfig>> systems_;
  // By NPUs and packages, and the network for a pipeline.
  std::map<std::tuple<Source, const ComputingDevice*, std::uint64_t, std::uint64_t, const Topology*>,
           Workload>
      workloads_;
  std::map<std::string, ComputingDevice> devices_;  // by name or path
  std::size_t layers_ = 0;
  RankBudget rank_budget_;  // of all runs together
  UnusedKeys unused_keys_;
};

}  // namespace

std::set<std::string> names_of_runs(const Experiment& experiment) {
  std::set<std::string> names;
  for (const RunSpec& run : experiment.runs) names.insert(run.name);
  return names;
}

Experiment read_experiment(std::string_view text, const std::string& file,
                           const std::vector<std::string>& overrides, Warnings& warnings,
                           const FileLoader& load) {
  YamlNode document = parse_yaml(text, file);
  const auto keys = [](std::string_view first) { return experiment_file_keys(first); };
  apply_overrides(document, overrides, keys);
  return Reader(document, file, warnings, load).read();
}

std::vector<std::string> experiment_file_keys() {
  return key_paths("", document_keys);
}

std::vector<std::string> experiment_file_keys(std::string_view first) {
  if (first.empty()) {
    std::vector<std::string> names;
    for (const auto& key : document_keys) names.emplace_back(key.name);
    return names;
  }
  const auto found = std::find_if(std::begin(document_keys), std::end(document_keys),
                                  [&](const auto& key) { return key.name == first; });
  return found == std::end(document_keys) ? std::vector<std::string>() : key_paths("", std::span(found, 1));
}

}  // namespace orrery
