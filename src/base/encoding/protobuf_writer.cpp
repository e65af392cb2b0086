#include "base/encoding/protobuf_writer.hpp"

#include <bit>

namespace orrery::core::protobuf {

namespace {

void put_tag(std::string& out, std::uint32_t field, Wire wire) {
  constexpr unsigned wire_bits = 3;
  put_varint(out, std::uint64_t{field} << wire_bits | static_cast<std::uint64_t>(wire));
}

}  // namespace

void put_varint(std::string& out, std::uint64_t value) {
  for (; value >= 0x80; value >>= 7) out += static_cast<char>(value | 0x80);
  out += static_cast<char>(value);
}

void put_number(std::string& out, std::uint32_t field, std::uint64_t value) {
  put_tag(out, field, Wire::varint);
  put_varint(out, value);
}

void put_fixed64(std::string& out, std::uint32_t field, std::uint64_t value) {
  put_tag(out, field, Wire::fixed64);
  for (std::size_t byte = 0; byte < sizeof value; ++byte)
    out += static_cast<char>(value >> (8 * byte) & 0xff);
}

void put_double(std::string& out, std::uint32_t field, double value) {
  put_fixed64(out, field, std::bit_cast<std::uint64_t>(value));
}

void put_bytes(std::string& out, std::uint32_t field, std::string_view bytes) {
  put_tag(out, field, Wire::bytes);
  put_varint(out, bytes.size());
  out += bytes;
}

}  // namespace orrery::core::protobuf
