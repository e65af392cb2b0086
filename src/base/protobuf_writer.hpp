// Appends the fields of protobuf messages to a text, which is all that writing such a message takes.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace orrery::protobuf {

// The encoding of a field's value; numbers are as in the file.
enum class Wire : std::uint8_t { varint, fixed64, bytes, group, group_end, fixed32 };

// Appends a number alone, seven bits a byte, the lowest first.
void put_varint(std::string& out, std::uint64_t value);

// These append a field with its value. Negative integers are given as the 64 bits of their complement of two.
void put_number(std::string& out, std::uint32_t field, std::uint64_t value);
void put_fixed64(std::string& out, std::uint32_t field, std::uint64_t value);
void put_double(std::string& out, std::uint32_t field, double value);
void put_bytes(std::string& out, std::uint32_t field, std::string_view bytes);  // texts and messages alike

}  // namespace orrery::protobuf
