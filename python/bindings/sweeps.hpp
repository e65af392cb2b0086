// Sweeps, their stores and the runs in them.
#pragma once

#include <nanobind/nanobind.h>

namespace orrery::python {

void bind_sweeps(nanobind::module_& module);

}  // namespace orrery::python
