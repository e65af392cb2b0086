#include "collective/channels/channel_choice.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace orrery {
namespace {

std::string gb_per_s(Rate rate) {
  return fmt::format("{} GB/s", static_cast<double>(std::max<Rate>(rate, 1)) / 1000);
}

// Returns the rate of a GPU's NVLinks together or, if it has none, of its fastest link.
Rate rate_inside(const HostGraph& host) {
  Rate nvlinks = 0, fastest = 0;
  for (const std::uint32_t id : host.nodes[0].links) {
    fastest = std::max(fastest, host.links[id].rate);
    if (host.links[id].nvlink) nvlinks += host.links[id].rate;
  }
  return nvlinks > 0 ? nvlinks : fastest;
}

GroupPlacement placement(const GroupChannels& channels) {
  std::size_t members = 0, most = channels.hosts()[0].gpus.size();
  for (const Host& host : channels.hosts()) {
    members += host.gpus.size();
    most = std::min(most, host.gpus.size());
  }
  while (members % most != 0) --most;
  return {static_cast<int>(members), static_cast<int>(most)};
}

CollectiveLibrary library_of(const GroupChannels& channels, bool sharp, const SourceLocation& where) {
  const HostGraph& host = channels.plan(0).shape;
  ClusterLinks links;
  links.gpus_per_node = static_cast<int>(host.gpus);
  links.inside = LinkChoice(gb_per_s(rate_inside(host)), where);
  if (channels.hosts().size() > 1) {
    links.nics_per_node = static_cast<int>(host.ports);
    const std::string rate = gb_per_s(host.links[host.nodes[host.port(0)].links[0]].rate);
    // Classes of links between nodes were fitted to switches that were measured; these are the user's own.
    links.between = sharp ? LinkChoice(parse_yaml(
                                fmt::format("{{ bandwidth: {}, switch-efficiency: 1 }}", rate), where.file))
                          : LinkChoice(rate, where);
  }
  return find_collective_library("nccl", links, where);
}

}  // namespace

ChannelChoice::ChannelChoice(const GroupChannels& channels, std::vector<LibraryAlgorithm> algorithms,
                             const SourceLocation& where)
    : algorithms_(std::move(algorithms)),
      group_(placement(channels)),
      library_(library_of(
          channels, std::ranges::find(algorithms_, LibraryAlgorithm::sharp) != algorithms_.end(), where)) {}

LibraryAlgorithm ChannelChoice::of_all_reduce(Bytes bytes) const {
  return *std::ranges::min_element(algorithms_, {}, [&](LibraryAlgorithm algorithm) {
    return library_.cost(CollectiveKind::all_reduce, bytes.as_double(), group_, algorithm).seconds;
  });
}

}  // namespace orrery
