#include "study/space/sweep_points.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <unordered_set>
#include <utility>

#include <fmt/format.h>

#include "base/database/expression.hpp"
#include "base/random.hpp"
#include "base/text/token_reader.hpp"

namespace orrery::core {

namespace {

constexpr std::size_t told_every = 100'000;

bool ends_in(std::string_view path, std::string_view words) {
  return path == words ||
         (path.size() > words.size() && path.ends_with(words) && path[path.size() - words.size() - 1] == '.');
}

// Returns a value as SQL has it, with the unit of the numbers that it is one of.
ExpressionName fixed_name(const std::string& name, const std::string& value) {
  if (parse_real(value)) return {name, value, {}, false};
  if (const auto quantity = plain_quantity(value))
    return {name, fmt::format("{}", quantity->number), quantity->unit, false};
  std::string quoted = "'";
  for (const char letter : value) quoted.append(letter == '\'' ? 2 : 1, letter);
  return {name, quoted + "'", {}, false};
}

// Adds the names of keys that do not vary: their paths, and as many of the last words as tell them from
// others.
void add_fixed_names(const SweepSpace& space, std::vector<ExpressionName>& names) {
  std::vector<std::string_view> paths;
  for (const SweptKey& key : space.keys) paths.push_back(key.path);
  for (const auto& [path, value] : space.fixed) paths.push_back(path);
  for (const auto& [path, value] : space.fixed) {
    const auto varies = [&path = path](const SweptKey& key) {
      return is_at_or_below(path, key.path) || is_at_or_below(key.path, path);
    };
    if (std::ranges::any_of(space.keys, varies)) continue;
    for (std::size_t begin = 0;; begin = path.find('.', begin) + 1) {
      const std::string words = path.substr(begin);
      const auto is_it = [&](std::string_view one) { return ends_in(one, words); };
      if (std::ranges::count_if(paths, is_it) == 1) names.push_back(fixed_name(words, value));
      if (path.find('.', begin) == std::string::npos) break;
    }
  }
}

// The parameter of a key in SQL is its number in the space, from 1.
std::vector<ExpressionName> names_in_conditions(const SweepSpace& space) {
  std::vector<ExpressionName> names;
  for (std::size_t key = 0; key < space.keys.size(); ++key) {
    const std::string parameter = fmt::format("?{}", key + 1);
    for (const std::string* name :
         {&space.keys[key].path, &space.keys[key].shown, &space.keys[key].column.title})
      if (std::ranges::find(names, *name, &ExpressionName::name) == names.end())
        names.push_back({*name, parameter, unit_of_title(space.keys[key].column.title)});
  }
  add_fixed_names(space, names);
  return names;
}

std::string sql_of_condition(const SweepSpace& space, const SweepCondition& condition) {
  return "SELECT " +
         sql_of_expression(condition.text, condition.where, names_in_conditions(space), plain_quantity);
}

// Returns random numbers of their own for each pair.
Random random_of(std::uint64_t seed, std::uint64_t number, std::uint64_t axis) {
  Random of_seed(seed);
  Random of_number(of_seed.next() ^ number);
  return Random(of_number.next() ^ (axis * 0x9e3779b97f4a7c15ull));
}

std::uint64_t hash_of(const SweepPoint& point) {
  std::uint64_t hash = 0;
  for (const SharedValue& value : point.values)
    hash = Random(hash ^ std::hash<std::string>{}(value->text)).next();
  return hash;
}

}  // namespace

bool is_at_or_below(std::string_view path, std::string_view other) {
  return path == other ||
         (path.size() > other.size() && path.starts_with(other) && path[other.size()] == '.');
}

PointCondition::PointCondition(const SweepSpace& space, const SweepCondition& condition)
    : database_(Database::in_memory()) {
  const std::string sql = sql_of_condition(space, condition);
  with_expression(condition.text, condition.where,
                  [&] { statement_.emplace(database_.prepare(sql, condition.where)); });
  for (std::size_t key = 0; key < space.keys.size(); ++key)
    if (statement_->has_parameter(static_cast<int>(key) + 1)) keys_.push_back(key);
  if (keys_.empty())
    throw InputError(condition.where, "a condition names no key that the sweep varies; name one");
}

bool PointCondition::holds(const SweepPoint& point) {
  for (const std::size_t key : keys_) {
    const int parameter = static_cast<int>(key) + 1;
    const PlainValue& value = point.values[key]->plain;
    if (const auto* whole = std::get_if<std::int64_t>(&value))
      statement_->bind(parameter, *whole);
    else if (const auto* real = std::get_if<double>(&value))
      statement_->bind(parameter, *real);
    else if (const auto* text = std::get_if<std::string>(&value))
      statement_->bind(parameter, std::string_view(*text));
    else
      statement_->bind_nothing(parameter);
  }
  const bool holds = statement_->step() && !statement_->is_null(0) && statement_->real(0) != 0;
  statement_->reset();
  return holds;
}

SweepPoints::SweepPoints(const SweepSpace& space, const StepListener& progress) : space_(space) {
  for (const SweepCondition& condition : space.conditions) conditions_.emplace_back(space, condition);
  if (space.sample && space.sample->method == SampleMethod::random) {
    draw_at_random(progress);
  } else {
    if (space.sample) cut_into_strata();
    go_through_all(progress);
  }
  if (numbers_.empty())
    throw InputError(space.where, "no combination of its values meets the conditions; loosen one");
}

void SweepPoints::go_through_all(const StepListener& progress) {
  std::size_t combinations = space_.sample ? space_.sample->runs : 1;
  for (const SweepAxis& axis : space_.axes) {
    if (space_.sample) break;
    if (axis.size() > most_combinations / combinations)
      throw InputError(space_.where,
                       fmt::format("has more than {} combinations; give it a `sample`", most_combinations));
    combinations *= axis.size();
  }
  if (conditions_.empty()) {
    numbers_.resize(combinations);
    std::iota(numbers_.begin(), numbers_.end(), std::size_t{0});
    return;
  }
  for (std::size_t number = 0; number < combinations; ++number) {
    if (progress && number % told_every == 0) progress(number, combinations, "combinations");
    if (meets_all(drawn(number))) numbers_.push_back(number);
  }
}

void SweepPoints::draw_at_random(const StepListener& progress) {
  constexpr std::size_t most_tries_for_one = 1000;
  const std::size_t wanted = space_.sample->runs;
  const std::size_t most = std::min(most_combinations, most_tries_for_one * (wanted + 10));
  std::unordered_set<std::uint64_t> known;
  for (std::size_t number = 0; number < most && numbers_.size() < wanted; ++number) {
    if (progress && number % told_every == 0) progress(numbers_.size(), wanted, "combinations");
    const SweepPoint point = drawn(number);
    if (meets_all(point) && known.insert(hash_of(point)).second) numbers_.push_back(number);
  }
  if (numbers_.size() < wanted)
    throw InputError(space_.where,
                     fmt::format("only {} different combinations that meet the conditions were found in {} "
                                 "draws; lower `runs` of the sample, or leave it out",
                                 numbers_.size(), most));
}

// Latin hypercube: M. D. McKay, R. J. Beckman, W. J. Conover, "A comparison of three methods for selecting
// values of input variables in the analysis of output from a computer code", Technometrics 21(2), 1979. Each
// axis is cut into as many parts as there are runs, and each part has one run.
void SweepPoints::cut_into_strata() {
  for (std::size_t axis = 0; axis < space_.axes.size(); ++axis) {
    std::vector<std::uint32_t>& order = strata_.emplace_back(space_.sample->runs);
    std::iota(order.begin(), order.end(), std::uint32_t{0});
    Random random = random_of(space_.sample->seed, ~std::uint64_t{0}, axis);
    for (std::size_t left = order.size(); left > 1; --left)
      std::swap(order[left - 1], order[random.next() % left]);
  }
}

bool SweepPoints::meets_all(const SweepPoint& point) {
  return std::ranges::all_of(conditions_, [&](PointCondition& condition) { return condition.holds(point); });
}

// Returns where on the axis a drawn point is, from 0 to below 1.
double SweepPoints::fraction_of(std::size_t number, std::size_t axis) const {
  const double within = random_of(space_.sample->seed, number, axis).fraction();
  if (strata_.empty()) return within;
  return (strata_[axis][number] + within) / static_cast<double>(space_.sample->runs);
}

// The values of the last axis vary fastest.
SweepPoint SweepPoints::drawn(std::size_t number) const {
  SweepPoint point{number, std::vector<SharedValue>(space_.keys.size())};
  std::size_t rest = number;
  for (std::size_t i = space_.axes.size(); i-- > 0;) {
    const SweepAxis& axis = space_.axes[i];
    const double fraction = space_.sample ? fraction_of(number, i) : 0;
    if (axis.range) {
      const std::size_t key = axis.keys.front();
      point.values[key] =
          std::make_shared<const SweptValue>(value_in_range(*axis.range, fraction, space_.keys[key]));
      continue;
    }
    const std::size_t size = axis.size();
    const std::size_t place =
        space_.sample ? std::min(static_cast<std::size_t>(fraction * static_cast<double>(size)), size - 1)
                      : rest % size;
    rest /= size;
    for (std::size_t k = 0; k < axis.keys.size(); ++k) point.values[axis.keys[k]] = axis.values[k].at(place);
  }
  return point;
}

SweptValue value_in_range(const NumberRange& range, double fraction, const SweptKey& key) {
  double number = range.logarithmic ? range.from * std::pow(range.to / range.from, fraction)
                                    : range.from + (range.to - range.from) * fraction;
  if (range.whole) {
    // Each whole number of the range is as likely, its ends, too.
    const double above = range.to + 1;
    number = std::floor(range.logarithmic ? range.from * std::pow(above / range.from, fraction)
                                          : range.from + (above - range.from) * fraction);
    number = std::min(number, range.to);
  }
  InputNode node;
  node.kind = InputNode::Kind::scalar;
  // Six digits are more than any quantity here is known by, and names of runs stay short.
  node.text = range.whole ? fmt::format("{:.0f}", number) : fmt::format("{:.6g}", number);
  node.text += range.unit;
  node.where = key.where;
  SweptValue value = swept_value(std::move(node), 0);
  set_plain_value(key.path, key.column, value);
  return value;
}

}  // namespace orrery::core
