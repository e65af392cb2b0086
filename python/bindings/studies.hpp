// Binds what goes beyond simulating: explanations, sensitivity, comparisons, searches, networks, flows,
// calculators and what comes with Orrery.
#pragma once

#include <nanobind/nanobind.h>

namespace orrery::python {

void bind_studies(nanobind::module_& module);

}  // namespace orrery::python
