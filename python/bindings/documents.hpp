// Turns Python's dicts, lists and single values into documents, and back.
#pragma once

#include <nanobind/nanobind.h>

#include <string>

#include "orrery/document.hpp"

namespace orrery::python {

// Keys may be written as Python names: `layers_per_stage` is `layers-per-stage`, and `global_` is `global`.
// An object with a method `__orrery__` stands for what that returns. Names that the user gives to networks,
// systems, workloads and platforms stay as they are. Raises TypeError for what is no value of a document.
Document document_of(nanobind::handle value);
// The same of a map whose keys are names.
Document document_of_names(nanobind::handle value);
nanobind::object object_of(const Document& document);

}  // namespace orrery::python
