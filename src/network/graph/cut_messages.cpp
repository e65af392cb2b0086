#include "network/graph/cut_messages.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "base/diagnostics/diagnostics.hpp"
#include "topology/graph/routing/routes.hpp"

namespace orrery::core {
namespace {

std::string names_of(const std::vector<LinkId>& cut, const NetworkGraph& graph) {
  if (cut.empty()) return "nodes that do not forward";
  constexpr std::size_t max_named = 4;
  std::string names;
  for (std::size_t i = 0; i < std::min(cut.size(), max_named); ++i)
    names += fmt::format("{}{}->{}", i > 0 ? ", " : "", graph.node(graph.link(cut[i]).from).name,
                         graph.node(graph.link(cut[i]).to).name);
  if (cut.size() > max_named) names += fmt::format(" and {} more", cut.size() - max_named);
  return names;
}

}  // namespace

// Where a route leads there, the one back is missing, which acknowledgements need.
void report_cut(const NetworkGraph& graph, std::span<const LinkChange> happened, Time now,
                const CutMessage& message) {
  Routes routes(graph);
  for (const LinkChange& change : happened) routes.set_broken(change.link, change.share == 0);
  const NodeId source(message.source), destination(message.destination);
  const auto is_cut = [&](NodeId from, NodeId to) { return routes.hops(from, to) == Routes::unreachable; };
  const bool lacks_route_back =
      !message.is_led && !is_cut(source, destination) && is_cut(destination, source);
  const NodeId from = lacks_route_back ? destination : source, to = lacks_route_back ? source : destination;
  const std::vector<LinkId> cut = routes.cut_around(from);
  SourceLocation where;
  for (const LinkChange& change : happened)
    if (std::ranges::find(cut, change.link) != cut.end()) where = change.where;
  throw InputError(
      where,
      fmt::format("at {:.12g} us no way leads {}from {} to {}, cut off at {}: {} has {} bytes to send "
                  "there since {:.12g} us{}; {}",
                  now.us(), lacks_route_back ? "back " : "", graph.node(from).name, graph.node(to).name,
                  names_of(cut, graph), graph.node(source).name, message.bytes.count(), message.sent.us(),
                  lacks_route_back ? ", and needs acknowledgements" : "",
                  message.is_led ? "NCCL would stop here, as its channels are found when it starts; let this "
                                   "break from the start on, so that they leave it out"
                                 : "leave something whole"));
}

}  // namespace orrery::core
