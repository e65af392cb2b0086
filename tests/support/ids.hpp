// Lists of typed numbers (base/units/typed_id.hpp), as tests write them down.
#pragma once

#include <cstdint>
#include <vector>

#include "base/units/typed_id.hpp"

namespace orrery::core::test {

template <class SomeId>
std::vector<SomeId> ids(const std::vector<std::uint32_t>& numbers) {
  return {numbers.begin(), numbers.end()};
}

template <class Ids>
std::vector<std::uint32_t> numbers_of(const Ids& ids) {
  std::vector<std::uint32_t> numbers;
  for (const auto& id : ids) numbers.push_back(id.value());
  return numbers;
}

}  // namespace orrery::core::test
