// Assembles a run: whatever issues the operations of ranks, carries their messages and carries out their
// collectives stands on one event loop, which goes on until all ranks have ended.
#pragma once

#include <string>
#include <vector>

#include "base/progress.hpp"
#include "events/event_loop.hpp"
#include "network/transport.hpp"
#include "simulate/recording.hpp"

namespace orrery::core {

// Decides when a rank starts which operation.
class Issuer {
 public:
  // Returns the share of the operations of all ranks that are complete, between 0 and 1.
  virtual double progress() const = 0;
  // Returns whether every rank is at its end.
  virtual bool finished() const = 0;
  // Returns whether there may be events that mean nothing once all ranks have ended.
  virtual bool leaves_events() const { return false; }

 protected:
  ~Issuer() = default;
};

// Holds the parts of a run. References that it returns are valid as long as it lives.
class RunAssembly {
 public:
  virtual ~RunAssembly() = default;

  // Simulates the run. Throws StallError when it cannot go on, and what the parts throw.
  Recording run(const ProgressListener& progress);

 protected:
  virtual EventLoop& loop() = 0;
  virtual Issuer& issuer() = 0;
  // Null where nobody sends messages.
  virtual Transport* transport() = 0;
  // Starts the programs of all ranks.
  virtual void start() = 0;
  // Says why ranks that have not ended wait. May throw AmbiguousEventOrder.
  virtual std::vector<std::string> stall() = 0;
  // Puts into the recording what the ranks and their collectives did. The network and the number of events
  // are put there afterwards.
  virtual void record(Recording& recording) = 0;
};

}  // namespace orrery::core
