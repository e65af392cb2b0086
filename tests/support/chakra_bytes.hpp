// Protobuf by hand, for traces as no writer of ours would write them.
#pragma once

#include <cstdint>
#include <string>

namespace orrery::core::test {

std::string varint(std::uint64_t value);

// Fields of a message. `number_field(3, 7) + bytes_field(2, "name")` is a message with two.
std::string number_field(std::uint32_t field, std::uint64_t value);
std::string bytes_field(std::uint32_t field, const std::string& bytes);
std::string fixed32_field(std::uint32_t field, std::uint32_t value);
std::string fixed64_field(std::uint32_t field, std::uint64_t value);

// A message behind its length, as in a trace file.
std::string record(const std::string& message);
// A file: metadata, then the given node messages.
std::string trace_bytes(const std::string& records);

// The field `attr` of a node: an attribute with the fields `value` besides its name.
std::string attribute(const std::string& name, const std::string& value);

std::string gzip(const std::string& bytes);

}  // namespace orrery::core::test
