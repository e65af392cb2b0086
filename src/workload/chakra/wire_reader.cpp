#include "workload/chakra/wire_reader.hpp"

#include <algorithm>

namespace orrery::chakra {

bool read_long_varint(const char*& at, const char* end, std::uint64_t& value) {
  const std::size_t most = std::min(static_cast<std::size_t>(end - at), most_varint_bytes);
  std::uint64_t number = 0;
  for (std::size_t byte = 0; byte < most; ++byte) {
    const auto seven = static_cast<unsigned char>(at[byte]);
    number |= std::uint64_t{seven & 0x7fu} << (7 * byte);
    if (seven < 0x80) {
      at += byte + 1;
      value = number;
      return true;
    }
  }
  return false;
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

}  // namespace orrery::chakra
