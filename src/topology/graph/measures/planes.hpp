// The planes of a network: parts that no message passes from one to another.
//
// Only nodes that forward have others behind them. So the NPUs of a machine keep the switches of a box apart
// from the fabric between boxes, although all of them can be reached. A message between two NPUs stays in one
// plane, and messages in different planes share no link.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "topology/graph/network_graph.hpp"

namespace orrery::core {

struct NetworkPlane {
  std::vector<LinkId> links;  // ascending
  std::vector<NodeId> npus;   // NPUs at its links, ascending
  bool only_at_npus = true;   // every link ends at an NPU that does not forward
  bool striped = true;        // all links are striped
};

class NetworkPlanes {
 public:
  // Where NPUs pass on messages, they join planes, unless they are to count as if they did not.
  explicit NetworkPlanes(const NetworkGraph& graph, bool npus_forward = true);

  std::size_t size() const { return planes_.size(); }
  const NetworkPlane& operator[](std::uint32_t plane) const { return planes_[plane]; }
  std::uint32_t of(LinkId link) const { return of_link_[link.index()]; }

 private:
  std::vector<std::uint32_t> of_link_;
  std::vector<NetworkPlane> planes_;
};

// Returns, by link, whether its plane joins NPUs of several groups of `size` consecutive NPUs. The others
// stay inside a group, such as those to the switches of a box. Where there are switches, NPUs join no planes
// here: rails are apart from NVLinks even if NPUs pass messages on from one to the other. Returns nothing if
// no link leaves a group, or if none stays inside one.
std::vector<bool> links_between_groups(const NetworkGraph& graph, int size);

}  // namespace orrery::core
