// The groups of ranks that communicate in a transformer's training.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "program/collective_request.hpp"
#include "topology/topology.hpp"
#include "workload/training/training_setup.hpp"

namespace orrery::core {

class TrainingCommunicators {
 public:
  // Knows ranks only by their numbers; the dimensions of communicators cross those of any network.
  explicit TrainingCommunicators(const TrainingSetup& setup);

  const std::vector<Communicator>& all() const { return all_; }
  const Communicator& operator[](std::uint32_t number) const { return all_[number]; }

  // The following functions return numbers of communicators. along(): ranks that differ along one axis.
  // same(): ranks that hold the same parameters. shards(): those of them that keep different parts of their
  // state (all unless HSDP is used). copies(): those that keep the same part.
  std::uint32_t along(Axis axis) const { return static_cast<std::uint32_t>(axis); }
  std::uint32_t same(bool of_experts) const { return first_same + (of_experts ? 3 : 0); }
  std::uint32_t shards(bool of_experts) const { return same(of_experts) + 1; }
  std::uint32_t copies(bool of_experts) const { return same(of_experts) + 2; }

 private:
  static constexpr std::uint32_t first_same = axis_count;
  std::vector<Communicator> all_;
};

// Returns what a program asks for to carry out a collective within a layer.
CollectiveRequest request_of(const Exchange& exchange, const TrainingCommunicators& communicators);

// Returns communicators with each dimension cut where it crosses from one dimension of the network to the
// next. Throws InputError at `where` when a group does not fit the network, so that its members also differ
// in something else.
std::vector<Communicator> on_network(std::vector<Communicator> communicators, const Topology& topology,
                                     const SourceLocation& where);

}  // namespace orrery::core
