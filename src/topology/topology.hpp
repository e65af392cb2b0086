// The machine's shape: dimensions of NPUs, innermost first. It knows nothing about time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/units/bandwidth.hpp"
#include "base/units/bytes.hpp"
#include "topology/graph/lazy_graph.hpp"

namespace orrery::core {

enum class Block { ring, fully_connected, switched };
// The packaging level at which a dimension's parts sit; only the cost model looks at it.
enum class Packaging { tile, package, node, pod };

// One dimension. Latencies are in nanoseconds and may be fractional. The network decides how they are
// rounded.
struct Dimension {
  std::string name;
  Block block = Block::ring;
  int size = 1;                  // NPUs along the dimension
  int links = 2;                 // links of one NPU into the dimension
  Bandwidth link_bandwidth;      // bandwidth of one link in one direction
  double link_latency_ns = 0;    // per hop
  double nic_latency_ns = 0;     // charged twice per message
  double router_latency_ns = 0;  // charged once, switches only
  double hbm_latency_ns = 0;
  Bandwidth hbm_bandwidth = Bandwidth::from_gb_per_s(1);
  double hbm_scale = 0;  // 0 disables the memory term
  Packaging packaging = Packaging::node;

  // Returns how many links one message uses at once: all links of a switch, the pairs of a ring (both
  // directions), or those to one peer when fully connected. 0 means that the dimension cannot carry a
  // message.
  int links_per_message() const;
  // Returns the number of links of one NPU that can be used at all, toward all peers.
  int usable_links() const;
  // Returns the time that a message takes in NPU memory, in nanoseconds, or 0 if memory is not modelled.
  double memory_ns(Bytes bytes) const;
  // Returns the hops between positions a and b of this dimension.
  int hops(int a, int b) const;
};

// Returns the fewest links per NPU that join `size` NPUs as a block.
int min_links(Block block, int size);

// Returns what a dimension is called to which nobody gives a name: "dim0" is the innermost. Reports have the
// names of dimensions from Dimension::name, and so they call it the same everywhere.
std::string default_dimension_name(std::size_t number);

struct FlitNetwork;
struct LinkChanges;
struct RoutingKind;

struct Topology {
  std::vector<Dimension> dimensions;
  // The network as it is built, where that is known. If it is not, the network is described by its
  // dimensions.
  LazyGraph graph = {};
  // The network as routers that pass on flits, for the model that simulates these. Null: it is not described
  // in this way.
  std::shared_ptr<const FlitNetwork> flits = nullptr;
  const RoutingKind* routing = nullptr;  // routing through the graph; null: the usual one
  std::uint64_t route_seed = 0;  // seed of the choice between ways through the graph that are equally short
  // What breaks in the graph or slows down, and when. Null: nothing does.
  std::shared_ptr<const LinkChanges> link_changes = nullptr;

  int npus() const;
};

}  // namespace orrery::core
