// Holds the communicator groups that a rank's nodes name: those of the machine, and those that its trace
// defines (docs/models/execution-traces.md, Communicator groups).
#pragma once

#include <list>
#include <map>
#include <string>

#include "simulate/trace/node_request.hpp"

namespace orrery {

class CommGroups {
 public:
  // Keeps references.
  CommGroups(const TraceMachine& machine, const std::vector<RankTrace>& traces, const NodeRequests& requests,
             std::uint32_t rank)
      : machine_(&machine), trace_(&traces[rank]), requests_(&requests), rank_(rank) {}

  // Takes over the groups that a metadata node defines, if it does. Throws InputError when one cannot be.
  void define(std::uint32_t node);
  // Returns the group of a collective; null: all ranks. Throws InputError when there is none of its name, and
  // when the rank is no member. Groups stay where they are.
  const CommGroup* of_node(std::uint32_t node);
  // Does the same, but looks only among the groups that of_node() has found before.
  const CommGroup* known(const std::string& name) const {
    const auto found = by_name_.find(name);
    return found == by_name_.end() ? nullptr : found->second;
  }

 private:
  const CommGroup* add(CommGroup group);
  void require_member(std::uint32_t node, const CommGroup& group) const;

  const TraceMachine* machine_;
  const RankTrace* trace_;
  const NodeRequests* requests_;
  std::uint32_t rank_;
  std::map<std::string, const CommGroup*> by_name_;
  std::list<CommGroup> all_;  // groups, those replaced included
};

}  // namespace orrery
