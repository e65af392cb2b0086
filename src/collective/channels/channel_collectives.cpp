#include "collective/channels/channel_collectives.hpp"

#include <algorithm>

namespace orrery::core {

ChannelCollectives::ChannelCollectives(EventLoop& loop, Transport& transport,
                                       std::shared_ptr<const NetworkGraph> graph,
                                       const CollectiveRanks& ranks, CollectiveListener& listener,
                                       const SourceLocation& where)
    : GroupCollectives(ranks, listener),
      loop_(loop),
      transport_(transport),
      graph_(std::move(graph)),
      where_(where),
      handler_(loop.add_handler(*this)) {}

// The lowest three bits are the algorithms'.
std::uint64_t ChannelCollectives::owner_of(const CollectiveRequest& request) const {
  const auto [communicator, dimensions] = kind_of(request);
  return (std::uint64_t{communicator} << max_dimensions | dimensions) << 3;
}

ChannelCollectives::Group& ChannelCollectives::group_of(GroupId id, ClassId first,
                                                        const CollectiveRequest& request) {
  if (id >= groups_.size()) groups_.resize(id + 1);
  std::unique_ptr<Group>& group = groups_[id];
  if (group) return *group;
  std::vector<NodeId> members;
  for (const RankId rank : ranks_with(first, request)) members.push_back(NodeId(rank.value()));
  ChannelFlows flows(*graph_, GroupChannels(*graph_, members, where_), transport_, owner_of(request));
  ChannelCosts costs(flows.channels());
  std::vector<LibraryAlgorithm> algorithms = flows.of_all_reduce();
  group = std::make_unique<Group>(
      Group{std::move(members), std::move(flows), costs, std::move(algorithms), 0, Time(), Time(), 0});
  return *group;
}

// The bytes that all steps together send over a hop are in docs/models/channels.md, "Collectives on
// channels".
void ChannelCollectives::begin(GroupId id, ClassId first, const CollectiveRequest& request) {
  if (request.kind == CollectiveKind::barrier) {
    loop_.at(loop_.now(), Event{handler_, all_ended, 0, id, 0});
    return;
  }
  Group& group = group_of(id, first, request);
  const auto n = static_cast<std::uint32_t>(group.members.size());
  const Bytes size = request.size;
  switch (request.kind) {
    case CollectiveKind::all_reduce:
      start_all_reduce(id, size);
      break;
    case CollectiveKind::reduce_scatter:
      start_ring(id, size * (n - 1) / n, 1);
      break;
    case CollectiveKind::all_gather:
      start_ring(id, size * (n - 1), 1);
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
      start_ring(id, size, 1);
      break;
  }
}

// Notes what a collective takes besides its flows. A step takes as long as NCCL counts, or as the network,
// which is `latency` for all, if that is longer. The threads of the GPUs begin with the bytes at once; `hop`
// is the time that these need to the next member.
void ChannelCollectives::note_cost(Group& group, const ChannelCost& cost, Time latency, Time hop) {
  const auto time = [](double us) { return Time::from_ns_rounded(us * 1e3); };
  const Clock& clock = loop_.clock();
  group.latency = std::max(time(cost.latency_us), latency);
  group.added = time(cost.added_us);
  group.threads_end = clock.add(loop_.now(), clock.span(hop + time(cost.threads_us)));
}

// Each flow has the latency of its own hop, so those of all steps but one follow.
void ChannelCollectives::start_ring(GroupId id, Bytes per_hop, int rounds) {
  Group& group = *groups_[id];
  const FlowPattern& ring = group.flows.of(LibraryAlgorithm::ring);
  for (const ChannelFlow& flow : ring.flows) send(id, flow, per_hop);
  const double n = static_cast<double>(group.members.size());
  const double later_steps = rounds * (n - 1) - 1;
  note_cost(group, group.costs.ring(per_hop.as_double(), rounds),
            Time::from_ns_rounded(ring.latency.ns() * later_steps / n),
            Time::from_ns_rounded(ring.latency.ns() / n));
}

// The bytes go up and down every edge of a tree. Each flow has the latency of its own edge, and the rest of
// the longest route follows.
void ChannelCollectives::start_all_reduce(GroupId id, Bytes size) {
  Group& group = *groups_[id];
  const ChannelCost cost = group.costs.all_reduce(size.as_double(), group.algorithms);
  if (cost.algorithm == LibraryAlgorithm::ring) {
    const auto n = static_cast<std::uint32_t>(group.members.size());
    start_ring(id, size * (2 * (n - 1)) / n, 2);
    return;
  }
  const FlowPattern& tree = group.flows.of(cost.algorithm);
  Time longest;
  for (const ChannelFlow& flow : tree.flows) {
    send(id, flow, size);
    longest = std::max(longest, flow.latency);
  }
  note_cost(group, cost, tree.latency - longest, longest);
}

void ChannelCollectives::start_pairs(GroupId id, Bytes bytes, std::optional<NodeId> from,
                                     std::optional<NodeId> to) {
  Group& group = *groups_[id];
  Time longest;
  for (const ChannelFlow& flow : group.flows.of(LibraryAlgorithm::pairwise).flows) {
    if ((from && flow.from != *from) || (to && flow.to != *to)) continue;
    send(id, flow, bytes);
    longest = std::max(longest, flow.latency);
  }
  const double of_a_member = bytes.as_double() * static_cast<double>(group.members.size() - 1);
  note_cost(group, group.costs.pairs(of_a_member), Time(), longest);
}

void ChannelCollectives::send(GroupId id, const ChannelFlow& flow, Bytes bytes) {
  ++groups_[id]->under_way;
  ++messages_;
  transport_.send_on(flow.channel, static_cast<int>(flow.from.value()), static_cast<int>(flow.to.value()),
                     Bytes::rounded(bytes.as_double() * flow.share), Event{handler_, delivered, 0, id, 0});
}

void ChannelCollectives::handle(const Event& event) {
  if (event.what == all_ended) return ended(event.object);
  Group& group = *groups_[event.object];
  if (--group.under_way > 0) return;
  const Clock& clock = loop_.clock();
  const Stamp bytes_end = std::max(group.threads_end, clock.add(loop_.now(), clock.span(group.added)));
  loop_.at(clock.add(bytes_end, clock.span(group.latency)), Event{handler_, all_ended, 0, event.object, 0});
}

}  // namespace orrery::core
