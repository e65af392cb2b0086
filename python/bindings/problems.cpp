#include "problems.hpp"

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

namespace nb = nanobind;

namespace orrery::python {

namespace {

// Returns the function that makes exceptions, which the Python side registers.
nb::object& make_error() {
  static nb::object* const function = new nb::object();
  return *function;
}

}  // namespace

void set_make_error(nb::object function) {
  make_error() = std::move(function);
}

void raise(const Problems& problems) {
  const nb::object error = make_error()(nb::cast(problems));
  PyErr_SetObject(reinterpret_cast<PyObject*>(Py_TYPE(error.ptr())), error.ptr());
  throw nb::python_error();
}

}  // namespace orrery::python
