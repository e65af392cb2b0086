#include "collective/streams/dimension_uses.hpp"

#include <utility>

#include "collective/phase/handshake.hpp"
#include "collective/phase/sent_messages.hpp"

namespace orrery::core {

DimensionUses::DimensionUses(const Topology& topology, const Dialect& dialect, bool rendezvous,
                             std::vector<bool> recorded)
    : dimensions_(logical_dimensions(topology)),
      lowest_carries_(dialect.one_link_per_message),
      handshake_(rendezvous ? handshake_bytes : Bytes()),
      recorded_(std::move(recorded)),
      uses_(recorded_.size() * dimensions_.size()) {}

namespace {

// Returns the dimension in which all members lie; -1 where they differ in several.
int only_dimension(const StreamPhase& phase) {
  return phase.members.group ? -1 : phase.members.dimension.physical;
}

const ExchangeSchedule* exchange_of(const StreamPhase& phase) {
  return phase.custom ? nullptr : std::get_if<ExchangeSchedule>(&phase.shape->schedule);
}

// Calls visit(peer, messages that the rank sends to it, messages that it gets from it, bytes of each) for all
// messages of its part in a phase.
template <class Visit>
void visit_peers(const StreamPhase& phase, const Visit& visit) {
  const StreamMembers& members = phase.members;
  if (!phase.custom) {
    visit_messages(phase.shape->schedule, members.size(), members.position,
                   [&](std::uint32_t to, std::uint32_t from, Bytes bytes, std::uint64_t messages) {
                     visit(members.rank_at(to), messages, std::uint64_t{0}, bytes);
                     visit(members.rank_at(from), std::uint64_t{0}, messages, bytes);
                   });
    return;
  }
  for (const MemberProgram::Step& step : phase.custom->steps) {
    const bool sends = step.kind == MemberProgram::Kind::send;
    if (!sends && step.kind != MemberProgram::Kind::receive) continue;
    visit(members.rank_at((phase.origin + step.peer) % members.size()), std::uint64_t{sends},
          std::uint64_t{!sends}, step.bytes);
  }
}

}  // namespace

std::size_t DimensionUses::carrying(RankId rank, RankId peer) const {
  std::size_t carrying = 0;
  for (std::size_t d = 0; d < dimensions_.size(); ++d) {
    const LogicalDimension& dimension = dimensions_[d];
    if (dimension.position(npu_of(rank)) == dimension.position(npu_of(peer))) continue;
    carrying = d;
    if (lowest_carries_) break;
  }
  return carrying;
}

void DimensionUses::begin(RankId rank, const StreamPhase& phase, Stamp now) {
  Use* const uses = &uses_[rank.index() * dimensions_.size()];
  if (const int only = only_dimension(phase); only >= 0) {
    Bytes& payload = uses[only].sum.payload;
    if (const auto* exchange = exchange_of(phase))
      payload += phase.shape->sent + handshake_ * exchange->messages;
    else
      visit_peers(phase, [&](RankId, std::uint64_t sent, std::uint64_t received, Bytes bytes) {
        payload += bytes * sent + handshake_ * received;
      });
    uses[only].begin(now);
    return;
  }
  DimensionSet used;
  visit_peers(phase, [&](RankId peer, std::uint64_t sent, std::uint64_t received, Bytes bytes) {
    const std::size_t dimension = carrying(rank, peer);
    uses[dimension].sum.payload += bytes * sent + handshake_ * received;
    used.set(dimension);
  });
  for (std::size_t d = 0; d < dimensions_.size(); ++d)
    if (used[d]) uses[d].begin(now);
}

void DimensionUses::finish(RankId rank, const StreamPhase& phase, Stamp now) {
  Use* const uses = &uses_[rank.index() * dimensions_.size()];
  if (const int only = only_dimension(phase); only >= 0) return uses[only].end(now);
  DimensionSet used;
  visit_peers(phase,
              [&](RankId peer, std::uint64_t, std::uint64_t, Bytes) { used.set(carrying(rank, peer)); });
  for (std::size_t d = 0; d < dimensions_.size(); ++d)
    if (used[d]) uses[d].end(now);
}

std::vector<DimensionUse> DimensionUses::of(RankId rank) const {
  std::vector<DimensionUse> of_rank;
  for (std::size_t d = 0; d < dimensions_.size(); ++d)
    of_rank.push_back(uses_[rank.index() * dimensions_.size() + d].sum);
  return of_rank;
}

}  // namespace orrery::core
