// One run, fully described: what every frontend (command-line flags, experiment file) produces.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/dialect.hpp"
#include "base/shared.hpp"
#include "collective/system_config.hpp"
#include "network/host/host_stack.hpp"
#include "network/network_models.hpp"
#include "report/timeline/timeline_formats.hpp"
#include "study/workload.hpp"
#include "topology/slow_links.hpp"
#include "topology/topology.hpp"

namespace orrery {

// An experiment may have a hundred thousand of these, so what several can have in common is shared.
struct RunSpec {
  std::string name;
  SourceLocation where;  // of its description
  Dialect dialect;
  std::shared_ptr<const Workload> workload;
  Shared<Topology> topology;  // without dimensions: the workload's platform says what links there are
  Shared<SystemConfig> system;
  int passes = 1;                        // training iterations; those of the workload if it has them
  double compute_scale = 1;              // factor on every compute time
  double comm_scale = 1;                 // factor on every collective's size
  std::vector<double> compute_slowdown;  // by rank, factor on its compute times; empty: 1 everywhere
  std::vector<SlowLinks> slow_links;
  NetworkModel network_model = &analytical_model;
  // Flows that share the network with the run's messages; null: none.
  std::shared_ptr<const std::vector<Flow>> background;
  std::shared_ptr<const PacketSettings> packets;  // of the network model `packet`; null: the usual ones
  std::shared_ptr<const HostStack> host_stack;    // that messages pass; null: none
  bool link_history = false;                      // what links carry when is to be reported
  bool message_times = false;                     // what messages took is to be reported
  bool every_class = false;                       // all that each class of ranks does is to be recorded
  bool every_operator = false;                    // operators are to be told apart, where they are known
  TimelineFormats timelines{&csv_timeline};       // that are to be written
  bool allow_out_of_memory = false;               // else that is an error

  // Returns whether the user describes a network; a platform may do without.
  bool has_network() const { return !topology->dimensions.empty(); }
};

}  // namespace orrery
