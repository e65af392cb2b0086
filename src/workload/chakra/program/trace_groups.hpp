// The communicators of a program of traces: all ranks, the groups of the machine's group file, and the groups
// that traces define (docs/models/execution-traces.md, Communicator groups).
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "base/units/rank_id.hpp"
#include "program/collective_request.hpp"
#include "workload/chakra/dependencies/trace_rules.hpp"

namespace orrery::core {

class TraceGroups {
 public:
  // Keeps a reference.
  TraceGroups(std::vector<LogicalDimension> dimensions, const TraceRules& rules);

  // The groups that one trace defines. By name, then by the node that defines it, it is the number of the
  // communicator.
  using Defined = std::map<std::string, std::map<std::uint32_t, std::uint32_t>>;
  // Adds what a metadata node defines on a machine of `ranks`. Returns what is wrong with the node, or an
  // empty text if nothing is.
  std::string define(std::uint32_t node, const std::vector<ProcessGroup>& groups, std::uint32_t ranks,
                     Defined& defined);
  // Returns the number of the communicator that a node's group name means for a rank. Throws
  // std::invalid_argument that says what is wrong where there is no such communicator, and where the rank is
  // no member of it.
  std::uint32_t of_node(std::uint32_t node, const std::string& name, RankId rank, const Defined& defined);

  const Communicator& operator[](std::uint32_t number) const { return communicators_[number]; }
  std::vector<Communicator> take() { return std::move(communicators_); }

 private:
  std::uint32_t add(std::uint64_t id, std::uint64_t tags, const std::vector<int>& members);

  const TraceRules& rules_;
  std::vector<Communicator> communicators_;
  std::map<std::tuple<std::string, std::uint64_t, std::vector<int>>, std::uint32_t> numbers_;
};

}  // namespace orrery::core
