// Adds to a summary what follows from the parts of a program.
#pragma once

#include "report/summary.hpp"

namespace orrery {

// Adds times, layers and iterations of a program of several parts, as means over ranks where they differ.
void add_parts(Summary& summary, const Program& program, const Recording& recording);

// Adds what each dimension carries in collectives and for how long it is busy with them, as means over ranks.
// The summary must know its total.
void add_dimensions(Summary& summary, const Program& program, const Recording& recording);

}  // namespace orrery
