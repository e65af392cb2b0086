#include "simulate/collectives/fixed_time_collectives.hpp"

#include <algorithm>

namespace orrery::core {

bool has_fixed_time_collectives(const Program& program) {
  if (program.known_times) return true;
  return std::ranges::any_of(program.parts, [](const ProgramPart& part) {
    return std::ranges::any_of(part.graph.collectives(),
                               [](const CollectiveRequest& request) { return request.takes.has_value(); });
  });
}

FixedTimeCollectives::FixedTimeCollectives(EventLoop& loop, const CollectiveRanks& ranks,
                                           CollectiveListener& listener,
                                           std::unique_ptr<RecordedCollectives> others,
                                           const KnownTimes* on_some_ranks, Transport* transport)
    : TimedCollectives(loop, ranks, listener),
      others_(std::move(others)),
      on_some_ranks_(on_some_ranks),
      transport_(transport) {
  if (on_some_ranks_)
    issued_.assign(on_some_ranks_->collectives.size(), std::vector<std::uint64_t>(ranks.classes.ranks()));
}

Issued FixedTimeCollectives::issue(ClassId of_class, std::uint32_t token, const CollectiveRequest& request,
                                   Stamp at) {
  if (request.takes) return TimedCollectives::issue(of_class, token, request, at);
  const RankId rank = simulated_of(of_class);
  const KnownTimes::Collective* known = on_some_ranks_ ? on_some_ranks_->find(rank, request) : nullptr;
  if (!known) return others_->issue(of_class, token, request, at);
  ++issued_[static_cast<std::size_t>(known - on_some_ranks_->collectives.data())][rank.index()];
  others_->number(of_class, token, request);
  CollectiveRequest timed = request;
  timed.takes = known->takes;
  return TimedCollectives::issue(of_class, token, timed, at);
}

void FixedTimeCollectives::end() {
  others_->end();
  for (std::size_t number = 0; number < issued_.size(); ++number)
    for (const KnownTimes::Message& message : on_some_ranks_->collectives[number].messages) {
      const std::uint64_t sent = issued_[number][static_cast<std::size_t>(message.source)] * message.count;
      if (sent == 0) continue;
      transport_->count(message.source, message.destination, message.bytes, sent);
      counted_ += sent;
    }
}

std::vector<RecordedCollectives::Waiting> FixedTimeCollectives::waiting() const {
  std::vector<Waiting> all = TimedCollectives::waiting();
  std::ranges::move(others_->waiting(), std::back_inserter(all));
  return all;
}

}  // namespace orrery::core
