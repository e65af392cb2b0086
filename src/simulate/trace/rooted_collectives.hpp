// Finds the root of a rooted collective, and checks that all its members name the same.
#pragma once

#include <cstdint>
#include <map>
#include <tuple>
#include <vector>

#include "simulate/trace/node_request.hpp"
#include "topology/logical_dimension.hpp"

namespace orrery {

class RootedCollectives {
 public:
  // Keeps a reference to the requests.
  RootedCollectives(const TraceMachine& machine, const NodeRequests& requests)
      : requests_(requests), dimensions_(logical_dimensions(machine.topology)) {}

  // A rank begins a rooted collective, having started `streams_before` streams in its group. Gives the
  // request its root. Throws InputError if the root is none of the members, or if members do not agree: their
  // messages would miss each other, and not all of that stalls.
  void complete(std::uint32_t rank, std::uint32_t node, StreamRequest& request, std::uint64_t streams_before);

 private:
  // The members that run a collective: the first, and how many.
  struct Members {
    std::uint32_t first = 0;
    std::uint64_t count = 1;
  };
  // The request of the first member to begin.
  struct Begun {
    std::uint32_t rank;
    StreamRequest request;
    std::uint64_t members_left;
  };

  Members members_of(std::uint32_t rank, const StreamRequest& request) const;
  std::uint32_t root_of(std::uint32_t rank, std::uint32_t node, const StreamRequest& request,
                        std::uint32_t first) const;

  const NodeRequests& requests_;
  std::vector<LogicalDimension> dimensions_;
  // Collectives begun by some of their members only, by tag base, number of streams before, and first member.
  std::map<std::tuple<std::uint64_t, std::uint64_t, std::uint32_t>, Begun> begun_;
};

}  // namespace orrery
