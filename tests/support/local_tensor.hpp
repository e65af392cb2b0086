// The part of a tensor that one simulated rank holds, and operations on it. Elements are whole numbers modulo
// a prime.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "workload/parallelism/sharding.hpp"

namespace orrery::core::test {

using Indices = std::vector<std::uint32_t>;

struct Local {
  std::vector<Dim> dims;
  std::vector<Indices> held;          // along every dimension, which elements
  std::vector<std::uint64_t> values;  // the last dimension runs fastest

  std::size_t position(Dim dim) const;  // among `dims`; their number if it has not this one
  bool has(Dim dim) const { return position(dim) < dims.size(); }
};

// Throws std::logic_error.
void require(bool good, const std::string& what);

// Calls `visit` with the places (not element numbers) of every element.
void for_each(const std::vector<Indices>& held,
              const std::function<void(const std::vector<std::size_t>&)>& visit);

// Values that are functions of a name and of elements' numbers.
Local hashed_tensor(const std::string& name, const std::vector<Dim>& dims, std::vector<Indices> held);

// A product of operands, summed over all dimensions but those of the result. Elements of dimensions that no
// operand has are `others`.
Local contracted(const std::vector<Dim>& result, const std::vector<const Local*>& operands,
                 const std::function<Indices(Dim)>& others);

// Element by element, of tensors of the same elements.
Local added(const Local& a, const Local& b);
Local multiplied(const Local& a, const Local& b);

Indices part_of(const Indices& all, std::size_t parts, std::size_t which);
// The elements of `whole` that are in `held`.
Local selected(const Local& whole, const std::vector<Indices>& held);
// Two tensors that differ in their elements along `dim`, as one.
Local joined(const Local& a, const Local& b, Dim dim);

}  // namespace orrery::core::test
