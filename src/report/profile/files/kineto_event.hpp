// An event of a Kineto file, as far as it is of use here.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/diagnostics/diagnostics.hpp"
#include "base/diagnostics/words.hpp"

namespace orrery::core {

// A number as the file has it. Times since 1970 in microseconds have more digits than a double.
struct ExactNumber {
  std::int64_t whole = 0;
  std::int64_t millionths = 0;  // with the sign of the number

  // Returns none where the number is too large, or where it is no number.
  static std::optional<ExactNumber> of(double value, std::string_view digits);
};

enum class EventField : std::uint8_t {
  phase,
  category,
  name,
  process,
  start,
  duration,
  // Fields in `args`:
  correlation,
  collective,
  elements_in,
  elements_out,
  datatype,
  group_size,
  group_name,
  group_ranks,
  rank,
  layer,
  kernel_kind,
  start_ps,
  duration_ps,
};
inline constexpr std::size_t event_fields = 19;

inline constexpr std::array<EnumName<EventField>, 6> event_keys{{
    {"ph", EventField::phase},
    {"cat", EventField::category},
    {"name", EventField::name},
    {"pid", EventField::process},
    {"ts", EventField::start},
    {"dur", EventField::duration},
}};
inline constexpr std::array<EnumName<EventField>, 13> argument_keys{{
    {"correlation", EventField::correlation},
    {"Collective name", EventField::collective},
    {"In msg nelems", EventField::elements_in},
    {"Out msg nelems", EventField::elements_out},
    {"dtype", EventField::datatype},
    {"Group size", EventField::group_size},
    {"Process Group Name", EventField::group_name},
    {"Process Group Ranks", EventField::group_ranks},
    {"Rank", EventField::rank},
    {"layer", EventField::layer},
    {"kernel_kind", EventField::kernel_kind},
    {"start_ps", EventField::start_ps},
    {"duration_ps", EventField::duration_ps},
}};

// Fields that were not in the file are empty.
class KinetoEvent {
 public:
  SourceLocation where;

  void clear() {
    for (Value& value : values_) value.kind = Kind::none;
  }
  void set(EventField field, std::string& text) {
    Value& value = at(field);
    value.kind = Kind::text;
    value.text.swap(text);
  }
  void set(EventField field, const ExactNumber& number) {
    Value& value = at(field);
    value.kind = Kind::number;
    value.number = number;
  }

  bool has(EventField field) const { return at(field).kind != Kind::none; }
  // Returns the text; empty where there is none.
  std::string_view text(EventField field) const {
    return at(field).kind == Kind::text ? std::string_view(at(field).text) : std::string_view();
  }
  std::optional<ExactNumber> number(EventField field) const {
    return at(field).kind == Kind::number ? std::optional(at(field).number) : std::nullopt;
  }
  // Returns a whole number from 0 to `most`. Returns none where there is no number or it is another one.
  std::optional<std::uint64_t> count(EventField field, std::uint64_t most) const {
    const auto found = number(field);
    if (!found || found->whole < 0 || static_cast<std::uint64_t>(found->whole) > most) return std::nullopt;
    return static_cast<std::uint64_t>(found->whole);
  }

 private:
  enum class Kind : std::uint8_t { none, text, number };
  struct Value {
    Kind kind = Kind::none;
    std::string text;
    ExactNumber number;
  };
  Value& at(EventField field) { return values_[static_cast<std::size_t>(field)]; }
  const Value& at(EventField field) const { return values_[static_cast<std::size_t>(field)]; }

  std::array<Value, event_fields> values_;
};

}  // namespace orrery::core
