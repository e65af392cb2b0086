#include "report/picture/dimension_picture.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <unordered_map>
#include <utility>

#include "topology/graph/network_graph.hpp"

namespace orrery::core {

namespace {

constexpr int max_npus_in_grid = 144;
constexpr std::uint64_t max_links_in_grid = 1200;
constexpr int max_drawn_members = 24;  // of a group that are drawn
constexpr double bend_beside = 0.04, bend_around = 0.22, bend_far_around = 0.08;

struct Point {
  double x = 0, y = 0;
};

Point on_circle(int place, int places, double radius) {
  const double turn = 2 * std::numbers::pi * place / places;
  return {radius * std::sin(turn), radius * std::cos(turn)};
}

// Every second dimension leads to the right, the others lead up. A dimension's groups stand apart from one
// another.
class Grid {
 public:
  explicit Grid(const LinkMap& map) : map_(map) {
    double width = 1, height = 1;
    int drawn = 0;
    for (std::size_t d = 0; d < map.dimensions(); ++d) {
      const int size = map.groups(d).size;
      const bool to_the_right = drawn % 2 == 0;
      double& extent = to_the_right ? width : height;
      steps_.push_back(to_the_right ? Point{extent, 0} : Point{0, extent});
      if (size == 1) continue;
      ++drawn;
      extent = extent * size + 0.6;
    }
    only_one_ = drawn == 1;
  }

  Point of(int npu) const {
    Point at;
    for (std::size_t d = 0; d < steps_.size(); ++d) {
      const LogicalDimension& groups = map_.groups(d);
      if (only_one_ && groups.size > 2)
        return on_circle(groups.position(npu), groups.size, groups.size / (2 * std::numbers::pi));
      at.x += groups.position(npu) * steps_[d].x;
      at.y += groups.position(npu) * steps_[d].y;
    }
    return at;
  }

  // A switch is beside the middle of its group, so that it hides no NPU.
  Point of_switch(std::size_t d, int npu) const {
    const LogicalDimension& groups = map_.groups(d);
    const int base = groups.base(npu);
    Point middle;
    for (int position = 0; position < groups.size; ++position) {
      const Point at = of(base + position * groups.stride);
      middle.x += at.x / groups.size;
      middle.y += at.y / groups.size;
    }
    if (only_one_ && groups.size > 2) return middle;
    return {middle.x + (steps_[d].x > 0 ? 0 : 0.5), middle.y + (steps_[d].x > 0 ? 0.5 : 0)};
  }

  // Lines between neighbours are straight, except that they bend so far that both directions can be told
  // apart. Other lines go around the nodes between their ends.
  double bend(std::size_t d, int from, int to) const {
    if (only_one_ || from == to) return bend_beside;
    const LogicalDimension& groups = map_.groups(d);
    if (std::abs(groups.position(from) - groups.position(to)) == 1) return bend_beside;
    return std::max(steps_[d].x, steps_[d].y) > 1 ? bend_far_around : bend_around;
  }

 private:
  const LinkMap& map_;
  std::vector<Point> steps_;  // by dimension
  bool only_one_ = false;     // dimension of more than one NPU
};

// A link of the machine.
struct Wire {
  std::string from, to;
  std::size_t dimension;
  int npu, peer;  // twice the same at a switch
  bool both_ways = false;
};

std::vector<Wire> wires_of(const LinkMap& map) {
  std::vector<Wire> wires;
  for (Link link = 0; link < map.size(); ++link) {
    const auto d = static_cast<std::size_t>(map.dimension(link));
    const LinkMap::Ends ends = map.ends(link);
    const LinkMap::Npus npus = map.npus(link);
    const bool both = map.block(d) == Block::ring && map.links_per_npu(d) == 1;
    wires.push_back({ends.from, ends.to, d, npus.npu, npus.peer, both});
  }
  return wires;
}

// The graph is that of a product, in which switches join NPUs of the innermost dimension.
std::vector<Wire> wires_of(const NetworkGraph& graph, const LinkMap& map) {
  std::vector<Wire> wires;
  for (const LinkId id : graph.all_links()) {
    const NetworkLink& link = graph.link(id);
    const auto from = static_cast<int>(link.from.value()), to = static_cast<int>(link.to.value());
    const bool up = !graph.is_npu(link.to), down = !graph.is_npu(link.from);
    Wire wire{graph.node(link.from).name, graph.node(link.to).name, 0, down ? to : from, up ? from : to};
    for (std::size_t d = 0; d < map.dimensions(); ++d) {
      const LogicalDimension& groups = map.groups(d);
      const bool lies_in_it =
          up || down ? map.block(d) == Block::switched : groups.position(from) != groups.position(to);
      if (lies_in_it) wire.dimension = d;
    }
    wires.push_back(std::move(wire));
  }
  return wires;
}

class WholeMachine {
 public:
  WholeMachine(const Topology& topology, const LinkMap& map, const KnownLoads& loads)
      : topology_(topology), loads_(loads), grid_(map) {}

  NetworkPicture draw(const std::vector<Wire>& wires) {
    for (const Wire& wire : wires) ++wires_[wire.dimension];
    for (int npu = 0; npu < topology_.npus(); ++npu) node_at(fmt::format("npu{}", npu), "npu", grid_.of(npu));
    for (const Wire& wire : wires) add(wire);
    for (const auto& [ends, of] : loads_.series())
      if (const auto link = links_.find(ends); link != links_.end())
        add_moments({of}, loads_.interval(), link->second, picture_);
    return std::move(picture_);
  }

