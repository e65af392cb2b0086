// Chakra's AttributeProto: a name with a value of one of 15 kinds, or a list of such values.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace orrery::core::chakra {

// These are views of the record that it was read from. The functions that return its value throw WireError,
// which names the attribute, when it has no value of that kind.
class AttributeValue {
 public:
  static AttributeValue read(std::string_view message);

  std::string_view name() const { return name_; }
  const char* start() const { return message_.data(); }

  bool has_value() const { return field_ != 0; }
  bool is_integer() const;
  // Integers and booleans of all kinds, sign-extended to 64 bits.
  std::uint64_t integer() const;
  std::string_view text() const;
  // An attribute without a value is an empty list: protobuf writes nothing of a list without entries.
  std::vector<bool> booleans() const;
  std::vector<std::string_view> texts() const;

 private:
  [[noreturn]] void reject(const char* wanted) const;

  std::string_view message_;
  std::string_view name_;
  std::uint32_t field_ = 0;     // number of the kind; 0: no value
  std::uint64_t number_ = 0;    // an integer or boolean
  std::string_view text_;       // a text
  const char* list_ = nullptr;  // place in the message where the list begins
};

}  // namespace orrery::core::chakra
