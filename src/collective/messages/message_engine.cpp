#include "collective/messages/message_engine.hpp"

namespace orrery {

MessageEngine::MessageEngine(EventLoop& loop, RankTimers& timers, const SystemConfig& system,
                             const Dialect& dialect, const ContentionFreeNetwork& network,
                             const RankParts& parts, int topology_dimensions, PhaseListener& listener,
                             Transport* transport)
    : runs_(loop, parts, listener),
      endpoints_(loop, timers, system, dialect, static_cast<int>(runs_.ranks())),
      messages_(loop, runs_, network, transport, system.rendezvous, parts.count(), topology_dimensions),
      exchanges_({loop, timers, endpoints_, runs_, messages_}, system, dialect, network, transport),
      trees_({loop, timers, endpoints_, runs_, messages_}),
      programs_({loop, timers, endpoints_, runs_, messages_}) {}

MessageEngine::RunId MessageEngine::open(std::uint32_t chunk, const PhaseShape& shape, std::uint32_t part) {
  PhaseKind* const kinds[] = {&exchanges_, &trees_, &programs_};  // as Schedule lists them
  const RunId run = runs_.open(chunk, shape, part);
  runs_[run].kind = kinds[shape.schedule.index()];
  runs_[run].kind->open(run);
  return run;
}

void MessageEngine::start(RunId run, std::uint32_t rank, Stamp earliest_end) {
  runs_[run].earliest_ends[rank] = earliest_end;
  runs_[run].kind->start(run, rank);
}

}  // namespace orrery
