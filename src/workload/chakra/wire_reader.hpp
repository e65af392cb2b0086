// The fields of a protobuf message, one by one.
#pragma once

#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/wire_format_lite.h>

#include <cstdint>
#include <string>
#include <string_view>

namespace orrery::chakra {

// What is wrong, and where in the record.
struct WireError {
  const char* at;
  std::string what;
};

// How a field's value is encoded; numbers as in the file.
enum class Wire : std::uint8_t { varint, fixed64, bytes, group, group_end, fixed32 };

// Throws WireError when the message is malformed. Texts and nested messages are views of it.
class WireReader {
 public:
  explicit WireReader(std::string_view message)
      : message_(message),
        input_(reinterpret_cast<const std::uint8_t*>(message.data()), static_cast<int>(message.size())) {}

  bool at_end() const { return input_.CurrentPosition() == static_cast<int>(message_.size()); }

  // Goes to the next field, whose value then has to be read or skipped; false at the end.
  bool next() {
    start_ = input_.CurrentPosition();
    if (at_end()) return false;
    tag_ = input_.ReadTagNoLastTag();
    if (tag_ >> 3 == 0) fail("no field begins here");
    return true;
  }
  std::uint32_t field() const { return tag_ >> 3; }
  Wire wire() const { return static_cast<Wire>(tag_ & 7); }
  const char* start() const { return message_.data() + start_; }  // of the field

  std::uint64_t varint() {
    std::uint64_t value = 0;
    if (!input_.ReadVarint64(&value)) fail("a number is cut off or too long");
    return value;
  }
  std::uint32_t fixed32() {
    std::uint32_t value = 0;
    if (!input_.ReadLittleEndian32(&value)) fail("a number is cut off");
    return value;
  }
  std::uint64_t fixed64() {
    std::uint64_t value = 0;
    if (!input_.ReadLittleEndian64(&value)) fail("a number is cut off");
    return value;
  }
  std::string_view bytes() {
    int size = 0;
    if (!input_.ReadVarintSizeAsInt(&size)) fail("a length is cut off or too long");
    const int begin = input_.CurrentPosition();
    if (size > static_cast<int>(message_.size()) - begin) fail("a field is longer than what holds it");
    input_.Skip(size);
    return message_.substr(static_cast<std::size_t>(begin), static_cast<std::size_t>(size));
  }
  void skip() {
    if (!google::protobuf::internal::WireFormatLite::SkipField(&input_, tag_))
      fail("field " + std::to_string(field()) + " is cut off or malformed");
  }

  [[noreturn]] void fail(const std::string& what) const {
    throw WireError{start(), what + "; the file is damaged or no Chakra trace"};
  }

 private:
  std::string_view message_;
  google::protobuf::io::CodedInputStream input_;
  int start_ = 0;
  std::uint32_t tag_ = 0;
};

}  // namespace orrery::chakra
