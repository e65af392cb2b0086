#include "study/experiment/experiment.hpp"

#include <algorithm>
#include <filesystem>
#include <memory>
#include <set>

#include <fmt/format.h>

#include "study/experiment/idle_keys.hpp"
#include "study/experiment/overrides.hpp"
#include "study/experiment/pieces/piece_reader.hpp"
#include "study/experiment/run_keys.hpp"
#include "study/experiment/run_name.hpp"
#include "study/experiment/swept_runs.hpp"
#include "study/experiment/yaml_comparisons.hpp"
#include "study/experiment/yaml_routes.hpp"
#include "study/machine/yaml_variations.hpp"
#include "study/workloads/transformer/platform_on_network.hpp"
#include "study/workloads/transformer/transformer_workload.hpp"
#include "study/workloads/transformer/yaml_transformer.hpp"

namespace orrery::core {
namespace {

using Values = ExperimentValues;

constexpr std::size_t max_layers = 2'000'000;  // of all runs together

// Reads an experiment, or one run of it.
class Reader {
 public:
  Reader(const InputNode& document, const std::string& file, Warnings& warnings, const FileLoader& load,
         PieceCache& cache, KeyUse& use)
      : document_(document),
        file_(file),
        warnings_(warnings),
        load_(load),
        pieces_(folder(), load, warnings, cache),
        routes_(folder(), load),
        unused_keys_(use.unused),
        idle_keys_(use.idle) {
    no_system_.kind = InputNode::Kind::map;
    no_system_.where = {file_};
  }

  Experiment read() {
    read_top();
    Experiment experiment;
    experiment.where = values_.name ? values_.name->where : SourceLocation{file_};
    experiment.name =
        values_.name ? scalar_of(*values_.name, "name") : std::filesystem::path(file_).stem().string();
    check_run_name(experiment.name, experiment.where);
    if (values_.runs)
      read_runs(experiment);
    else
      experiment.runs.push_back(read_run(document_, values_, experiment.name));
    unused_keys_.refuse_unused();
    if (values_.comparisons) read_comparisons(experiment);
    if (values_.objectives)
      throw InputError(
          values_.objectives->where,
          "`objectives` are those of a `sweep`, which the experiment does not have; give it one, or leave "
          "them out");
    if (values_.reports) experiment.reports = ReportChoice(*values_.reports, names_of_runs(experiment));
    pieces_.warn_of_unused();
    idle_keys_.warn(warnings_);
    return experiment;
  }

  RunSpec read_alone(const std::string& name) {
    read_top();
    if (!values_.runs) return read_run(document_, values_, name);
    for (const InputNode& node : list_of(*values_.runs, "runs")) {
      const InputNode& own_name = required(node, "a run", "name");
      if (scalar_of(own_name, "name") != name) continue;
      read_run_keys(node, values_);
      return read_run(node, values_, name);
    }
    throw InputError({file_}, "has no run " + backquoted(name));
  }

  // Reads the run of a sweep, to which the entries of these names belong that other runs do not share.
  RunSpec read_swept(const std::vector<std::string>& own, const std::string& name,
                     const SourceLocation& where) {
    read_top();
    InputNode node;
    node.kind = InputNode::Kind::map;
    node.where = where;
    for (std::size_t i = 0; i < document_.names.size(); ++i) {
      if (std::ranges::find(own, document_.names[i].text) == own.end()) continue;
      node.names.push_back(document_.names[i]);
      node.items.push_back(document_.items[i]);
    }
    RunSpec run = read_run(node, values_, name);
    check_run_name(run.name, where);
    return run;
  }

 private:
  void read_top() {
    read_experiment_keys(document_, values_);
    pieces_.take(values_);
    unused_keys_.take_systems(values_.systems);
  }

  void read_runs(Experiment& experiment) {
    std::set<std::string> names;
    experiment.runs.reserve(list_of(*values_.runs, "runs").size());
    for (const InputNode& node : list_of(*values_.runs, "runs")) {
      Values values = values_;
      read_run_keys(node, values);
      const InputNode& name = required(node, "a run", "name");
      RunSpec run = read_run(node, values, scalar_of(name, "name"));
      check_run_name(run.name, name.where);
      if (!names.insert(run.name).second)
        throw InputError(name.where, "there are two runs " + backquoted(run.name) + "; rename one");
      layers_ += run.workload->size();
      if (layers_ > max_layers)
        throw InputError(node.where,
                         fmt::format("the runs have more than {} layers; split the experiment", max_layers));
      experiment.runs.push_back(std::move(run));
    }
    experiment.varied = varied_keys(document_, *values_.runs);
  }

  void read_comparisons(Experiment& experiment) {
    std::vector<std::string> names;
    for (const RunSpec& run : experiment.runs) names.push_back(run.name);
    experiment.comparisons = read_yaml_comparisons(*values_.comparisons, names);
  }

