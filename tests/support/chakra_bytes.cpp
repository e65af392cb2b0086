#include "support/chakra_bytes.hpp"

#include <zlib.h>

#include <stdexcept>

namespace orrery::core::test {
namespace {

std::string tag(std::uint32_t field, unsigned wire) {
  return varint(std::uint64_t{field} << 3 | wire);
}

template <class T>
std::string little_endian(T value) {
  std::string out;
  for (std::size_t i = 0; i < sizeof(T); ++i) out += static_cast<char>(value >> (8 * i) & 0xff);
  return out;
}

}  // namespace

std::string varint(std::uint64_t value) {
  std::string out;
  for (; value > 0x7f; value >>= 7) out += static_cast<char>(0x80 | (value & 0x7f));
  return out + static_cast<char>(value);
}

std::string number_field(std::uint32_t field, std::uint64_t value) {
  return tag(field, 0) + varint(value);
}
std::string bytes_field(std::uint32_t field, const std::string& bytes) {
  return tag(field, 2) + record(bytes);
}
std::string fixed32_field(std::uint32_t field, std::uint32_t value) {
  return tag(field, 5) + little_endian(value);
}
std::string fixed64_field(std::uint32_t field, std::uint64_t value) {
  return tag(field, 1) + little_endian(value);
}

std::string record(const std::string& message) {
  return varint(message.size()) + message;
}
std::string trace_bytes(const std::string& records) {
  return record(bytes_field(1, "0.0.4")) + records;
}

std::string attribute(const std::string& name, const std::string& value) {
  return bytes_field(10, bytes_field(1, name) + value);
}

std::string gzip(const std::string& bytes) {
  constexpr int as_gzip = 16, memory_level = 8;
  z_stream zlib = {};
  if (deflateInit2(&zlib, Z_BEST_SPEED, Z_DEFLATED, as_gzip + MAX_WBITS, memory_level, Z_DEFAULT_STRATEGY) !=
      Z_OK)
    throw std::runtime_error("zlib failed");
  std::string input = bytes, out(deflateBound(&zlib, bytes.size()), '\0');
  zlib.next_in = reinterpret_cast<Bytef*>(input.data());
  zlib.avail_in = static_cast<uInt>(input.size());
  zlib.next_out = reinterpret_cast<Bytef*>(out.data());
  zlib.avail_out = static_cast<uInt>(out.size());
  deflate(&zlib, Z_FINISH);
  out.resize(zlib.total_out);
  deflateEnd(&zlib);
  return out;
}

}  // namespace orrery::core::test
