// Forms of networks that do not come with Orrery: a plug-in makes them of the keys that a user wrote. The
// whole of one is examples/plugins/hypercube.cpp.
//
//   class Star : public orrery::NetworkBuilder {
//     orrery::NetworkPlan build(const orrery::Parameters& keys) const override { ... }
//   };
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "orrery/parameters.hpp"
#include "orrery/time.hpp"

namespace orrery {

// What a node of a network is.
enum class NodeKind : std::uint8_t {
  npu,  // where messages begin and end
  nic,  // where a box is joined to networks around it
  network_switch,
};

// A node of a network; its number is its place among the nodes. NICs and switches pass on messages that are
// meant for others.
struct NodePlan {
  NodeKind kind = NodeKind::npu;
  // The beginning of its name, such as "leaf", behind which its number among those of this stem stands.
  // Empty: "nic" or "switch". NPUs are always called npu0, npu1 and so on.
  std::string stem = {};
  bool reduces = false;  // a switch that adds up the data of all-reduces
};

// A cable between two nodes. It carries messages in both directions, unless it is one-way.
struct CablePlan {
  std::size_t from = 0, to = 0;  // numbers of nodes
  double bandwidth = 0;          // bytes per second in each direction, above 0
  Time latency = {};             // from one end to the other
  double loss = 0;               // probability that a packet is lost, from 0 to 1
  int count = 1;                 // of such cables side by side
  bool one_way = false;          // only from `from` to `to`
  bool striped = false;          // messages are divided evenly among the striped cables that lead on
};

// A network as it is built.
struct NetworkPlan {
  std::vector<NodePlan> nodes = {};  // at least one NPU
  std::vector<CablePlan> cables = {};
  // Sizes of the groups that NPUs form, innermost first, such as 8 GPUs in each of 128 boxes. Their product
  // is the number of NPUs, which form the groups in the order of the nodes. Empty: all NPUs are one group.
  std::vector<int> groups = {};
  bool npus_forward = false;  // whether NPUs pass on messages that are meant for others

  // Returns the number of the node that is added.
  std::size_t add(NodePlan node) {
    nodes.push_back(std::move(node));
    return nodes.size() - 1;
  }
};

// Builds networks of one form. A user asks for it by `build: NAME`. Several threads may use one builder.
class NetworkBuilder {
 public:
  virtual ~NetworkBuilder() = default;
  // Returns the network that the keys describe; the same keys always give the same network. What it throws is
  // told to the user at the place of `build`.
  virtual NetworkPlan build(const Parameters& keys) const = 0;
};

}  // namespace orrery
