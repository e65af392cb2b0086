// Chakra's AttributeProto: a name with a value of one of 15 kinds, or a list of such.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace orrery::chakra {

// Views of the record it was read from. The functions that give its value throw WireError, which names the
// attribute, when it has none of that kind.
class AttributeValue {
 public:
  static AttributeValue read(std::string_view message);

  std::string_view name() const { return name_; }
  const char* start() const { return message_.data(); }

  // Integers and booleans of all kinds, sign-extended to 64 bits.
  std::uint64_t integer() const;
  std::string_view text() const;
  std::vector<bool> booleans() const;
  std::vector<std::string_view> texts() const;

 private:
  [[noreturn]] void reject(const char* wanted) const;

  std::string_view message_;
  std::string_view name_;
  std::uint32_t field_ = 0;     // which of the kinds; 0: no value
  std::uint64_t number_ = 0;    // an integer or boolean
  std::string_view text_;       // a text
  const char* list_ = nullptr;  // where in the message the list begins
};

}  // namespace orrery::chakra
