#include "topology/topology_check.hpp"

#include <cmath>
#include <string>

#include <fmt/format.h>

#include "base/diagnostics/unreachable.hpp"
#include "base/units/time.hpp"

namespace orrery::core {
namespace {

constexpr std::size_t dimension_limit = 10;

// Checks one dimension; `index` counts from 0, as in the formats' own words.
class DimensionCheck {
 public:
  DimensionCheck(const Dimension& dimension, std::size_t index, const WhereInTopology& where,
                 Warnings& warnings)
      : dimension_(dimension), index_(index), where_(where), warnings_(warnings) {}

  void run() const {
    check_links();
    if (dimension_.packaging == Packaging::tile && dimension_.block == Block::switched)
      reject(DimensionPart::packaging, "a switch cannot be of type Tile, use Package, Node or Pod");
    require_bandwidth(DimensionPart::link_bandwidth, "link bandwidth", dimension_.link_bandwidth.gib_per_s());
    require_latency(DimensionPart::link_latency, "link latency", dimension_.link_latency_ns);
    require_latency(DimensionPart::nic_latency, "NIC latency", dimension_.nic_latency_ns);
    require_latency(DimensionPart::router_latency, "router latency", dimension_.router_latency_ns);
    require_latency(DimensionPart::hbm_latency, "HBM latency", dimension_.hbm_latency_ns);
    require_bandwidth(DimensionPart::hbm_bandwidth, "HBM bandwidth", dimension_.hbm_bandwidth.bytes_per_ns());
    if (!std::isfinite(dimension_.hbm_scale) || dimension_.hbm_scale < 0)
      reject(DimensionPart::hbm_scale,
             fmt::format("the HBM scale has to be 0 or more, not {}", dimension_.hbm_scale));
  }

 private:
  SourceLocation where(DimensionPart part) const { return where_(index_, part); }
  std::string named(const std::string& text) const { return fmt::format("dimension {}: {}", index_, text); }
  [[noreturn]] void reject(DimensionPart part, const std::string& text) const {
    throw InputError(where(part), named(text));
  }
  void warn(const std::string& text) const { warnings_.add(where(DimensionPart::links), named(text)); }

  void check_links() const {
    const int links = dimension_.links;
    const int peers = dimension_.size - 1;
    if (links < 0 || links > max_links)
      reject(DimensionPart::links,
             fmt::format("the links per NPU have to be 1 to {}, not {}", max_links, links));
    if (dimension_.block == Block::fully_connected && peers == 0)
      reject(DimensionPart::size,
             "a fully connected dimension needs two NPUs or more, use a ring or switch for one");
    if (dimension_.links_per_message() == 0) reject(DimensionPart::links, too_few_links());
    if (dimension_.block == Block::ring && links % 2 != 0)
      warn(fmt::format("a ring uses its links in pairs, so one of the {} is idle", links));
    if (dimension_.block == Block::fully_connected && links % peers != 0)
      warn(fmt::format("{} links cannot be shared evenly by {} peers, so {} are idle", links, peers,
                       links % peers));
  }

  std::string too_few_links() const {
    switch (dimension_.block) {
      case Block::ring:
        return fmt::format("a ring needs two links per NPU, one to each side, and has {}", dimension_.links);
      case Block::fully_connected:
        return fmt::format("{} NPUs, fully connected, need {} links each, one per peer, and have {}",
                           dimension_.size, dimension_.size - 1, dimension_.links);
      case Block::switched:
        return "a switch needs one link per NPU or more, and has 0";
    }
    unreachable("the links that every block needs are known");
  }

  void require_bandwidth(DimensionPart part, const char* name, double value) const {
    if (!std::isfinite(value) || value <= 0)
      reject(part, fmt::format("the {} has to be above 0, not {}", name, value));
  }

  void require_latency(DimensionPart part, const char* name, double ns) const {
    if (!Time::is_input_ns(ns))
      reject(part, fmt::format("the {} has to be from 0 to 30 days, not {} ns", name, ns));
  }

  const Dimension& dimension_;
  std::size_t index_;
  const WhereInTopology& where_;
  Warnings& warnings_;
};

void check_sizes(const std::vector<Dimension>& dimensions, const WhereInTopology& where) {
  std::int64_t npus = 1;
  for (std::size_t d = 0; d < dimensions.size(); ++d) {
    const int size = dimensions[d].size;
    if (size < 1)
      throw InputError(where(d, DimensionPart::size),
                       fmt::format("dimension {}: the size has to be 1 or more, not {}", d, size));
    npus *= size;
    if (npus > max_npus)
      throw InputError(where(d, DimensionPart::size),
                       "the machine has more than 2^27 NPUs, make a dimension smaller");
  }
}

}  // namespace

void check_topology(const Topology& topology, const WhereInTopology& where, Warnings& warnings) {
  const auto& dimensions = topology.dimensions;
  if (dimensions.size() > dimension_limit)
    throw InputError(where(dimension_limit, DimensionPart::block),
                     "the network has more than 10 dimensions, join some");
  check_sizes(dimensions, where);
  for (std::size_t d = 0; d < dimensions.size(); ++d) DimensionCheck(dimensions[d], d, where, warnings).run();
}

void check_topology(const Topology& topology, const std::vector<SourceLocation>& where_per_dimension,
                    Warnings& warnings) {
  const auto where = [&](std::size_t dimension, DimensionPart) { return where_per_dimension.at(dimension); };
  check_topology(topology, where, warnings);
}

}  // namespace orrery::core
