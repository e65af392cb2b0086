// Makes networks of a regular form, such as a torus or a fat tree, from the few numbers that describe them.
//
// A builder is a NetworkBuilder in a file of its own and a line in network_builders.hpp. It reads the keys of
// a map, reports what is wrong with them at their places, and returns how to add such a network to a draft.
// In the place of each host of the network stands an NPU or, with the key `inside`, another network.
#pragma once

#include <functional>
#include <optional>
#include <string_view>
#include <vector>

#include "base/files/extensions.hpp"
#include "base/input/keys.hpp"
#include "topology/graph/formats/graph_file.hpp"
#include "topology/graph/graph_draft.hpp"
#include "topology/graph/network_product.hpp"

namespace orrery::core {

// The nodes of a network that the links of an outer network reach: its NICs if it has any, else its NPUs.
using Ports = std::vector<NodeId>;

// A network whose keys have been read.
struct NetworkPlan {
  std::vector<int> groups;    // as of a BuiltNetwork
  int ports = 0;              // number of nodes that add() returns
  bool npus_forward = false;  // its messages may pass NPUs
  std::function<Ports(GraphDraft&)> add;
  std::optional<NetworkProduct> product = {};  // the same network; none: it is no product

  double npus() const;
};

struct NetworkBuilder {
  std::string_view name;  // as in `build: fat-tree`
  std::vector<KeyPath> (*keys)();
  // `extensions` are what may stand inside, besides the builders that come with the program.
  NetworkPlan (*plan)(const InputNode& map, const Extensions& extensions);
};

// A builder of a plug-in, which is found by its name among the extensions. The keys of the map are its own.
struct ForeignNetworkBuilder {
  std::function<NetworkPlan(const InputNode& map)> plan;
};

// Reads a map with the key `build` and those of its builder.
NetworkPlan plan_network(const InputNode& map, const Extensions& extensions);
// Makes the network of a plan. Throws InputError at `where` for a network that is too large.
NetworkGraph make_network(const NetworkPlan& plan, const SourceLocation& where);
BuiltNetwork build_network(const InputNode& map, const Extensions& extensions);

// The part that all networks have in common which consist of hosts.
struct HostsPart {
  NetworkPlan host;                               // an NPU, unless the map says what is inside
  const Extensions* extensions = &no_extensions;  // what may be inside

  HostsPart();
  // Returns the plan of a network in which hosts form such groups. Throws InputError when there are too many
  // hosts.
  NetworkPlan outer_plan(const std::vector<int>& sizes, const InputNode& map) const;
  // Returns the product of the hosts' network and one more factor, if the hosts' network is a product.
  std::optional<NetworkProduct> times(const ProductFactor& factor) const;
};
// Adds hosts and returns the ports of each.
std::vector<Ports> add_hosts(GraphDraft& draft, const NetworkPlan& host, int hosts);
Ports joined_ports(const std::vector<Ports>& hosts);
// Joins the ports of two hosts that have the same place in them.
void join_ports(GraphDraft& draft, const Ports& a, const Ports& b, const Cable& cable);
void join_each(GraphDraft& draft, const Ports& ports, NodeId to, const Cable& cable);

inline constexpr int max_in_group = 1 << 24;

namespace plan_keys {

void read_inside(const InputNode& node, HostsPart& hosts);

}  // namespace plan_keys

inline constexpr Key<Cable> cable_keys[] = {
    key::bandwidth<&Cable::bandwidth>("bandwidth", "required", "bandwidth in each direction").hardware(),
    key::time<&Cable::latency>("latency", "required", "latency from one end to the other").hardware(),
    key::real<&Cable::loss>("loss", 0, 1, "0", "probability that a packet is lost")
        .better(Better::less)
        .hardware(),
    key::boolean<&Cable::striped>("striped", "false; NVLinks: true",
                                  "whether messages are divided evenly among the striped links that lead on, "
                                  "instead of taking one of them")
        .better(Better::either)
        .software(),
    key::integer<&Cable::count>("count", 1, max_in_parallel, "1", "number of such cables side by side")
        .better(Better::more)
        .hardware(),
};

// plan_network() has looked at the value of this key.
inline constexpr auto build_key =
    key::custom<[](const InputNode&, auto&) {}>("build", "a builder", "required", "form of the network")
        .trying("ring");
// The key that says whether the switches of a form reduce.
template <auto member>
inline constexpr auto reduction_key =
    key::boolean<member>(
        "reduction", "false",
        "whether its switches add up the data of all-reduces, which then pass each link once (as with NVLS "
        "and SHARP); for the algorithms [sharp and nvls](models/collectives.md#reduction-in-switches), and "
        "collectives on [channels](models/channels.md#reduction-in-switches)")
        .better(Better::either)
        .hardware();
inline constexpr auto inside_key = key::custom<plan_keys::read_inside>(
    "inside", "a map with `build`", "an NPU",
    "what each host is; links of hosts lead to each of its NICs, or where it has none to each of its NPUs");

}  // namespace orrery::core
