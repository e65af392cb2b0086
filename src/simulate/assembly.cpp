#include "simulate/assembly.hpp"

#include <functional>

#include "base/diagnostics/diagnostics.hpp"

namespace orrery::core {

Recording RunAssembly::run(const ProgressListener& progress) {
  start();
  Issuer& ranks = issuer();
  EventLoop& events = loop();
  Transport* const network = transport();
  const bool outlasts_ranks = ranks.leaves_events() || (network && network->has_events_of_its_own());
  events.run(progress ? [&] { progress(ranks.progress(), events.time()); } : std::function<void()>{},
             outlasts_ranks ? [&] { return ranks.finished(); } : std::function<bool()>{});
  if (!ranks.finished()) throw StallError("the simulation cannot go on", stall());
  Recording recording;
  record(recording);
  if (network) recording.add_network(*network);
  recording.events = events.events();
  return recording;
}

}  // namespace orrery::core
