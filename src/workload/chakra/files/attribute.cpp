#include "workload/chakra/files/attribute.hpp"

#include <array>

#include "base/diagnostics/words.hpp"
#include "workload/chakra/files/wire_reader.hpp"

namespace orrery::core::chakra {
namespace {

enum class Kind {
  float64,
  float32,
  int32,
  int64,
  uint32,
  uint64,
  sint32,
  sint64,
  fixed32,
  fixed64,
  sfixed32,
  sfixed64,
  boolean,
  string,
  bytes
};
constexpr std::array kind_names{"double",   "float",    "int32",  "int64",   "uint32",
                                "uint64",   "sint32",   "sint64", "fixed32", "fixed64",
                                "sfixed32", "sfixed64", "bool",   "string",  "bytes"};

// Field numbers: a scalar and then a list of each kind.
constexpr std::uint32_t first_value = 3, last_value = 32;
constexpr bool is_list(std::uint32_t field) {
  return field % 2 == 0;
}
constexpr Kind kind_of(std::uint32_t field) {
  return static_cast<Kind>((field - first_value) / 2);
}
constexpr std::uint32_t list_of(Kind kind) {
  return first_value + 1 + 2 * static_cast<std::uint32_t>(kind);
}

constexpr Wire wire_of(Kind kind) {
  switch (kind) {
    case Kind::float64:
    case Kind::fixed64:
    case Kind::sfixed64:
      return Wire::fixed64;
    case Kind::float32:
    case Kind::fixed32:
    case Kind::sfixed32:
      return Wire::fixed32;
    case Kind::string:
    case Kind::bytes:
      return Wire::bytes;
    default:
      return Wire::varint;
  }
}

std::uint64_t sign_extended(std::uint32_t value) {
  return static_cast<std::uint64_t>(std::int64_t{static_cast<std::int32_t>(value)});
}

// 0, -1, 1, -2, 2, ... are written as 0, 1, 2, 3, 4, ...
template <class T>
T without_zigzag(T value) {
  return (value >> 1) ^ (T{0} - (value & 1));
}

std::uint64_t read_number(WireReader& reader, Kind kind) {
  if (wire_of(kind) == Wire::fixed64) return reader.fixed64();
  if (wire_of(kind) == Wire::fixed32) {
    const std::uint32_t value = reader.fixed32();
    return kind == Kind::sfixed32 ? sign_extended(value) : value;
  }
  const std::uint64_t value = reader.varint();
  const auto low = static_cast<std::uint32_t>(value);
  switch (kind) {
    case Kind::int32:
      return sign_extended(low);
    case Kind::uint32:
      return low;
    case Kind::sint32:
      return sign_extended(without_zigzag(low));
    case Kind::sint64:
      return without_zigzag(value);
    case Kind::boolean:
      return value != 0 ? 1 : 0;
    default:
      return value;
  }
}

}  // namespace

AttributeValue AttributeValue::read(std::string_view message) {
  constexpr std::uint32_t name_field = 1;
  AttributeValue out;
  out.message_ = message;
  for (WireReader reader(message); reader.next();) {
    const std::uint32_t field = reader.field();
    if (field == name_field && reader.wire() == Wire::bytes) {
      out.name_ = reader.bytes();
      continue;
    }
    const bool is_value = field >= first_value && field <= last_value;
    if (!is_value || reader.wire() != (is_list(field) ? Wire::bytes : wire_of(kind_of(field)))) {
      reader.skip();
      continue;
    }
    // The last value counts; the parts of a list add up.
    if (out.field_ != field) out.list_ = reader.start();
    out.field_ = field;
    if (reader.wire() == Wire::bytes)
      out.text_ = reader.bytes();
    else
      out.number_ = read_number(reader, kind_of(field));
  }
  return out;
}

bool AttributeValue::is_integer() const {
  return field_ != 0 && !is_list(field_) && kind_of(field_) >= Kind::int32 &&
         kind_of(field_) <= Kind::boolean;
}

std::uint64_t AttributeValue::integer() const {
  if (!is_integer()) reject("an integer or a boolean");
  return number_;
}

std::string_view AttributeValue::text() const {
  if (field_ == 0 || is_list(field_) || kind_of(field_) != Kind::string) reject("a string");
  return text_;
}

namespace {

// Calls `take(reader)` for every entry field, 1, of every part of the list.
template <class Take>
void for_entries(std::string_view parts, std::uint32_t list_field, const Take& take) {
  for (WireReader outer(parts); outer.next();) {
    if (outer.field() != list_field || outer.wire() != Wire::bytes) {
      outer.skip();
      continue;
    }
    for (WireReader inner(outer.bytes()); inner.next();) {
      if (inner.field() != 1 || !take(inner)) inner.skip();
    }
  }
}

std::string_view behind(std::string_view message, const char* begin) {
  return message.substr(static_cast<std::size_t>(begin - message.data()));
}

}  // namespace

std::vector<bool> AttributeValue::booleans() const {
  if (field_ == 0) return {};
  if (field_ != list_of(Kind::boolean)) reject("a list of booleans");
  std::vector<bool> values;
  for_entries(behind(message_, list_), field_, [&](WireReader& entry) {
    if (entry.wire() == Wire::varint) {
      values.push_back(entry.varint() != 0);
    } else if (entry.wire() == Wire::bytes) {
      for (WireReader packed(entry.bytes()); !packed.at_end();) values.push_back(packed.varint() != 0);
    } else {
      return false;
    }
    return true;
  });
  return values;
}

std::vector<std::string_view> AttributeValue::texts() const {
  if (field_ == 0) return {};
  if (field_ != list_of(Kind::string)) reject("a list of strings");
  std::vector<std::string_view> values;
  for_entries(behind(message_, list_), field_, [&](WireReader& entry) {
    if (entry.wire() != Wire::bytes) return false;
    values.push_back(entry.bytes());
    return true;
  });
  return values;
}

void AttributeValue::reject(const char* wanted) const {
  std::string found = "has no value";
  if (field_ != 0)
    found = std::string(is_list(field_) ? "is a list of " : "is a ") +
            kind_names[static_cast<std::size_t>(kind_of(field_))];
  throw WireError{message_.data(),
                  "the attribute " + backquoted(name_) + " " + found + ", it has to be " + wanted};
}

}  // namespace orrery::core::chakra
