// Raises orrery's exceptions for problems.
#pragma once

#include <nanobind/nanobind.h>

#include <optional>
#include <utility>

#include "orrery/diagnostics.hpp"

namespace orrery::python {

// Says how the Python side makes an exception of problems.
void set_make_error(nanobind::object function);

[[noreturn]] void raise(const Problems& problems);

template <class Value>
Value value_of(Result<Value> result) {
  if (!result) raise(result.problems());
  return *std::move(result);
}

// Calls a function that reads or computes something, while other threads of Python run.
template <class Function>
auto without_gil(const Function& function) {
  std::optional<decltype(function())> found;
  {
    const nanobind::gil_scoped_release released;
    found.emplace(function());
  }
  return value_of(*std::move(found));
}

}  // namespace orrery::python
