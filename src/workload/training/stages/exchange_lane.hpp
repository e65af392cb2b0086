// Times a rank's computations, one after another, and collectives beside them that follow one another. It
// counts the same picoseconds as a simulation of these operations.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "program/endpoint.hpp"

namespace orrery::core {

// What happens is told in the order of time.
class ExchangeLane {
 public:
  // Adds a collective that takes `alone`, and returns its number. It begins at the time, or when the one
  // before it has ended.
  std::size_t add(Time begin, Time alone);
  // Returns when a computation ends that begins at the time and takes `alone` beside no collective.
  Time compute(Time begin, Time alone, const Contention& contention);
  // Returns when a collective ends if nothing is computed any more until then.
  Time end_of(std::size_t number);
  // Returns when all collectives end that have been added, likewise. It is zero where there are none.
  Time end_of_all() { return collectives_.empty() ? Time() : end_of(collectives_.size() - 1); }

 private:
  struct Collective {
    Time begin, alone, end;
  };

  // What begins or ends next: the largest time where nothing does.
  struct Next {
    Time at;
    std::optional<Endpoint::End> end;  // none: a collective begins, or the network is through with it
  };
  Next next() const;
  // Lets it happen. Returns whether it is the end of the computation.
  bool go_on(const Next& next);
  void end_collective(Time now);

  Endpoint endpoint_;
  std::vector<Collective> collectives_;
  std::size_t next_ = 0;  // the first that has not ended
  enum class State : std::uint8_t { waits, is_under_way, is_late } state_ = State::waits;  // of that one
};

}  // namespace orrery::core
