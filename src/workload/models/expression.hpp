// Whole numbers in model files, which are products and quotients of numbers and parameters: "4 * hidden /
// heads".
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "base/diagnostics/diagnostics.hpp"
#include "base/input/input_node.hpp"

namespace orrery::core {

// Values of parameters by name.
using Parameters = std::map<std::string, std::uint64_t, std::less<>>;

// The largest number of a model file: a double counts exactly up to here.
inline constexpr std::uint64_t largest_count = 1ull << 53;

// Returns the product. Throws InputError at `where` when the product is above largest_count; `what` is its
// name in the message: "the weights".
std::uint64_t checked_product(std::initializer_list<std::uint64_t> factors, std::string_view what,
                              const SourceLocation& where);

// Returns the value of an expression, which is worked out from left to right; every quotient has to be whole.
// Throws InputError for bad syntax, unknown parameters, divisions with a remainder and values above
// largest_count.
std::uint64_t value_of_expression(const InputNode& node, std::string_view key, const Parameters& parameters);

// Returns `text` with every "{parameter}" replaced by its value.
std::string with_values(const InputNode& node, std::string_view key, const Parameters& parameters);

}  // namespace orrery::core
