// Builds hosts in a grid of any number of dimensions, which may close around. A ring is one dimension that
// does.
#include <algorithm>

#include "topology/graph/builders/network_builders.hpp"

namespace orrery::core {
namespace {

struct GridDimension {
  int size = 0;
  bool wraps = false;
  std::optional<Cable> link;
};

struct GridMap : HostsPart {
  std::optional<Cable> link;
  std::vector<GridDimension> dimensions;
};

constexpr Key<GridDimension> torus_dimension_keys[] = {
    key::integer<&GridDimension::size>("size", 1, max_in_group, "required",
                                       "number of hosts along the dimension"),
    key::map<cable_keys, &GridDimension::link>("link", "a link", "the network's",
                                               "link between neighbours in the dimension"),
    key::boolean<&GridDimension::wraps>(
        "wrap", "true of a torus, false of a mesh",
        "whether the last host and the first are neighbours, too; with two hosts this changes nothing")
        .better(Better::either)
        .hardware(),
};

// `wraps` says whether dimensions close around by default.
template <bool wraps>
void read_dimensions(const InputNode& node, GridMap& grid) {
  for (const InputNode& item : list_of(node, "dimensions")) {
    GridDimension& dimension = grid.dimensions.emplace_back();
    dimension.wraps = wraps;
    read_map(item, "a dimension", torus_dimension_keys, dimension);
    if (!dimension.link) dimension.link = grid.link;
    if (dimension.link)
      dimension.link->dimension =
          static_cast<std::uint8_t>(std::min<std::size_t>(grid.dimensions.size(), 255));
    if (!dimension.link)
      throw InputError(item.where, "the dimension has no link: give it one here or in front of `dimensions`");
  }
}

constexpr auto grid_link_key = key::map<cable_keys, &GridMap::link>(
    "link", "a link", "the dimensions'", "link between neighbours, from each port to its like");

template <bool wraps>
constexpr Key<GridMap> grid_keys[] = {
    build_key,
    grid_link_key,
    key::custom<read_dimensions<wraps>>("dimensions", "list", "required",
                                        "dimensions of the torus, innermost first")
        .above(keys_of_list<torus_dimension_keys>),
    inside_key,
};

struct RingMap : HostsPart {
  int size = 0;
  Cable link;
};
constexpr Key<RingMap> ring_keys[] = {
    build_key,
    key::integer<&RingMap::size>("size", 1, max_in_group, "required", "number of hosts"),
    key::map<cable_keys, &RingMap::link>("link", "a link", "required",
                                         "link between neighbours, from each port to its like"),
    inside_key,
};

Ports add_grid(GraphDraft& draft, const GridMap& grid) {
  int count = 1;
  for (const GridDimension& dimension : grid.dimensions) count *= dimension.size;
  const std::vector<Ports> hosts = add_hosts(draft, grid.host, count);
  for (int host = 0; host < count; ++host) {
    int stride = 1;
    for (const GridDimension& dimension : grid.dimensions) {
      const int place = host / stride % dimension.size, last = dimension.size - 1;
      if (place < last)
        join_ports(draft, hosts[host], hosts[host + stride], *dimension.link);
      else if (dimension.wraps && dimension.size > 2)
        join_ports(draft, hosts[host - last * stride], hosts[host], *dimension.link);
      stride *= dimension.size;
    }
  }
  return joined_ports(hosts);
}

// A line is no circle, but two hosts form one.
std::optional<NetworkProduct> product_of(const GridMap& grid) {
  HostsPart inner;
  inner.host = grid.host;
  for (const GridDimension& dimension : grid.dimensions) {
    if (!dimension.wraps && dimension.size > 2) return std::nullopt;
    inner.host.product = inner.times({ProductFactor::Form::circle, dimension.size, *dimension.link});
    inner.host.ports *= dimension.size;
    inner.host.groups.push_back(dimension.size);
  }
  return inner.host.product;
}

NetworkPlan plan_of_grid(const GridMap& grid, const InputNode& map) {
  std::vector<int> sizes;
  for (const GridDimension& dimension : grid.dimensions) sizes.push_back(dimension.size);
  NetworkPlan plan = grid.outer_plan(sizes, map);
  plan.npus_forward = true;
  plan.add = [grid](GraphDraft& draft) { return add_grid(draft, grid); };
  plan.product = product_of(grid);
  return plan;
}

NetworkPlan plan_ring(const InputNode& map, const Extensions& extensions) {
  RingMap ring;
  ring.extensions = &extensions;
  read_map(map, "a ring", ring_keys, ring);
  GridMap grid;
  grid.host = ring.host;
  ring.link.dimension = 1;
  grid.dimensions = {{ring.size, true, ring.link}};
  return plan_of_grid(grid, map);
}

template <bool wraps>
NetworkPlan plan_grid(const InputNode& map, const Extensions& extensions) {
  GridMap grid;
  grid.extensions = &extensions;
  read_map(map, wraps ? "a torus" : "a mesh", grid_keys<wraps>, grid);
  return plan_of_grid(grid, map);
}

}  // namespace

const NetworkBuilder ring_builder{"ring", [] { return key_paths("", ring_keys); }, plan_ring};
const NetworkBuilder mesh_builder{"mesh", [] { return key_paths("", grid_keys<false>); }, plan_grid<false>};
const NetworkBuilder torus_builder{"torus", [] { return key_paths("", grid_keys<true>); }, plan_grid<true>};

}  // namespace orrery::core
