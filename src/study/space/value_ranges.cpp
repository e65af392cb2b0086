#include "study/space/value_ranges.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

#include <fmt/format.h>

#include "base/text/token_reader.hpp"

namespace orrery::core {

namespace {

constexpr double most_values = 1'000'000;

enum class Scale : std::uint8_t { linear, logarithmic };
constexpr std::array<EnumName<Scale>, 2> scale_words{
    {{"linear", Scale::linear}, {"log", Scale::logarithmic}}};

struct RangeDraft {
  const InputNode *from = nullptr, *to = nullptr, *step = nullptr, *factor = nullptr, *scale_node = nullptr;
  Scale scale = Scale::linear;
};

void read_scale(const InputNode& node, const KeyFacts& key, RangeDraft& draft) {
  draft.scale = word_value_of(node, key.name, scale_words);
  draft.scale_node = &node;
}

constexpr Key<RangeDraft> range_keys[] = {
    key::kept<&RangeDraft::from>("from", "number, with a unit where the key has one", "required",
                                 "the first value"),
    key::kept<&RangeDraft::to>("to", "the same", "required",
                               "the end, which is a value where the steps reach it"),
    key::kept<&RangeDraft::step>("step", "number, with the unit of `from`", "none",
                                 "difference from one value to the next"),
    key::kept<&RangeDraft::factor>("factor", "number above 1", "none",
                                   "factor from one value to the next, in place of `step`"),
    key::custom<read_scale>("scale", "`linear`, `log`", "`linear`",
                            "without step and factor, for a `sample`, which draws from all numbers of the "
                            "range: whether each difference is as likely, or each ratio. Where both ends are "
                            "written without a point, only whole numbers are drawn"),
};

// A number and what stands behind it.
struct Quantity {
  double number = 0;
  std::string unit;  // with its blanks
  bool whole = false;
};

Quantity quantity_of(const InputNode& node, std::string_view key) {
  const std::string& text = scalar_of(node, key);
  const std::size_t end = std::min(text.find_first_not_of("0123456789.+-eE"), text.size());
  // A unit may begin with an E, as EFLOP/s does, which is no exponent then.
  const std::size_t exponent = text.substr(0, end).find_first_of("eE");
  const bool is_unit = exponent != std::string::npos && exponent + 1 == end && end < text.size();
  const std::string number = text.substr(0, is_unit ? exponent : end);
  const auto value = parse_real(number);
  if (!value) reject_value(node, key, "a number, which may have a unit, such as `25 GB/s`");
  return {*value, text.substr(number.size()), number.find_first_of(".eE") == std::string::npos};
}

Quantity like(const Quantity& first, const InputNode& node, std::string_view key) {
  Quantity quantity = quantity_of(node, key);
  if (quantity.unit != first.unit)
    throw InputError(node.where, fmt::format("`{}` has to have the unit of `from`, which is {}", key,
                                             first.unit.empty() ? "none" : backquoted(first.unit)));
  return quantity;
}

NumberSteps steps_of(const RangeDraft& draft, const Quantity& first, const Quantity& last) {
  constexpr double slack = 1e-9;  // a rounding error does not leave out the last value
  const bool by_factor = draft.factor != nullptr;
  const double change =
      by_factor ? number_of(*draft.factor, "factor") : like(first, *draft.step, "step").number;
  if (by_factor && (change <= 1 || first.number <= 0))
    throw InputError(draft.factor->where, "a factor has to be above 1, over values above 0");
  if (!by_factor && change <= 0) throw InputError(draft.step->where, "a step has to be above 0");
  const double count = by_factor ? std::log(last.number / first.number) / std::log(change)
                                 : (last.number - first.number) / change;
  if (!(count < most_values))  // nor is it no number
    throw InputError(draft.from->where,
                     fmt::format("a key has at most {:.0f} values; take larger steps", most_values));
  return {first.number, change,           by_factor, static_cast<std::size_t>(count + slack) + 1,
          first.unit,   draft.from->where};
}

}  // namespace

ValueRange read_value_range(const InputNode& node) {
  RangeDraft draft;
  read_map(node, "a range of values", range_keys, draft);
  const Quantity first = quantity_of(*draft.from, "from");
  const Quantity last = like(first, *draft.to, "to");
  if (last.number < first.number)
    throw InputError(draft.to->where, "a range ends below its beginning; exchange `from` and `to`");
  if (draft.step && draft.factor)
    throw InputError(draft.factor->where, "a range has a `step` or a `factor`; leave one out");
  ValueRange range;
  if (draft.step || draft.factor) {
    if (draft.scale_node)
      throw InputError(
          draft.scale_node->where,
          "`scale` is for a range from which a sample draws, without `step` and `factor`; leave it out");
    range.steps = steps_of(draft, first, last);
    return range;
  }
  const bool logarithmic = draft.scale == Scale::logarithmic;
  if (logarithmic && first.number <= 0)
    throw InputError(draft.from->where, "a range of scale `log` has to be above 0");
  range.range = NumberRange{first.number, last.number, logarithmic, first.whole && last.whole, first.unit};
  return range;
}

std::vector<KeyPath> value_range_keys() {
  return key_paths(".", range_keys);
}

}  // namespace orrery::core