 private:
  std::size_t node_at(const std::string& name, std::string_view kind, Point at) {
    const auto [place, is_new] = nodes_.try_emplace(name, picture_.nodes.size());
    if (is_new) picture_.nodes.push_back({name, kind, 1, at.x, at.y});
    return place->second;
  }

  void add(const Wire& wire) {
    const LinkEnds ends(wire.from, wire.to);
    const auto [place, is_new] = links_.try_emplace(ends, picture_.links.size());
    if (!is_new) {  // it lies beside another, whose load counts for both
      picture_.links[place->second].load.links += picture_.links[place->second].of_all ? 0 : 1;
      return;
    }
    const auto node = [&](const std::string& name) {
      const bool is_switch = wire.npu == wire.peer;
      return node_at(name, is_switch ? "switch" : "npu",
                     is_switch ? grid_.of_switch(wire.dimension, wire.npu) : Point{});
    };
    PictureLink link{node(wire.from), node(wire.to), topology_.dimensions[wire.dimension].name,
                     wire.both_ways, grid_.bend(wire.dimension, wire.npu, wire.peer)};
    const auto number = static_cast<int>(wire.dimension);
    const auto known = loads_.by_ends().find(ends);
    const PictureLoad* const even = loads_.of_each(number, wires_[wire.dimension]);
    link.of_all = loads_.is_unclear(number) && even == nullptr;
    if (link.of_all)
      link.load = loads_.of_dimension(number);
    else if (even != nullptr)
      link.load = *even;
    else if (known != loads_.by_ends().end())
      link.load = known->second;
    if (!link.of_all) link.load.links = 1;
    picture_.links.push_back(std::move(link));
  }

  const Topology& topology_;
  const KnownLoads& loads_;
  const Grid grid_;
  std::unordered_map<std::string, std::size_t> nodes_;
  std::map<LinkEnds, std::size_t> links_;
  std::map<std::size_t, std::uint64_t> wires_;  // number of them by dimension
  NetworkPicture picture_;
};

// A circle for each dimension, beside one another, with the group of NPU 0.
class OneGroupEach {
 public:
  OneGroupEach(const Topology& topology, const LinkMap& map, const KnownLoads& loads)
      : topology_(topology), map_(map), loads_(loads) {
    picture_.shows = NetworkPicture::Shows::dimensions;
  }

  NetworkPicture draw() {
    for (std::size_t d = 0; d < map_.dimensions(); ++d)
      if (map_.groups(d).size > 1) add(d);
    return std::move(picture_);
  }

 private:
  void add(std::size_t d) {
    const LogicalDimension& group = map_.groups(d);
    const int places = std::min(group.size, max_drawn_members);
    const std::size_t first = picture_.nodes.size();
    for (int place = 0; place < places; ++place) {
      const auto position = [&](int p) { return static_cast<int>(std::int64_t{group.size} * p / places); };
      const int begin = position(place), last = position(place + 1) - 1;
      std::string name = fmt::format("npu{}", begin * group.stride);
      if (last > begin) name += fmt::format(" ... npu{}", last * group.stride);
      const Point at = on_circle(place, places, 1);
      picture_.nodes.push_back({std::move(name), "npu", static_cast<std::uint64_t>(last - begin + 1),
                                left_ + at.x, at.y, topology_.dimensions[d].name});
    }
    const auto node = [&](int place) { return first + static_cast<std::size_t>(place); };
    if (map_.block(d) == Block::switched) {
      picture_.nodes.push_back({"switch", "switch", 1, left_, 0, topology_.dimensions[d].name});
      for (int place = 0; place < places; ++place)
        for (const auto& [from, to] :
             {std::pair(node(place), node(places)), std::pair(node(places), node(place))})
          add_link(d, from, to);
    } else {
      const bool ring = map_.block(d) == Block::ring;
      for (int place = 0; place < places; ++place)
        for (int other = 0; other < places; ++other) {
          const int ahead = (other - place + places) % places;
          const bool back = ahead == places - 1 && map_.links_per_npu(d) > 1;
          if (ahead == 1 || (ring ? back : ahead != 0)) add_link(d, node(place), node(other));
        }
    }
    left_ += 3;
  }

  void add_link(std::size_t d, std::size_t from, std::size_t to) {
    PictureLink link{from, to, topology_.dimensions[d].name, false, bend_beside};
    link.both_ways = map_.block(d) == Block::ring && map_.links_per_npu(d) == 1;
    link.load = loads_.of_dimension(static_cast<int>(d));
    link.of_all = true;
    picture_.links.push_back(std::move(link));
  }

  const Topology& topology_;
  const LinkMap& map_;
  const KnownLoads& loads_;
  double left_ = 0;
  NetworkPicture picture_;
};

}  // namespace

NetworkPicture dimension_picture(const Topology& topology, const LinkMap& map, const KnownLoads& loads) {
  if (topology.npus() > max_npus_in_grid || map.size() > max_links_in_grid)
    return OneGroupEach(topology, map, loads).draw();
  return WholeMachine(topology, map, loads)
      .draw(topology.graph ? wires_of(*topology.graph, map) : wires_of(map));
}

}  // namespace orrery::core
