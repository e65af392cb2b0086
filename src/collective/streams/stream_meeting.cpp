// Streams whose phases are worked out in one go.
#include "collective/order_matters.hpp"
#include "collective/streams/stream_engine.hpp"

namespace orrery {

void StreamEngine::meet(std::uint32_t number) {
  const Stream& stream = streams_[number];
  const StreamPhase& phase = present(stream);
  const Meetings::Meeting* meeting = meetings_->start(
      {stream.tag, static_cast<std::uint32_t>(stream.phase), phase.members.rank_at(0)}, *phase.shape,
      phase.members, endpoint_delay(stream), {loop_.now(), number, stream.place});
  if (!meeting) return;
  for (std::size_t i = 0; i < meeting->starts.size(); ++i) {
    const std::uint32_t member = meeting->starts[i].stream;
    streams_[member].step = meeting->step;
    loop_.at(meeting->ends[i], event(phase_ended, member, 0));
  }
}

void StreamEngine::watch_queue(std::uint32_t rank, std::uint32_t queue) {
  Queue& watched = queue_of(rank, queue);
  const auto items = watched.chunks.items();
  if (watched.entries.order_mattered(loop_.time(), !items.empty() && !items.back().started))
    throw OrderMatters("chunks wait for their turn that reached a dimension in the same instant");
}

void StreamEngine::watch_entry(Stream& stream, std::uint32_t queue) {
  watch_queue(stream.rank, queue);
  const std::uint64_t cause = cause_ != 0 ? cause_ : meetings_->new_run();
  stream.place = {queue, queue_of(stream.rank, queue).entries.enter(loop_.time(), cause)};
}

}  // namespace orrery
