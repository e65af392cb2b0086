#include "network/graph/graph_routes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "base/diagnostics/diagnostics.hpp"
#include "base/random.hpp"
#include "network/message_time.hpp"

namespace orrery::core {
namespace {

std::uint64_t hash_of(int source, int destination, Channel channel) {
  const std::uint64_t ends =
      (std::uint64_t{static_cast<std::uint32_t>(source)} << 32) | static_cast<std::uint32_t>(destination);
  const std::uint64_t of_owner = channel.owner > 0 ? Random(channel.owner).next() : 0;
  return Random(ends).next() ^ channel.number ^ (std::uint64_t{channel.for_one} << 32) ^ of_owner;
}

}  // namespace

std::size_t GraphRoutes::Hash::operator()(const Key& key) const {
  return Random(hash_of(key.source, key.destination, key.channel)).next();
}

std::uint32_t GraphRoutes::between(int source, int destination, Channel channel) {
  const std::optional<std::uint32_t> route_number = find(source, destination, channel);
  if (!route_number) throw_no_route(source, destination);
  return *route_number;
}

void GraphRoutes::throw_no_route(int source, int destination) const {
  throw InputError({}, fmt::format("no way leads from {} to {}: add links, have the nodes between them "
                                   "forward, or use the routing `relay`",
                                   graph_.node(NodeId(source)).name, graph_.node(NodeId(destination)).name));
}

std::optional<std::uint32_t> GraphRoutes::find(int source, int destination, Channel channel) {
  const bool by_message = routes_.routing().by_message;
  if (!by_message)
    if (const auto known = known_.find({source, destination, channel}); known != known_.end())
      return known->second;
  std::uint64_t flow = hash_of(source, destination, channel);
  if (by_message) flow = Random(flow + messages_++).next();
  std::optional<Route> route = route_between(source, destination, channel, flow);
  if (!route) return std::nullopt;
  const std::uint32_t route_number = number_of(std::move(*route), carrying_dimension(source, destination));
  if (!by_message) known_.try_emplace({source, destination, channel}, route_number);
  return route_number;
}

std::optional<Route> GraphRoutes::route_between(int source, int destination, Channel channel,
                                                std::uint64_t flow) {
  const NodeId from(source), to(destination);
  if (const auto through = through_.find({source, destination, channel}); through != through_.end())
    return routes_.find_through(from, through->second, to, flow);
  const bool is_whole = shares_.empty();
  return found_ && is_whole ? found_->find(routes_, from, to, flow) : routes_.find(from, to, flow);
}

Time GraphRoutes::lead(Channel channel, int source, int destination, std::vector<NodeId> through) {
  known_.erase({source, destination, channel});
  through_.insert_or_assign({source, destination, channel}, std::move(through));
  if (const std::optional<std::uint32_t> route_number = find(source, destination, channel))
    return known_routes_[*route_number].route.latency;
  Routes whole = routes_.whole();
  const std::vector<NodeId>& nodes = through_.at({source, destination, channel});
  const std::optional<Route> route =
      whole.find_through(NodeId(source), nodes, NodeId(destination), hash_of(source, destination, channel));
  if (!route) throw_no_route(source, destination);
  return route->latency;
}

std::uint32_t GraphRoutes::number_of(Route route, int dimension) {
  for (const Route::Part& part : route.parts)
    dimension_of_link_[part.link.index()] = std::min(dimension_of_link_[part.link.index()], dimension);
  const auto [route_number, is_new] =
      by_links_.try_emplace(route.parts, static_cast<std::uint32_t>(known_routes_.size()));
  if (!is_new) return route_number->second;
  const double rate = slowest(route);
  known_routes_.push_back({std::move(route), rate, {}});
  return route_number->second;
}

double GraphRoutes::slowest(const Route& route) const {
  double slowest = std::numeric_limits<double>::infinity();
  for (const Route::Part& part : route.parts)
    slowest = std::min(slowest, bytes_per_ns(part.link) / part.share);
  return slowest;
}

void GraphRoutes::set_share(LinkId link, double share) {
  shares_.resize(graph_.links(), 1);
  shares_[link.index()] = share;
  routes_.set_broken(link, share == 0);
}

void GraphRoutes::links_changed() {
  known_.clear();
  for (KnownRoute& route_number : known_routes_) route_number.bytes_per_ns = slowest(route_number.route);
}

void GraphRoutes::move(std::uint32_t from, std::uint32_t to, Bytes bytes) {
  known_routes_[from].load -= {bytes, 0};
  known_routes_[to].load += {bytes, 1};
}

int GraphRoutes::carrying_dimension(int source, int destination) const {
  auto d = static_cast<int>(dimensions_.size()) - 1;
  while (d > 0 && dimensions_[static_cast<std::size_t>(d)].position(source) ==
                      dimensions_[static_cast<std::size_t>(d)].position(destination))
    --d;
  return d;
}

Time GraphRoutes::alone(std::uint32_t number, Bytes bytes) const {
  const KnownRoute& route_number = known_routes_[number];
  const double ns = bytes.as_double() / route_number.bytes_per_ns + route_number.route.latency.ns();
  check_message_time(ns, bytes, graph_.node(graph_.link(route_number.route.parts.back().link).to).name, "to");
  return Time::from_ns_rounded(ns);
}

std::vector<double> GraphRoutes::bytes_of_links(std::span<const double> left) const {
  std::vector<double> bytes(graph_.links());
  for (std::size_t number = 0; number < known_routes_.size(); ++number) {
    const double carried = known_routes_[number].load.bytes.as_double() - (left.empty() ? 0 : left[number]);
    for (const Route::Part& part : known_routes_[number].route.parts)
      bytes[part.link.index()] += carried * part.share;
  }
  return bytes;
}

void GraphRoutes::end_bandwidths(std::span<const double> left) {
  if (known_routes_.empty()) return;
  const std::vector<double> bytes = bytes_of_links(left);
  carried_.resize(graph_.links());
  for (const LinkId id : first_ids<LinkId>(bytes.size())) {
    if (bytes_per_ns(id) > 0)
      carried_[id.index()].ns += (bytes[id.index()] - carried_[id.index()].bytes) / bytes_per_ns(id);
    carried_[id.index()].bytes = bytes[id.index()];
  }
}

std::vector<LinkUse> GraphRoutes::links(std::span<const double> left) const {
  std::vector<std::uint64_t> messages(graph_.links());
  for (const KnownRoute& route_number : known_routes_)
    for (const Route::Part& part : route_number.route.parts)
      messages[part.link.index()] += route_number.load.messages;
  const std::vector<double> bytes = bytes_of_links(left);
  std::vector<LinkUse> uses;
  for (const LinkId id : first_ids<LinkId>(bytes.size())) {
    if (messages[id.index()] == 0) continue;
    const NetworkLink& link = graph_.link(id);
    const Carried before = carried_.empty() ? Carried{} : carried_[id.index()];
    const double ns = bytes_per_ns(id) > 0 ? (bytes[id.index()] - before.bytes) / bytes_per_ns(id) : 0;
    uses.push_back({graph_.node(link.from).name,
                    graph_.node(link.to).name,
                    dimension_of_link_[id.index()],
                    1,
                    {Bytes::rounded(bytes[id.index()]), messages[id.index()]},
                    Time::from_ns_rounded(before.ns + ns)});
  }
  std::ranges::stable_sort(uses, [](const LinkUse& a, const LinkUse& b) { return a.busy > b.busy; });
  return uses;
}

}  // namespace orrery::core