  // Reads a run of a transformer on a platform. The platform says everything about network and system unless
  // the run has a network.
  RunSpec read_training_run(const InputNode& node, const Values& values, const std::string& name) {
    if (!values.workload) throw InputError(node.where, "a run needs the key `workload`, here or at the top");
    RunSpec run;
    run.name = name;
    const InputNode& described = pieces_.platform(*values.platform);
    const InputNode& workload = pieces_.workload(*values.workload);
    const PlatformUse use{values.network ? LinksOf::network : LinksOf::platform, purpose_of(workload)};
    const std::shared_ptr<const Platform> kept_platform = pieces_.platform_of(described, use);
    const Platform& platform = *kept_platform;
    if (!values.network)  // which has links of its own
      for (const LinkNote& note : platform.library->notes()) warnings_.add(note.where, note.text);
    TrainingSetup setup = read_yaml_transformer(workload, platform, folder(), load_, warnings_);
    if (values.network) read_machine(node, values, run);
    if (values.network) {
      require_ranks(setup, *run.topology, values.network->where);
      check_platform_on_network(described, run.system->library.has_value(), warnings_);
    }
    idle_keys_.look_at(setup, described, workload, values.network != nullptr, [&](const InputNode& other) {
      Warnings unheard;
      return read_yaml_transformer(workload, read_platform(other, folder(), load_, use), folder(), load_,
                                   unheard);
    });
    run.workload = std::make_shared<const TransformerWorkload>(std::move(setup));
    return run;
  }

  // Reads the network, and all that says how messages run on it.
  void read_machine(const InputNode& node, const Values& values, RunSpec& run) {
    run.topology = pieces_.network_of(*values.network);
    const Topology& topology = *run.topology;
    run.compute_slowdown =
        read_yaml_compute_slowdown(values.stragglers, values.compute_jitter, topology, rank_budget_);
    if (values.slow_links)
      run.network.slow_links = read_yaml_slow_links(*values.slow_links, topology, rank_budget_);
    run.system = pieces_.system_of(values.system ? *values.system : no_system_, *values.network, topology,
                                   run.dialect, values.injection_scale);
    if (values.system) idle_keys_.look_at_system(pieces_.system(*values.system), topology);
    run.network.model = usual_model(topology, run.dialect, run.system->library.has_value());
    if (values.network_model) run.network.model = network_model_of(*values.network_model, load_.extensions());
    if (const InputNode* model = given(node, "network-model")) run.network_model_where = model->where;
    if (values.slow_links &&
        !unused_keys_.has_meaning("slow-links", node,
                                  fault_of_slow_links(run.network.model, values.slow_links->where)))
      run.network.slow_links.clear();
    routes_.read(values, node, unused_keys_, run);
    if (const InputNode* scale = given(node, "injection-scale")) check_injection_scale(*scale, values, run);
  }

  RunSpec read_run(const InputNode& node, const Values& values, const std::string& name) {
    RunSpec run =
        values.platform ? read_training_run(node, values, name) : read_layers_run(node, values, name);
    run.where = node.where;
    run.timelines = values.timelines;
    if (const InputNode* const interval = given(node, "interval"))
      unused_keys_.has_meaning("interval", node, fault_of_interval(run, interval->where));
    run.interval = values.interval;
    unused_keys_.refuse(run, node, document_);
    return run;
  }

  static InputFault fault_of_interval(const RunSpec& run, const SourceLocation& where) {
    if (run.workload->has_measured_kin(run)) return {};
    return InputError(where,
                      "no measured runs tell how far off what is predicted of this one may be, as for "
                      "transformers on a `platform` and models on a `device`; leave `interval` out");
  }

  RunSpec read_layers_run(const InputNode& node, const Values& values, const std::string& name) {
    RunSpec run;
    run.name = name;
    run.dialect = *values.dialect;
    run.passes = values.passes;
    run.compute_scale = values.compute_scale;
    run.comm_scale = values.communication_scale;
    for (const auto& [value, key] :
         {std::pair(values.network, "network"), std::pair(values.workload, "workload")})
      if (!value)
        throw InputError(node.where, fmt::format("a run needs the key `{}`, here or at the top", key));
    read_machine(node, values, run);
    run.workload = pieces_.workload_of(*values.workload, values.device, *values.network, *run.topology);
    idle_keys_.look_at_pipeline(pieces_.workload(*values.workload), *run.topology);
    if (!run.workload->runs_by(run.dialect)) refuse_dialect(node, run);
    if (const std::optional<int> passes = run.workload->passes()) {
      const InputNode* written = given(node, "passes");
      if (written && run.passes != *passes)
        throw InputError(written->where, fmt::format("{} holds {} training passes, leave `passes` out",
                                                     pieces_.path_of(*values.workload), *passes));
      run.passes = *passes;
    }
    return run;
  }

