// Keys that a run reads, but that change nothing in it because of what other keys say: how
// ranks of an axis talk to each other where the axis has one rank, or the links between nodes where there is
// but one node.
#pragma once

#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostics/diagnostics.hpp"
#include "base/input/input_node.hpp"
#include "topology/topology.hpp"
#include "workload/training/training_setup.hpp"

namespace orrery::core {

// Returns why a key changes nothing in a training, given by its path such as "platform.between.step". Returns
// an empty text where it may change something. Keys that `network` makes useless are not looked at.
std::string_view why_idle(std::string_view path, const TrainingSetup& setup);

// Collects such keys of all runs of an experiment. Several runs may share what is written once, and one in
// which it changes something is enough.
class IdleKeys {
 public:
  // Reads the training on another platform. Throws InputError.
  using ReadOther = std::function<TrainingSetup(const InputNode& platform)>;
  // `platform` and `workload` are what the user has written; the network, if any, replaces the platform's
  // links.
  void look_at(const TrainingSetup& setup, const InputNode& platform, const InputNode& workload,
               bool has_network, const ReadOther& read_other);
  // Does the same for a pipeline of layers, which `workload` may have.
  void look_at_pipeline(const InputNode& workload, const Topology& topology);
  // Does the same for what a system says about all-reduces over several dimensions.
  void look_at_system(const InputNode& system, const Topology& topology);
  void warn(Warnings& warnings) const;

 private:
  class Look;
  struct Idle {
    std::string place;
    SourceLocation where;
    std::string text;
  };
  void note(const InputName& key, bool is_idle, std::string_view changes, std::string_view why);

  std::vector<Idle> idle_;               // in the order of the runs
  std::set<std::string> listed_, used_;  // places
};

}  // namespace orrery::core
