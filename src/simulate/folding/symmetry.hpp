// Says which shortcuts of a simulation the machine leaves open: the one list of what breaks the symmetry of
// its ranks. Whoever simulates less than every message of every rank asks here.
#pragma once

#include <cstdint>
#include <string>

#include "simulate/machine.hpp"

namespace orrery::core {

// A way to simulate less. The first six are those of ranks whose operations start as soon as they are ready,
// the others those of ranks that issue in slots.
enum class Shortcut : std::uint16_t {
  closed_forms = 1,           // collectives are closed forms of a library, and equal ranks are simulated once
  equal_ranks = 1 << 1,       // no messages meet, and equal ranks are simulated once
  one_for_all = 1 << 2,       // messages may meet, and one rank sends on behalf of all
  isolated_phases = 1 << 3,   // messages of a phase may meet, and each phase is tried by itself
  known_times = 1 << 4,       // some collectives take the time that they take alone
  times_on_some = 1 << 5,     // so they do on some ranks, over whose links no message is passed on
  slots_in_one_go = 1 << 6,   // no messages meet, and phases are worked out in one go
  slots_one_rank = 1 << 7,    // one rank stands for all, in one go or on behalf of all
  slots_same_parts = 1 << 8,  // so it does, because all ranks have the same part in each collective
  slots_one_for_all = 1 << 9,  // messages may meet, and one rank sends on behalf of all
};

// Returns why the machine does not allow a shortcut, for `--explain`; empty if it does. What the program or
// the model of the network say besides is up to whoever takes the shortcut. Where a member of the machine has
// not been classified, no shortcut is allowed.
std::string why_not(Shortcut shortcut, const Machine& machine);

}  // namespace orrery::core
