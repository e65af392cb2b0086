// Reads keys of an experiment file that say who carries messages, which ways these take through a graph, what
// happens to the graph meanwhile, and which options the network has.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <utility>

#include "network/network_option.hpp"
#include "study/experiment/experiment.hpp"
#include "study/experiment/run_keys.hpp"

namespace orrery::core {

// Returns the network model that a word names. Throws InputError where there is no such model.
NetworkModel network_model_of(const InputNode& word, const Extensions& extensions);

class RouteReader {
 public:
  // Keeps a reference. Paths are relative to the folder.
  RouteReader(std::filesystem::path folder, const FileLoader& load)
      : folder_(std::move(folder)), load_(load) {}

  // Adds these things to a run whose topology and network model have been read already. `node` is the run's
  // map. What the document says is left out where it means nothing in this run. Throws InputError.
  void read(const ExperimentValues& values, const InputNode& node, UnusedKeys& unused, RunSpec& run);

 private:
  SharedOption option(const NetworkOptionKind& kind, const InputNode& node, const RunSpec& run);

  std::filesystem::path folder_;
  const FileLoader& load_;
  // Those that are named by a word, which thousands of runs may have in common.
  std::map<std::pair<const NetworkOptionKind*, std::string>, SharedOption> options_;
};

}  // namespace orrery::core
