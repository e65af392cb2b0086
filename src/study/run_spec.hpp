// One run, fully described: what every frontend (command-line flags, experiment file) produces.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/dialect.hpp"
#include "base/shared.hpp"
#include "collective/system_config.hpp"
#include "memory/memory_verdict.hpp"
#include "network/make_transport.hpp"
#include "topology/slow_links.hpp"
#include "topology/topology.hpp"
#include "workload/astra1/layer_table.hpp"
#include "workload/chakra/graph_trace.hpp"
#include "workload/training/training_setup.hpp"

namespace orrery {

// An experiment may have a hundred thousand of these, so what several can have in common is shared.
struct RunSpec {
  std::string name;
  SourceLocation where;  // of its description
  Dialect dialect;
  // One of the two; runs of an experiment may share it.
  std::shared_ptr<const LayerTable> workload;
  std::shared_ptr<const chakra::RecordedGraph> recorded;  // the loop is written down already, scaled
  Shared<Topology> topology;
  Shared<SystemConfig> system;
  int passes = 1;                        // training iterations; of a recorded loop, those it has
  double compute_scale = 1;              // factor on every compute time
  double comm_scale = 1;                 // factor on every collective's size
  std::vector<double> compute_slowdown;  // by rank, factor on its compute times; empty: 1 everywhere
  std::vector<SlowLinks> slow_links;
  NetworkModel network_model = NetworkModel::analytical;
  std::shared_ptr<const TrainingSetup> training;  // a transformer on a platform, instead of a workload above
  std::shared_ptr<const MemoryVerdict> memory;    // of a model on a device; else null
  bool allow_out_of_memory = false;               // else that is an error

  // Returns whether the user describes a network; a platform may do without.
  bool has_network() const { return !topology->dimensions.empty(); }
};

}  // namespace orrery
