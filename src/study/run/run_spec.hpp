// One run, fully described. Every frontend (command-line flags, experiment file) produces it.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/containers/shared.hpp"
#include "base/dialect.hpp"
#include "collective/plan/system_config.hpp"
#include "network/network_setup.hpp"
#include "report/accuracy/error_interval.hpp"
#include "report/timeline/timeline_formats.hpp"
#include "study/run/workload.hpp"
#include "topology/topology.hpp"

namespace orrery::core {

// An experiment may have a hundred thousand of these, so what several can have in common is shared.
struct RunSpec {
  std::string name;
  SourceLocation where;  // place of its description
  Dialect dialect;
  std::shared_ptr<const Workload> workload;
  Shared<Topology> topology;  // without dimensions, the workload's platform says what links there are
  Shared<SystemConfig> system;
  int passes = 1;                        // training iterations; if the workload states them, those
  double compute_scale = 1;              // factor on every compute time
  double comm_scale = 1;                 // factor on every collective's size
  std::vector<double> compute_slowdown;  // by rank, factor on its compute times; empty: 1 everywhere
  int hash_seeds = 1;  // the run is carried out with so many seeds of its ways, from the topology's on
  NetworkSetup network;
  SourceLocation network_model_where;  // of the key or flag that chooses the model; none: nobody did
  // Whether to record everything that each class of ranks does.
  bool every_class = false;
  bool every_operator = false;               // whether to tell operators apart, where they are known
  bool every_collective = false;             // whether collectives within layers are operations of their own
  TimelineFormats timelines{&csv_timeline};  // formats that are to be written
  // ASTRA-sim 1.0's files may be those of several runs: their number, and the place of this one among them.
  int shared_rows = 1, row = 0;
  double interval = usual_interval_share;  // share of measurements that intervals hold
  bool allow_out_of_memory = false;        // otherwise too little memory is an error

  // Returns whether the user describes a network. A run on a platform may do without one.
  bool has_network() const { return !topology->dimensions.empty(); }
};

}  // namespace orrery::core
