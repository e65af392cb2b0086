// Counts the members of an aggregate, so that a list of them can be checked to be complete when it is
// compiled.
#pragma once

#include <cstddef>
#include <utility>

namespace orrery::core {

namespace member_count {

// Becomes whatever a member is initialized with. It is never evaluated.
struct Anything {
  template <class T>
  operator T() const;  // NOLINT: it has to be implicit
};

template <class Aggregate, std::size_t... number>
constexpr bool takes(std::index_sequence<number...>) {
  return requires {
    Aggregate{((void)number, Anything())...};
  };
}

}  // namespace member_count

template <class Aggregate, std::size_t count = 0>
constexpr std::size_t members_of() {
  if constexpr (member_count::takes<Aggregate>(std::make_index_sequence<count + 1>()))
    return members_of<Aggregate, count + 1>();
  else
    return count;
}

}  // namespace orrery::core
