// Finds what is wrong with a program whose ranks issue in slots, as far as that shows without simulating the
// program.
#pragma once

#include <string>
#include <unordered_set>
#include <vector>

#include "base/diagnostics/diagnostics.hpp"
#include "program/program.hpp"
#include "simulate/machine.hpp"

namespace orrery::core {

// Collects faults, each once.
class Faults {
 public:
  void add(const InputError& error);
  bool empty() const { return texts_.empty(); }
  const std::vector<std::string>& texts() const { return texts_; }

 private:
  std::vector<std::string> texts_;
  std::unordered_set<std::string> known_;
};

// Adds faults in the words of the errors that the run would end with: what the machine cannot be, what
// collectives cannot do, receives that no send meets, and groups whose members do not start equally many
// collectives. Sends that nobody receives are faults with rendezvous, which waits for them, and warnings
// otherwise. Faults that could be consequences of others that have been found are not looked for.
void find_faults(const Program& program, const Machine& machine, Faults& faults, Warnings& warnings);

}  // namespace orrery::core
