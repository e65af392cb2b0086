// One run, fully described: what every frontend (command-line flags, experiment file) produces.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/dialect.hpp"
#include "collective/system_config.hpp"
#include "network/make_transport.hpp"
#include "topology/slow_links.hpp"
#include "topology/topology.hpp"
#include "workload/astra1/layer_table.hpp"

namespace orrery {

struct RunSpec {
  std::string name;
  Dialect dialect;
  std::shared_ptr<const LayerTable> workload;  // runs of an experiment may share it
  Topology topology;
  SystemConfig system;
  int passes = 1;                        // training iterations
  double compute_scale = 1;              // factor on every compute time
  double comm_scale = 1;                 // factor on every collective's size
  std::vector<double> compute_slowdown;  // by rank, factor on its compute times; empty: 1 everywhere
  std::vector<SlowLinks> slow_links;
  NetworkModel network_model = NetworkModel::analytical;
};

}  // namespace orrery
