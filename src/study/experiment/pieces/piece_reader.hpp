// Reads the networks, systems, workloads, platforms and devices of runs. Thousands of runs may use one piece,
// so each piece is read once.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <string>

#include "base/containers/shared.hpp"
#include "collective/plan/system_config.hpp"
#include "study/experiment/pieces/named_definitions.hpp"
#include "study/experiment/pieces/piece_cache.hpp"
#include "study/experiment/run_keys.hpp"
#include "topology/topology.hpp"
#include "workload/training/platform.hpp"

namespace orrery::core {

class PieceReader {
 public:
  // Keeps references to all but the folder. Paths in the experiment are relative to it.
  PieceReader(std::filesystem::path folder, const FileLoader& load, Warnings& warnings, PieceCache& cache)
      : folder_(std::move(folder)), load_(load), warnings_(warnings), cache_(cache) {}

  // Takes the pieces that have names. Throws InputError.
  void take(const ExperimentValues& values);
  void warn_of_unused() const;

  // Return what a run's value stands for.
  const InputNode& network(const InputNode& node) { return networks_.resolve(node); }
  const InputNode& system(const InputNode& node) { return systems_.resolve(node); }
  const InputNode& workload(const InputNode& node) { return workloads_.resolve(node); }
  const InputNode& platform(const InputNode& node) { return platforms_.resolve(node); }

  // The following functions throw InputError.
  Shared<Topology> network_of(const InputNode& node);
  // `network` is that of `topology`.
  Shared<SystemConfig> system_of(const InputNode& node, const InputNode& network, const Topology& topology,
                                 const Dialect& dialect, double injection_scale);
  // `device` is null where there is none.
  std::shared_ptr<const Workload> workload_of(const InputNode& node, const InputNode* device,
                                              const InputNode& network, const Topology& topology);
  // `described` is what platform() returns.
  std::shared_ptr<const Platform> platform_of(const InputNode& described, PlatformUse use);
  // Returns the path of the file that a node names; empty where the node is no word.
  std::string path_of(const InputNode& node) const;

 private:
  // Returns a text that two descriptions have in common where they say the same.
  const std::string& key_of(const InputNode& node);
  std::string text_of_file(const InputNode& node, const FileLoader& load,
                           const NamedDefinitions& pieces) const;
  std::shared_ptr<const ComputingDevice> device_of(const InputNode& node);

  const std::filesystem::path folder_;
  const FileLoader& load_;
  Warnings& warnings_;
  PieceCache& cache_;
  NamedDefinitions networks_{"networks"}, systems_{"systems"}, workloads_{"workloads"},
      platforms_{"platforms", NamedDefinitions::OtherBase::for_the_reader};
  std::map<const InputNode*, std::string> keys_;  // of the nodes of the document
};

}  // namespace orrery::core
