#include "study/flows/flow_network.hpp"

#include <algorithm>

#include "base/diagnostics/nearest_names.hpp"
#include "network/network_options.hpp"
#include "study/experiment/experiment.hpp"
#include "topology/graph/changes/link_change_kinds.hpp"

namespace orrery::core {

namespace {

std::vector<std::string_view> keys_of_flow_networks() {
  std::vector<std::string_view> keys{"network", "network-model", "routing",      "relay",
                                     "packets", "route-seed",    "link-history", "slow-links"};
  for (const LinkChangeKind* const kind : link_change_kinds) keys.push_back(kind->key.name);
  for (const NetworkOptionKind* const kind : network_option_kinds) keys.push_back(kind->key.name);
  return keys;
}

void add_key(InputNode& map, const std::string& key, InputNode value) {
  map.names.push_back({key, map.where});
  map.items.push_back(std::move(value));
}

}  // namespace

FlowNetwork read_flow_network(const InputNode& keys, const std::string& file, Warnings& warnings,
                              const FileLoader& load) {
  const std::vector<std::string_view> known = keys_of_flow_networks();
  for (const InputName& name : keys.names)
    if (std::ranges::find(known, name.text) == known.end())
      throw InputError(name.where, none_of_name("key", name.text, known));
  InputNode document = keys;
  if (!document.find("network-model"))
    add_key(document, "network-model", parse_yaml(std::string(fluid_model.name), file));
  // An experiment has a workload, even if it does nothing.
  add_key(document, "workload", parse_yaml("{ policy: data, layers: [{ name: none }] }", file));
  const Experiment experiment = read_experiment(std::move(document), file, {}, warnings, load);
  const RunSpec& run = experiment.runs.front();
  return {*run.topology, run.network};
}

}  // namespace orrery::core
