// The types that the values of a column have for programs, whatever C++ calls them inside.
#pragma once

#include <concepts>
#include <cstdint>
#include <optional>
#include <string_view>
#include <type_traits>

#include "base/units/bytes.hpp"
#include "base/units/rank_id.hpp"
#include "base/units/time.hpp"

namespace orrery::core {

// A number with a fraction. Files hold all its digits, or as many decimals as are asked for.
struct Real {
  double value = 0;
  int decimals = -1;  // decimals in CSV files; -1: all digits
};

enum class ValueType : std::uint8_t {
  none,  // it may be anything; no column that files or programs see is of this type
  boolean,
  integer,
  real,  // a number with a fraction, or a time in the unit of its column
  text,
};

template <class T>
inline constexpr bool may_be_missing = false;
template <class T>
inline constexpr bool may_be_missing<std::optional<T>> = true;

// Returns the type of a column whose cells are made of `T`, or of a `T` that may be missing.
template <class T>
constexpr ValueType value_type_of() {
  using Value = std::remove_cvref_t<T>;
  if constexpr (may_be_missing<Value>)
    return value_type_of<typename Value::value_type>();
  else if constexpr (std::is_same_v<Value, bool>)
    return ValueType::boolean;
  else if constexpr (std::integral<Value> || std::is_same_v<Value, Bytes> || std::is_same_v<Value, RankId>)
    return ValueType::integer;
  else if constexpr (std::floating_point<Value> || std::is_same_v<Value, Real> || std::is_same_v<Value, Time>)
    return ValueType::real;
  else if constexpr (std::is_convertible_v<Value, std::string_view>)
    return ValueType::text;
  else
    return ValueType::none;
}

}  // namespace orrery::core
