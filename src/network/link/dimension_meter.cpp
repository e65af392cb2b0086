#include "network/link/dimension_meter.hpp"

#include <utility>

#include "base/diagnostics/diagnostics.hpp"

namespace orrery::core {

namespace {

// A link that carries something takes a kibibyte of memory, so this many take a gibibyte.
std::size_t metered_links(const LinkMap& map) {
  if (map.size() <= Link{1} << 20) return map.size();
  throw InputError({},
                   "the machine has more than 2^20 links, of each of which `link-history` would keep what it "
                   "carries when; make it smaller or leave `link-history` out");
}

}  // namespace

DimensionMeter::DimensionMeter(const Topology& topology, const LinkMap& map, const LinkSpeeds& speeds)
    : topology_(topology), map_(map), speeds_(speeds), meter_(metered_links(map)) {}

LinkHistory DimensionMeter::history() const {
  return meter_.history(
      {.bytes_per_ns =
           [&](LinkId id) {
             const Link link = id.value();
             return speeds_.bytes_per_ns(static_cast<std::size_t>(map_.dimension(link)), map_.npus(link));
           },
       .ends =
           [&](LinkId id) {
             auto [from, to] = map_.ends(id.value());
             return LinkEnds(std::move(from), std::move(to));
           },
       .level =
           [&](LinkId id) {
             return topology_.dimensions[static_cast<std::size_t>(map_.dimension(id.value()))].name;
           }});
}

}  // namespace orrery::core
