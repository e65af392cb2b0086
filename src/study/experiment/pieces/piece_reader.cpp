#include "study/experiment/pieces/piece_reader.hpp"

#include <cstdint>
#include <utility>

#include <fmt/format.h>

#include "base/input/node_content.hpp"
#include "collective/plan/system_file.hpp"
#include "compute/device_model.hpp"
#include "study/machine/yaml_network.hpp"
#include "study/machine/yaml_system.hpp"
#include "study/workloads/layer_table/layer_table_workload.hpp"
#include "study/workloads/layer_table/workload_file.hpp"
#include "study/workloads/layer_table/yaml_workload.hpp"
#include "study/workloads/traces/yaml_traces.hpp"
#include "topology/files/any_network.hpp"
#include "workload/models/model_catalogue.hpp"

namespace orrery::core {

namespace {

bool is_file(const InputNode& node) {
  return node.kind == InputNode::Kind::scalar;
}

// Hybrid policies tell dimension 0 from the others (workload/astra1/participation.hpp).
SplitMachine split_machine_of(const Topology& topology) {
  const auto npus = static_cast<std::uint64_t>(topology.npus());
  return {.npus = npus, .packages = npus / static_cast<std::uint64_t>(topology.dimensions[0].size)};
}

}  // namespace

void PieceReader::take(const ExperimentValues& values) {
  networks_.take(values.networks);
  systems_.take(values.systems);
  workloads_.take(values.workloads);
  platforms_.take(values.platforms);
}

void PieceReader::warn_of_unused() const {
  for (const NamedDefinitions* pieces : {&networks_, &systems_, &workloads_, &platforms_})
    pieces->warn_of_unused(warnings_);
}

Shared<Topology> PieceReader::network_of(const InputNode& node) {
  const InputNode& described = networks_.resolve(node);
  const auto read = [&](Warnings& warnings, const FileLoader& load) -> Shared<Topology> {
    if (described.kind == InputNode::Kind::map) return read_graph_network(described, load.extensions());
    if (!is_file(described)) return read_yaml_network(described, warnings);
    return read_any_network(text_of_file(described, load, networks_), path_of(described), warnings,
                            load.extensions());
  };
  return *cache_.get<Shared<Topology>>("network " + key_of(described), warnings_, load_, read);
}

Shared<SystemConfig> PieceReader::system_of(const InputNode& node, const InputNode& network,
                                            const Topology& topology, const Dialect& dialect,
                                            double injection_scale) {
  const InputNode& described = systems_.resolve(node);
  const auto read = [&](Warnings& warnings, const FileLoader& load) -> Shared<SystemConfig> {
    if (!is_file(described))
      return read_yaml_system(described, topology, dialect, injection_scale, {folder_, load, warnings});
    return read_system_file(text_of_file(described, load, systems_), path_of(described), injection_scale,
                            dialect, warnings);
  };
  const std::string key = fmt::format("system {} {} {} {}", key_of(described),
                                      key_of(networks_.resolve(network)), dialect.name, injection_scale);
  return *cache_.get<Shared<SystemConfig>>(key, warnings_, load_, read);
}

std::shared_ptr<const Workload> PieceReader::workload_of(const InputNode& node, const InputNode* device_node,
                                                         const InputNode& network, const Topology& topology) {
  const InputNode& described = workloads_.resolve(node);
  const std::shared_ptr<const ComputingDevice> device = device_node ? device_of(*device_node) : nullptr;
  if (device && is_file(described))
    throw InputError(device_node->where,
                     "computes models, but the workload is a file that says its times; "
                     "leave `device` out");
  // Only models depend on the machine.
  const bool is_model = described.find("model") != nullptr;
  const SplitMachine machine = is_model ? split_machine_of(topology) : SplitMachine{.npus = 1, .packages = 1};
  const auto read = [&](Warnings& warnings, const FileLoader& load) -> std::shared_ptr<const Workload> {
    if (is_file(described))
      return read_workload_file(text_of_file(described, load, workloads_), path_of(described), warnings);
    if (described.find("traces"))
      return read_yaml_traces(
          described,
          {folder_, device ? &device->facts : nullptr, device ? device_node->where : SourceLocation()},
          warnings, load);
    TrainedModel trained =
        read_yaml_workload(described, {folder_, device.get(), machine, &topology}, warnings, load);
    return std::make_shared<const LayerTableWorkload>(std::move(trained));
  };
  const bool is_staged = is_model && described.find("pipeline");
  const std::string key =
      fmt::format("workload {} {} {} {} {}", key_of(described), device_node ? key_of(*device_node) : "",
                  machine.npus, machine.packages, is_staged ? key_of(networks_.resolve(network)) : "");
  return *cache_.get<std::shared_ptr<const Workload>>(key, warnings_, load_, read);
}

std::shared_ptr<const Platform> PieceReader::platform_of(const InputNode& described, PlatformUse use) {
  return cache_.get<Platform>(fmt::format("platform {} {} {}", key_of(described), static_cast<int>(use.links),
                                          static_cast<int>(use.purpose)),
                              warnings_, load_, [&](Warnings&, const FileLoader& load) {
                                return read_platform(described, folder_, load, use);
                              });
}

std::shared_ptr<const ComputingDevice> PieceReader::device_of(const InputNode& node) {
  if (node.kind != InputNode::Kind::map) scalar_of(node, "device");
  return cache_.get<ComputingDevice>(
      "device " + key_of(node), warnings_, load_,
      [&](Warnings&, const FileLoader& load) { return find_computing_device(node, folder_, load); });
}

std::string PieceReader::path_of(const InputNode& node) const {
  return is_file(node) ? (folder_ / node.text).string() : std::string();
}

const std::string& PieceReader::key_of(const InputNode& node) {
  const auto found = keys_.find(&node);
  if (found != keys_.end()) return found->second;
  // What is wrong with a piece is told at its place, so that equal ones at several places are several. A file
  // has one place.
  return keys_.emplace(&node, is_file(node) ? path_of(node) : node.where.text() + ' ' + content_of(node))
      .first->second;
}

std::string PieceReader::text_of_file(const InputNode& node, const FileLoader& load,
                                      const NamedDefinitions& pieces) const {
  try {
    return load(path_of(node));
  } catch (const InputError& error) {
    throw InputError(node.where, fmt::format("{} is no name under {} and no file that can be read: {}",
                                             backquoted(node.text), pieces.names(), error.what()));
  }
}

}  // namespace orrery::core
