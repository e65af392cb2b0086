// Appends the fields of protobuf messages to a text. Writing such a message takes no more than that.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace orrery::core::protobuf {

// The encoding of a field's value. The numbers are those of the file format.
enum class Wire : std::uint8_t { varint, fixed64, bytes, group, group_end, fixed32 };

// Appends a number alone. Each byte holds seven bits, the lowest come first.
void put_varint(std::string& out, std::uint64_t value);

// These functions append a field with its value. Negative integers are given as the 64 bits of their two's
// complement.
void put_number(std::string& out, std::uint32_t field, std::uint64_t value);
void put_fixed64(std::string& out, std::uint32_t field, std::uint64_t value);
void put_double(std::string& out, std::uint32_t field, double value);
// For texts and messages alike.
void put_bytes(std::string& out, std::uint32_t field, std::string_view bytes);

}  // namespace orrery::core::protobuf
