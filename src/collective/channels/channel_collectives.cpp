#include "collective/channels/channel_collectives.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace orrery {
namespace {

// Numbers of channels from here on are no others'.
constexpr std::uint32_t first_number = 1 << 24;
constexpr std::uint32_t every_rank = 0xffffffff;

bool takes_pairs(CollectiveKind kind) {
  return kind == CollectiveKind::all_to_all || kind == CollectiveKind::gather ||
         kind == CollectiveKind::scatter;
}

}  // namespace

ChannelCollectives::ChannelCollectives(EventLoop& loop, Transport& transport, const NetworkGraph& graph,
                                       const std::vector<Communicator>& communicators, const RankParts& parts,
                                       std::size_t topology_dimensions, CollectiveListener& listener)
    : loop_(loop),
      transport_(transport),
      graph_(graph),
      communicators_(communicators),
      parts_(parts),
      listener_(listener),
      handler_(loop.add_handler(*this)),
      next_channel_(first_number),
      records_(parts.count()),
      payload_(topology_dimensions) {}

ChannelCollectives::Group& ChannelCollectives::group_of(std::uint32_t rank,
                                                        const CollectiveRequest& request) {
  const std::vector<LogicalDimension>& dimensions = communicators_[request.communicator].dimensions;
  int first = static_cast<int>(rank);
  for (std::size_t d = 0; d < dimensions.size(); ++d)
    if (request.dimensions[d]) first = dimensions[d].base(first);
  const GroupKey key(request.communicator, request.dimensions.to_ulong(), first);
  const auto [found, is_new] = numbers_.try_emplace(key, static_cast<std::uint32_t>(groups_.size()));
  if (!is_new) return *groups_[found->second];
  Group& group = *groups_.emplace_back(std::make_unique<Group>());
  group.number = found->second;
  group.members = {static_cast<NodeId>(first)};
  for (std::size_t d = 0; d < dimensions.size(); ++d) {
    const std::size_t inner = group.members.size();
    for (int y = 1; request.dimensions[d] && y < dimensions[d].size; ++y)
      for (std::size_t i = 0; i < inner; ++i)
        group.members.push_back(group.members[i] + static_cast<NodeId>(y * dimensions[d].stride));
  }
  group.ranks.assign(group.members.begin(), group.members.end());
  std::ranges::sort(group.ranks);
  return group;
}

void ChannelCollectives::find_rings(Group& group) {
  if (!group.channels) {
    group.channels = std::make_unique<GroupChannels>(graph_, group.members, SourceLocation{});
    group.first_channel = next_channel_;
    next_channel_ += static_cast<std::uint32_t>(group.channels->searched()) + 1;
  }
  for (std::size_t channel = group.rings.size(); channel < group.channels->searched(); ++channel) {
    const auto number = group.first_channel + static_cast<std::uint32_t>(channel);
    group.rings.push_back(group.channels->ring(channel));
    Time latency;
    for (const ChannelHop& hop : group.rings.back())
      latency +=
          transport_.lead({number, true}, static_cast<int>(hop.from), static_cast<int>(hop.to), hop.through);
    group.latency_of_ring = std::max(group.latency_of_ring, latency);
  }
}

void ChannelCollectives::find_pairs(Group& group) {
  if (!group.pairs.empty()) return;
  find_rings(group);
  group.pairs = group.channels->pairs();
  const auto number = group.first_channel + static_cast<std::uint32_t>(group.channels->searched());
  for (const ChannelHop& hop : group.pairs)
    if (!hop.through.empty())
      transport_.lead({number, true}, static_cast<int>(hop.from), static_cast<int>(hop.to), hop.through);
}

bool ChannelCollectives::issue(std::uint32_t rank, std::uint32_t token, const CollectiveRequest& request,
                               Stamp) {
  Group& group = group_of(rank, request);
  if (group.members.size() == 1) return false;
  Call& call = group.calls[token];
  call.token = token;
  call.request = request;
  call.arrived.push_back(rank);
  if (call.arrived.size() < group.members.size()) return true;
  group.ready.push_back(std::move(call));
  group.calls.erase(token);
  if (group.ready.size() == 1) start(group.number);
  return true;
}

