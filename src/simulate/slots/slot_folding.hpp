// Decides which parts of a run in slots need not be simulated message by message. (docs/models/folding.md,
// "Traces in one go")
#pragma once

#include <memory>
#include <string>

#include "network/folding/symmetric_routes.hpp"
#include "program/program.hpp"
#include "simulate/machine.hpp"

namespace orrery::core {

struct SlotFolding {
  enum class Level {
    messages,   // every message of every rank
    phases,     // every rank; phases of collectives in one go
    one_rank,   // one rank, which stands for all; phases of collectives in one go
    in_step,    // one rank, message by message; says in which order ranks end in an instant
    on_behalf,  // one rank, whose messages share links with those that all others send at the same times
  };
  Level level = Level::messages;
  std::string why;  // the reason in words, as `--explain` gives it
  // There are so few messages that all of them can be simulated if ranks end in the same instant and their
  // order is not known.
  bool few_messages = false;
  std::shared_ptr<const SymmetricRoutes> routes = nullptr;  // with `on_behalf`: the ways of the messages
};

SlotFolding fold_slots(const Program& program, const Machine& machine, bool wanted);

// Returns the folding to try next if `folding`, of `ranks` ranks, has failed for `reason`. It simulates more.
SlotFolding less_folded(const SlotFolding& folding, const std::string& reason, std::size_t ranks);

}  // namespace orrery::core
