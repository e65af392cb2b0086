// Finds what is wrong with a run of traces, as far as that shows without simulating it.
#pragma once

#include <string>
#include <vector>

#include "base/diagnostics.hpp"
#include "simulate/trace/trace_machine.hpp"

namespace orrery {

// Returns the faults in the words of the errors that the run would end with, each once: what the machine
// cannot be, what nodes cannot do, receives that no send meets, and groups whose members do not start equally
// many collectives. Sends that nobody receives, which only rendezvous waits for, are warnings otherwise.
std::vector<std::string> faults_of(const std::vector<RankTrace>& traces, const TraceMachine& machine,
                                   Warnings& warnings);

}  // namespace orrery
