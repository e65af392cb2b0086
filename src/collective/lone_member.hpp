// Times an exchange on a group in which all members do the same at the same times, by following one member.
#pragma once

#include "collective/phase_timeline.hpp"

namespace orrery {

// The times of each step's message, for a group in which they do not depend on the member.
struct StepTimes {
  std::vector<Stamp> message, handshake;
  std::vector<Bytes> bytes;

  std::size_t of(std::uint64_t index) const { return message.size() == 1 ? 0 : index % message.size(); }
};

// Fills in when the member ends and what it has received.
void follow_lone_member(const PhaseShape& shape, const StepTimes& times, const SystemConfig& system,
                        const Dialect& dialect, const Clock& clock, PhaseTimeline& timeline);

}  // namespace orrery
