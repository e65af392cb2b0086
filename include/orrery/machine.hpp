// Machines that come with Orrery, by the names under which experiments ask for them.
//
//   const orrery::Table platforms = orrery::platforms();
//   for (std::size_t row = 0; row < platforms.rows(); ++row)
//     std::cout << *platforms.text(row, "platform") << ": " << *platforms.text(row, "device") << '\n';
#pragma once

#include "orrery/export.hpp"
#include "orrery/table.hpp"

namespace orrery {

// Each returns the table of `orrery list`, with a row for each thing. The first column has the names, and is
// called after the key that takes them.

// Returns the accelerators: their peaks by datatype, memories, links and the constants of the roofline model.
// Experiments name them at `device`, and cost_products() in ProductQuestion::device.
ORRERY_API Table devices();
// Returns the platforms: the accelerator, how many a node has, and the links inside and between nodes.
// Experiments name them at `platform`, and cost_collective() in CollectiveQuestion::platform.
ORRERY_API Table platforms();
// Returns the software stacks of training: the factors and times that they add to those of devices and links.
// Experiments name them at `platform.stack`.
ORRERY_API Table stacks();
// Returns the stacks of software and network cards through which the messages of hosts go. Experiments name
// them at `host-stack`. The table is called "host-stacks", and its first column "host_stack".
ORRERY_API Table host_stacks();

}  // namespace orrery
