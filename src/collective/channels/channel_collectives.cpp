#include "collective/channels/channel_collectives.hpp"

#include <algorithm>

namespace orrery {
namespace {

// No other messages have channels with these numbers.
constexpr std::uint32_t first_number = 1 << 24;

}  // namespace

ChannelCollectives::ChannelCollectives(EventLoop& loop, Transport& transport,
                                       std::shared_ptr<const NetworkGraph> graph,
                                       const CollectiveRanks& ranks, CollectiveListener& listener,
                                       const SourceLocation& where)
    : MeetingCollectives(ranks, listener),
      loop_(loop),
      transport_(transport),
      graph_(std::move(graph)),
      where_(where),
      handler_(loop.add_handler(*this)),
      next_channel_(first_number) {}

ChannelCollectives::Group& ChannelCollectives::group_of(GroupId id, std::uint32_t first,
                                                        const CollectiveRequest& request) {
  if (id >= groups_.size()) groups_.resize(id + 1);
  std::unique_ptr<Group>& group = groups_[id];
  if (group) return *group;
  const std::vector<std::uint32_t> ranks = ranks_with(first, request);
  std::vector<NodeId> members(ranks.begin(), ranks.end());
  ChannelFlows flows(*graph_, GroupChannels(*graph_, members, where_), transport_, next_channel_);
  ChannelChoice choice = choice_of(flows);
  group = std::make_unique<Group>(Group{std::move(members), std::move(flows), std::move(choice), 0, Time()});
  return *group;
}

ChannelChoice ChannelCollectives::choice_of(ChannelFlows& flows) const {
  std::vector<LibraryAlgorithm> algorithms{LibraryAlgorithm::ring};
  const bool several = flows.channels().hosts().size() > 1;
  if (several) algorithms.push_back(LibraryAlgorithm::tree);
  for (const LibraryAlgorithm algorithm : {LibraryAlgorithm::nvls, LibraryAlgorithm::sharp})
    if (!flows.of(algorithm).flows.empty()) algorithms.push_back(algorithm);
  return ChannelChoice(flows.channels(), std::move(algorithms), where_);
}

// The bytes that all steps together send over a hop are in docs/models/channels.md, "Collectives on
// channels".
void ChannelCollectives::begin(GroupId id, std::uint32_t first, const CollectiveRequest& request) {
  if (request.kind == CollectiveKind::barrier) {
    loop_.at(loop_.now(), Event{handler_, all_ended, 0, id, 0});
    return;
  }
  Group& group = group_of(id, first, request);
  const auto n = static_cast<std::uint32_t>(group.members.size());
  const Bytes size = request.size;
  group.rest = Time();
  switch (request.kind) {
    case CollectiveKind::all_reduce:
      start_all_reduce(id, size);
      break;
    case CollectiveKind::reduce_scatter:
      start_ring(id, size * (n - 1) / n, n - 1);
      break;
    case CollectiveKind::all_gather:
      start_ring(id, size * (n - 1), n - 1);
      break;
    case CollectiveKind::all_to_all:
      start_pairs(id, size / n, {}, {});
      break;
    case CollectiveKind::gather:
      start_pairs(id, size, {}, group.members[request.root]);
      break;
    case CollectiveKind::scatter:
      start_pairs(id, size / n, group.members[request.root], {});
      break;
    default:
      start_ring(id, size, n - 1);
      break;
  }
}

void ChannelCollectives::start_ring(GroupId id, Bytes per_hop, std::uint32_t steps) {
  Group& group = *groups_[id];
  const FlowPattern& ring = group.flows.of(LibraryAlgorithm::ring);
  for (const ChannelFlow& flow : ring.flows) send(id, flow, per_hop);
  group.rest =
      Time::from_ns_rounded(ring.latency.ns() * (steps - 1) / static_cast<double>(group.members.size()));
}

// The bytes go up and down every edge of a tree. Each flow has the latency of its own edge, and the rest of
// the longest way follows.
void ChannelCollectives::start_all_reduce(GroupId id, Bytes size) {
  Group& group = *groups_[id];
  const LibraryAlgorithm algorithm = group.choice.of_all_reduce(size);
  if (algorithm == LibraryAlgorithm::ring) {
    const auto n = static_cast<std::uint32_t>(group.members.size());
    start_ring(id, size * (2 * (n - 1)) / n, 2 * (n - 1));
    return;
  }
  const FlowPattern& tree = group.flows.of(algorithm);
  Time longest;
  for (const ChannelFlow& flow : tree.flows) {
    send(id, flow, size);
    longest = std::max(longest, flow.latency);
  }
  group.rest = tree.latency - longest;
}

void ChannelCollectives::start_pairs(GroupId id, Bytes bytes, std::optional<NodeId> from,
                                     std::optional<NodeId> to) {
  for (const ChannelFlow& flow : groups_[id]->flows.of(LibraryAlgorithm::pairwise).flows)
    if ((!from || flow.from == *from) && (!to || flow.to == *to)) send(id, flow, bytes);
}

void ChannelCollectives::send(GroupId id, const ChannelFlow& flow, Bytes bytes) {
  ++groups_[id]->under_way;
  ++messages_;
  transport_.send_on({flow.channel, true}, static_cast<int>(flow.from), static_cast<int>(flow.to),
                     Bytes::rounded(bytes.as_double() * flow.share), Event{handler_, delivered, 0, id, 0});
}

void ChannelCollectives::handle(const Event& event) {
  if (event.what == all_ended) return ended(event.object);
  Group& group = *groups_[event.object];
  if (--group.under_way > 0) return;
  loop_.at(loop_.clock().add(loop_.now(), loop_.clock().span(group.rest)),
           Event{handler_, all_ended, 0, event.object, 0});
}

}  // namespace orrery
