#include "study/space/swept_document.hpp"

#include <algorithm>
#include <array>
#include <string_view>

namespace orrery::core {

namespace {

constexpr std::size_t longest_name = 180;

}  // namespace

InputNode document_without_sweep(const InputNode& document) {
  constexpr std::array<std::string_view, 5> left_out{"name", "sweep", "objectives", "comparisons", "reports"};
  InputNode rest;
  rest.kind = document.kind;
  rest.where = document.where;
  for (std::size_t i = 0; i < document.names.size(); ++i) {
    if (std::ranges::find(left_out, document.names[i].text) != left_out.end()) continue;
    rest.names.push_back(document.names[i]);
    rest.items.push_back(document.items[i]);
  }
  return rest;
}

std::vector<std::string> varied_parts(const SweepSpace& space) {
  std::vector<std::string> parts;
  for (const SweptKey& key : space.keys) {
    std::string part = key.path.substr(0, key.path.find('.'));
    if (std::ranges::find(parts, part) == parts.end()) parts.push_back(std::move(part));
  }
  return parts;
}

void set_point(InputNode& document, const SweepSpace& space, const SweepPoint& point, AskedKeys& keys) {
  for (std::size_t number = 0; number < space.keys.size(); ++number) {
    const SweptKey& key = space.keys[number];
    const SweptValue& value = *point.values[number];
    if (value.leaves_out())
      leave_out(document, key.path, key.where, keys);
    else
      set_value(document, key.path, key.where, value.node, keys);
  }
}

std::string name_of_point(const SweepSpace& space, const SweepPoint& point) {
  std::string name;
  for (std::size_t key = 0; key < space.keys.size(); ++key) {
    const std::string& shown = space.keys[key].shown;
    if (point.values[key]->leaves_out()) continue;
    name.append(name.empty() ? "" : "_").append(shown).append("=").append(point.values[key]->label);
  }
  if (name.empty()) name = "usual";
  // Two draws from a range may look the same in six digits.
  const auto is_range = [](const SweepAxis& axis) { return axis.range.has_value(); };
  if (std::ranges::any_of(space.axes, is_range)) name.append("_").append(std::to_string(point.number));
  if (name.size() > longest_name) name = "run-" + std::to_string(point.number);
  return name;
}

}  // namespace orrery::core
