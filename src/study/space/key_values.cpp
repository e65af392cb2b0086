#include "study/space/key_values.hpp"

#include <cmath>
#include <memory>

#include <fmt/format.h>

namespace orrery::core {

InputNode NumberSteps::value_at(std::size_t place) const {
  const auto steps = static_cast<double>(place);
  InputNode value;
  value.kind = InputNode::Kind::scalar;
  value.text =
      fmt::format("{:.12g}{}", by_factor ? from * std::pow(change, steps) : from + change * steps, unit);
  value.where = where;
  return value;
}

SharedValue KeyValues::at(std::size_t place) const {
  if (steps_.count == 0) return listed_[place];
  SweptValue value = swept_value(steps_.value_at(place), place);
  set_plain_value(path_, column_, value);
  return std::make_shared<const SweptValue>(std::move(value));
}

}  // namespace orrery::core
