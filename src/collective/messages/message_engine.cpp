#include "collective/messages/message_engine.hpp"

namespace orrery::core {

MessageEngine::MessageEngine(EventLoop& loop, RankTimers& timers, const SystemConfig& system,
                             const Dialect& dialect, const ContentionFreeNetwork& network,
                             const RankParts& parts, int topology_dimensions, PhaseListener& listener,
                             std::uint32_t stands_for, Transport* transport)
    : stands_for_(stands_for),
      runs_(loop, parts, listener),
      endpoints_(loop, timers, system, dialect, static_cast<int>(runs_.ranks())),
      messages_(loop, runs_, network, transport, system.rendezvous, parts.count(), topology_dimensions) {
  const PhaseMachine machine{loop, timers, endpoints_, runs_, messages_};
  kinds_ = {make_exchange_phases(machine, system, dialect, network, stands_for > 1, transport),
            make_tree_phases(machine), make_program_phases(machine)};
}

MessageEngine::RunId MessageEngine::open(std::uint32_t chunk, const PhaseShape& shape, std::uint32_t part,
                                         std::uint32_t absent) {
  const RunId id = runs_.open(chunk, shape, part, absent);
  PhaseRun& run = runs_[id];
  run.kind = kinds_[shape.schedule.index()].get();
  run.kind->open(run);
  return id;
}

void MessageEngine::start(RunId run, ClassId of_class, Stamp earliest_end) {
  runs_[run].earliest_ends[of_class.index()] = earliest_end;
  runs_[run].kind->start(run, simulated_of(of_class));
}

}  // namespace orrery::core