// Bytes of all steps over a hop: docs/models/channels.md, "Collectives on channels".
void ChannelCollectives::start(std::uint32_t number) {
  Group& group = *groups_[number];
  const CollectiveRequest& request = group.ready.front().request;
  const auto n = static_cast<std::uint32_t>(group.members.size());
  const Bytes size = request.size;
  group.rest = Time();
  if (request.kind != CollectiveKind::barrier)
    takes_pairs(request.kind) ? find_pairs(group) : find_rings(group);
  switch (request.kind) {
    case CollectiveKind::all_reduce:
      start_ring(number, size * (2 * (n - 1)) / n, 2 * (n - 1));
      break;
    case CollectiveKind::reduce_scatter:
      start_ring(number, size * (n - 1) / n, n - 1);
      break;
    case CollectiveKind::all_gather:
      start_ring(number, size * (n - 1), n - 1);
      break;
    case CollectiveKind::broadcast:
    case CollectiveKind::reduce:
      start_ring(number, size, n - 1);
      break;
    case CollectiveKind::all_to_all:
      start_pairs(number, size / n, every_rank, true);
      break;
    case CollectiveKind::gather:
      start_pairs(number, size, group.members[request.root], false);
      break;
    case CollectiveKind::scatter:
      start_pairs(number, size / n, group.members[request.root], true);
      break;
    case CollectiveKind::barrier:
      break;
  }
  if (group.flows == 0) loop_.at(loop_.now(), Event{handler_, ended, 0, number, 0});
}

void ChannelCollectives::start_ring(std::uint32_t number, Bytes per_hop, std::uint32_t steps) {
  Group& group = *groups_[number];
  const std::uint64_t count = group.rings.size();
  const auto hops = static_cast<double>(group.members.size());
  for (std::uint64_t c = 0; c < count; ++c)
    for (const ChannelHop& hop : group.rings[c])
      send(number, static_cast<std::uint32_t>(c), hop, per_hop * (c + 1) / count - per_hop * c / count);
  group.rest = Time::from_ns_rounded(group.latency_of_ring.ns() * (steps - 1) / hops);
}

void ChannelCollectives::start_pairs(std::uint32_t number, Bytes bytes, std::uint32_t root, bool from_root) {
  Group& group = *groups_[number];
  const auto channel = static_cast<std::uint32_t>(group.channels->searched());
  for (const ChannelHop& hop : group.pairs)
    if (root == every_rank || (from_root ? hop.from : hop.to) == root) send(number, channel, hop, bytes);
}

void ChannelCollectives::send(std::uint32_t number, std::uint32_t channel, const ChannelHop& hop,
                              Bytes bytes) {
  Group& group = *groups_[number];
  ++group.flows;
  ++messages_;
  transport_.send_on({group.first_channel + channel, true}, static_cast<int>(hop.from),
                     static_cast<int>(hop.to), bytes, Event{handler_, delivered, 0, number, 0});
}

void ChannelCollectives::handle(const Event& event) {
  Group& group = *groups_[event.object];
  if (event.what == delivered) {
    if (--group.flows == 0)
      loop_.at(loop_.clock().add(loop_.now(), loop_.clock().span(group.rest)),
               Event{handler_, ended, 0, event.object, 0});
    return;
  }
  const std::uint32_t token = group.ready.front().token;
  group.ready.pop_front();
  if (!group.ready.empty()) start(event.object);
  listener_.collective_completed_together(group.ranks, token);
}

std::vector<CollectiveService::Waiting> ChannelCollectives::waiting() const {
  std::vector<Waiting> found;
  for (const auto& group : groups_) {
    for (const auto& [token, call] : group->calls) {
      const auto& arrived = call.arrived;
      const auto absent = std::ranges::find_if(group->ranks, [&arrived](std::uint32_t rank) {
        return std::ranges::find(arrived, rank) == arrived.end();
      });
      found.push_back({parts_.of(call.arrived[0]), token,
                       fmt::format("{} of {} ranks are there, rank {} has not issued the collective",
                                   arrived.size(), group->ranks.size(), *absent)});
    }
  }
  return found;
}

}  // namespace orrery
