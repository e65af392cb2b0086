// The document of the run that a point of a sweep stands for, and its name.
#pragma once

#include <string>
#include <vector>

#include "base/input/input_node.hpp"
#include "study/experiment/overrides.hpp"
#include "study/space/sweep_points.hpp"

namespace orrery::core {

// Returns the document without what belongs to the whole sweep.
InputNode document_without_sweep(const InputNode& document);

// Returns the keys of the document below which the sweep varies something, each once.
std::vector<std::string> varied_parts(const SweepSpace& space);

// Sets the values of a point. `document` is what document_without_sweep() returns. Throws InputError where it
// has no place for a key.
void set_point(InputNode& document, const SweepSpace& space, const SweepPoint& point, AskedKeys& keys);

// Returns a name such as "tensor=8_bandwidth=25GBps", which no other point of the space has.
std::string name_of_point(const SweepSpace& space, const SweepPoint& point);

}  // namespace orrery::core
