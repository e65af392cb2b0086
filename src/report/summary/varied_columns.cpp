#include "report/summary/varied_columns.hpp"

#include <algorithm>
#include <iterator>
#include <optional>

#include "base/text/quantity.hpp"
#include "report/table/csv_cell.hpp"
#include "report/table/csv_numbers.hpp"

namespace orrery::core {

namespace {

struct VariedUnit {
  std::string_view ending;
  // Adds the value to a line. Returns false, and adds nothing, where the text is no such quantity.
  bool (*append)(std::string& line, std::string_view text);
};

template <class Value, class Append>
bool append_if_any(const std::optional<Value>& value, const Append& append) {
  if (value) append(*value);
  return value.has_value();
}

constexpr VariedUnit varied_units[] = {
    {"_us",
     [](std::string& line, std::string_view text) {
       return append_if_any(time_in(text), [&](Time value) { append_csv_time(line, value, "us"); });
     }},
    {"_bytes",
     [](std::string& line, std::string_view text) {
       return append_if_any(bytes_in(text), [&](Bytes value) { append_csv_number(line, value.count()); });
     }},
    {"_gb_per_second",
     [](std::string& line, std::string_view text) {
       return append_if_any(bandwidth_in(text),
                            [&](Bandwidth value) { append_csv_real(line, value.bytes_per_ns(), -1); });
     }},
    {"_flop_per_second",
     [](std::string& line, std::string_view text) {
       return append_if_any(flops_in(text), [&](double value) { append_csv_real(line, value, -1); });
     }},
    {"_hz",
     [](std::string& line, std::string_view text) {
       return append_if_any(frequency_in(text), [&](double value) { append_csv_real(line, value, -1); });
     }},
};

bool is_quantity(const VariedUnit& unit, const std::string& text) {
  std::string number;
  return unit.append(number, text);
}

// Returns the unit of a key's values, of which the empty ones do not count; null where they are no
// quantities.
const VariedUnit* varied_unit_of(std::size_t key, const std::vector<std::vector<std::string>>& values) {
  const VariedUnit* unit = nullptr;
  for (const std::vector<std::string>& of_run : values) {
    const std::string& text = of_run[key];
    if (text.empty()) continue;
    if (!unit) {
      unit =
          std::ranges::find_if(varied_units, [&](const VariedUnit& one) { return is_quantity(one, text); });
      if (unit == std::end(varied_units)) return nullptr;
    } else if (!is_quantity(*unit, text)) {
      return nullptr;
    }
  }
  return unit;
}

}  // namespace

VariedColumns::VariedColumns(const std::vector<std::string>& keys,
                             const std::vector<std::vector<std::string>>& values) {
  for (std::size_t key = 0; key < keys.size(); ++key) {
    const VariedUnit* const unit = varied_unit_of(key, values);
    titles_.push_back(unit ? keys[key] + std::string(unit->ending) : keys[key]);
    numbers_.push_back(unit ? unit->append : nullptr);
  }
}

void VariedColumns::append(std::string& line, std::size_t key, const std::string& value) const {
  if (key < numbers_.size() && numbers_[key] && !value.empty())
    numbers_[key](line, value);
  else
    line += csv_cell(value);
}

}  // namespace orrery::core
