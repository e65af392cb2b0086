#include "workload/chakra/files/wire_reader.hpp"

#include <bit>
#include <cstring>

namespace orrery::core::chakra {

namespace {

bool read_varint_by_bytes(const char*& at, const char* end, std::uint64_t& value) {
  const char* const stop = end - at < max_varint_bytes ? end : at + max_varint_bytes;
  std::uint64_t number = 0;
  for (unsigned shift = 0; at != stop; shift += 7) {
    const auto seven = static_cast<unsigned char>(*at++);
    number |= std::uint64_t{seven & 0x7fu} << shift;
    if (seven < 0x80) {
      value = number;
      return true;
    }
  }
  return false;
}

}  // namespace

// Most numbers have a few bytes, which are looked at together: the first whose highest bit is not set is the
// last one, and the others' seven bits move together, first in pairs of bytes, then of pairs, and so on.
bool read_long_varint(const char*& at, const char* end, std::uint64_t& value) {
  if (std::endian::native != std::endian::little || end - at < 8) return read_varint_by_bytes(at, end, value);
  std::uint64_t bytes;
  std::memcpy(&bytes, at, sizeof bytes);
  const std::uint64_t ends = ~bytes & 0x8080808080808080;
  if (ends == 0) return read_varint_by_bytes(at, end, value);
  bytes &= ends ^ (ends - 1);
  bytes = (bytes & 0x007f007f007f007f) | (bytes & 0x7f007f007f007f00) >> 1;
  bytes = (bytes & 0x00003fff00003fff) | (bytes & 0x3fff00003fff0000) >> 2;
  value = (bytes & 0x000000000fffffff) | (bytes & 0x0fffffff00000000) >> 4;
  at += std::countr_zero(ends) / 8 + 1;
  return true;
}

bool WireReader::skip_bytes(std::uint64_t count) {
  if (count > left()) return false;
  at_ += count;
  return true;
}

// Groups are fields between a tag that begins them and one that ends them, perhaps with groups in between.
bool WireReader::skip_value(std::uint32_t tag, int depth) {
  constexpr int deepest = 100;
  std::uint64_t number = 0;
  switch (static_cast<Wire>(tag & 7)) {
    case Wire::varint:
      return read_varint(at_, end_, number);
    case Wire::fixed64:
      return skip_bytes(sizeof(std::uint64_t));
    case Wire::bytes:
      return read_varint(at_, end_, number) && skip_bytes(number);
    case Wire::group:
      while (depth < deepest) {
        const std::uint32_t inner = read_tag();
        if (inner >> 3 == 0) return false;
        if (static_cast<Wire>(inner & 7) == Wire::group_end) return inner >> 3 == tag >> 3;
        if (!skip_value(inner, depth + 1)) return false;
      }
      return false;
    case Wire::fixed32:
      return skip_bytes(sizeof(std::uint32_t));
    case Wire::group_end:
      break;
  }
  return false;
}

void WireReader::fail(const std::string& what) const {
  throw WireError{start(), what + "; the file is damaged or no Chakra trace"};
}

}  // namespace orrery::core::chakra
