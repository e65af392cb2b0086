#include "cli/flags/astra1_flags.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "cli/flags/flag_values.hpp"
#include "collective/plan/system_file.hpp"
#include "network/network_models.hpp"
#include "study/workloads/layer_table/workload_file.hpp"
#include "topology/files/any_network.hpp"
#include "topology/files/network_yaml_file.hpp"
#include "topology/flits/flit_network_file.hpp"
#include "topology/graph/formats/graph_file.hpp"

namespace orrery::core {

namespace {

std::string read_named(const std::string& path, const char* flag, const char* what, const FileLoader& load) {
  if (path.empty()) {
    throw InputError({flag},
                     std::string("missing, name the ") + what + " file, or give an experiment file instead");
  }
  return load(path);
}

// Files of ASTRA-sim 2's networks are read, too, as a tutorial of ASTRA-sim's gives them beside layer tables.
void read_network(const Astra1Flags& flags, RunSpec& spec, Warnings& warnings, const FileLoader& load) {
  const std::string text = read_named(flags.network, "--network-configuration", "network", load);
  if (is_graph_file(text))
    throw InputError(
        {flags.network},
        fmt::format("this is a network as a graph, on which a layer table runs only in an experiment "
                    "(`network: {}`, `workload: {}`), and execution traces by flags, with a system "
                    "file of ASTRA-sim 2",
                    flags.network, flags.workload.empty() ? "TABLE" : flags.workload));
  const bool has_flits = is_flit_network_file(text);
  if (!has_flits && !is_network_yaml_file(text)) {
    spec.topology = read_network_file(text, flags.network, flags.network_overrides, warnings);
    return;
  }
  if (!flags.network_overrides.empty())
    throw InputError({flags.network},
                     "this is no network file of ASTRA-sim 1.0, whose lists --units-count, --links-count, "
                     "--link-bandwidth and --link-latency replace: leave them out");
  spec.topology = read_any_network(text, flags.network, warnings, load.extensions());
  if (has_flits) spec.network.model = &packet_model;  // as in ASTRA-sim 1.0 with its back end Garnet
}

}  // namespace

void Astra1Flags::add_to(CLI::App& command) {
  auto add = [&](const char* name, auto& target, const char* description) {
    CLI::Option* option = command.add_option(name, target, description);
    option->group("ASTRA-sim 1.0");
    options_.push_back(option);
    return option;
  };
  add("--workload-configuration", workload, "Layer table");
  add("--system-configuration", system, "System file");
  add("--network-configuration", network, "Network file (JSON)");
  add("--path", results.path, "Put in front of every result file's name; ends in / (default: ./)");
  add("--run-name", results.run_name, "Name of the run in the result files");
  add("--num-passes", passes, "Training passes (default: 1)");
  add("--num-queues-per-dim", queues_per_dimension, "Queues per dimension (default: 1)");
  add("--compute-scale", compute_scale, "Factor on every compute time");
  add("--comm-scale", comm_scale, "Factor on every collective's size");
  add("--injection-scale", injection_scale, "Factor on the system file's endpoint delay");
  add("--total-stat-rows", results.total_rows, "Runs that share the result files (default: 1)");
  add("--stat-row", results.row, "Index of this run among them; row 0 creates the files");
  add("--rendezvous-protocol", rendezvous, "Handshake before every message: true or false");
  add("--units-count", network_overrides.units_count, "Replaces units-count of the network file")
      ->expected(1, -1);
  add("--links-count", network_overrides.links_count, "Replaces links-count")->expected(1, -1);
  add("--link-bandwidth", network_overrides.link_bandwidth, "Replaces link-bandwidth, GiB/s")
      ->expected(1, -1);
  add("--link-latency", network_overrides.link_latency, "Replaces link-latency, ns")->expected(1, -1);
  add("--dialect", dialect, "Rules to simulate by: astra-sim-1.0 (default with these flags) or native");
}

bool Astra1Flags::any_given() const {
  return std::any_of(options_.begin(), options_.end(),
                     [](const CLI::Option* option) { return option->count() > 0; });
}

void Astra1Flags::refuse_beside(const std::string& file) const {
  if (any_given())
    throw InputError({file},
                     "an experiment file describes its runs itself, use --set KEY=VALUE instead of ASTRA-sim "
                     "1.0's flags");
}

bool Astra1Flags::given(const std::string& name) const {
  return std::any_of(options_.begin(), options_.end(), [&](const CLI::Option* option) {
    return option->count() > 0 && option->check_name(name);
  });
}

RunSpec read_run(const Astra1Flags& flags, Warnings& warnings, const FileLoader& load) {
  RunSpec spec;
  spec.name = flags.results.run_name;
  spec.shared_rows = flags.results.total_rows;
  spec.row = flags.results.row;
  spec.dialect = *word_of_flag(dialect_words, flags.dialect, "--dialect");
  // The original reads its scale factors in single precision.
  const bool single = spec.dialect.single_precision_scaling;
  spec.passes = checked(flags.passes, 0, 1'000'000, "--num-passes");
  spec.compute_scale = scale_factor(flags.compute_scale, "--compute-scale", single);
  spec.comm_scale = scale_factor(flags.comm_scale, "--comm-scale", single);
  const double injection_scale = scale_factor(flags.injection_scale, "--injection-scale", single);

  read_network(flags, spec, warnings, load);
  const std::string system = read_named(flags.system, "--system-configuration", "system", load);
  SystemConfig& config = spec.system.edit();
  config = read_system_file(system, flags.system, injection_scale, spec.dialect, warnings);
  config.queues_per_dimension = checked_queues(flags.queues_per_dimension);
  config.rendezvous = flags.rendezvous;
  const std::string workload = read_named(flags.workload, "--workload-configuration", "workload", load);
  spec.workload = read_workload_file(workload, flags.workload, warnings);
  const std::optional<int> recorded = spec.workload->passes();
  if (recorded && flags.given("--num-passes") && spec.passes != *recorded) {
    throw InputError({"--num-passes"}, flags.workload + " holds " + std::to_string(*recorded) +
                                           " training passes, leave the flag out");
  }
  spec.passes = recorded.value_or(spec.passes);
  return spec;
}

}  // namespace orrery::core