  [[noreturn]] void refuse_dialect(const InputNode& node, const RunSpec& run) const {
    throw InputError(given(node, "dialect")->where,
                     fmt::format("`{}` has no rules for {}; leave `dialect` out", run.dialect.name,
                                 name_of_run_kind(static_cast<int>(run.workload->kind(run)))));
  }

  // Refuses a factor on an endpoint delay if there is no such delay.
  void check_injection_scale(const InputNode& scale, const Values& values, const RunSpec& run) {
    const bool bus = run.system->shared_bus.has_value();
    if (bus || run.system->library.has_value() || run.system->channels)
      throw InputError(
          scale.where,
          fmt::format(
              "`injection-scale` is a factor on the endpoint delay, which the system's {}; leave it out",
              bus                    ? "shared bus replaces"
              : run.system->channels ? "channels replace"
                                     : "library replaces"));
    const InputNode& system = values.system ? pieces_.system(*values.system) : no_system_;
    const bool in_file = system.kind == InputNode::Kind::scalar;
    if (run.dialect.single_precision_scaling && !in_file && !system.find("endpoint-delay"))
      throw InputError(
          scale.where,
          "in this dialect `injection-scale` is a factor on an `endpoint-delay` that is written down; write "
          "one or leave it out");
  }

  // Returns what a run says of a key, or the top of the file; null where neither does.
  const InputNode* given(const InputNode& run, std::string_view key) const {
    const InputNode* own = run.find(key);
    return own ? own : document_.find(key);
  }

  std::filesystem::path folder() const { return std::filesystem::path(file_).parent_path(); }

  const InputNode& document_;
  const std::string& file_;
  Warnings& warnings_;
  const FileLoader& load_;
  Values values_;
  InputNode no_system_;  // a system left out has all its keys left out
  PieceReader pieces_;
  RouteReader routes_;
  std::size_t layers_ = 0;
  RankBudget rank_budget_;  // of all runs together
  UnusedKeys& unused_keys_;
  IdleKeys& idle_keys_;
};

}  // namespace

std::set<std::string> names_of_runs(const Experiment& experiment) {
  std::set<std::string> names;
  for (const RunSpec& run : experiment.runs) names.insert(run.name);
  return names;
}

InputNode experiment_document(InputNode document, const std::vector<std::string>& overrides,
                              std::string_view network_model) {
  apply_overrides(document, overrides, [](std::string_view first) { return experiment_file_keys(first); });
  if (!network_model.empty()) choose_network_model(document, network_model);
  return document;
}

InputNode experiment_document(std::string_view text, const std::string& file,
                              const std::vector<std::string>& overrides) {
  return experiment_document(parse_yaml(text, file), overrides, "");
}

RunSpec read_one_run(const InputNode& document, const std::string& file, const std::string& run,
                     Warnings& warnings, const FileLoader& load) {
  if (document.find("sweep")) return read_run_of_sweep(SweptRuns(document, file), run, warnings, load);
  PieceCache cache;
  KeyUse use;
  return Reader(document, file, warnings, load, cache, use).read_alone(run);
}

RunSpec read_swept_run(const InputNode& document, const std::vector<std::string>& own,
                       const std::string& name, const SourceLocation& where, const std::string& file,
                       Warnings& warnings, const FileLoader& load, PieceCache& cache, KeyUse& use) {
  return Reader(document, file, warnings, load, cache, use).read_swept(own, name, where);
}

Experiment read_experiment(std::string_view text, const std::string& file,
                           const std::vector<std::string>& overrides, Warnings& warnings,
                           const FileLoader& load, std::optional<NetworkModel> network_model) {
  return read_experiment(parse_yaml(text, file), file, overrides, warnings, load, network_model);
}

static Experiment read_list_of_runs(const InputNode& document, const std::string& file, Warnings& warnings,
                                    const FileLoader& load) {
  PieceCache cache;
  KeyUse use;
  return Reader(document, file, warnings, load, cache, use).read();
}

Experiment read_experiment(InputNode document, const std::string& file,
                           const std::vector<std::string>& overrides, Warnings& warnings,
                           const FileLoader& load, std::optional<NetworkModel> network_model) {
  document = experiment_document(std::move(document), overrides,
                                 network_model ? (*network_model)->name : std::string_view());
  Experiment experiment = document.find("sweep") ? read_all_runs(SweptRuns(document, file), warnings, load)
                                                 : read_list_of_runs(document, file, warnings, load);
  experiment.extensions = load.kept_extensions();
  experiment.origin.overrides = overrides;
  experiment.origin.seeds = seeds_of(document);
  return experiment;
}

}  // namespace orrery::core
