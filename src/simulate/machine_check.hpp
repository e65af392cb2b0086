// Checks whether a machine can run a program.
#pragma once

#include "program/program.hpp"
#include "simulate/machine.hpp"

namespace orrery {

// Throws InputError at the program's place when it has parts that exchange messages and the machine does not
// model these, or when its ranks are not those of the machine.
void check_machine(const Program& program, const Machine& machine);

}  // namespace orrery
