// Reads the key for the buffer of a switch, which all its ports share.
#pragma once

#include <cstdint>

#include "base/input/keys.hpp"

namespace orrery::core {

// Throws InputError where the size is zero or more than 2 GiB.
inline std::uint64_t switch_buffer(const InputNode& node, const KeyFacts& key) {
  constexpr std::uint64_t largest = std::uint64_t{2} << 30;
  const std::uint64_t bytes = bytes_of(node, key.name).count();
  if (bytes == 0 || bytes > largest) reject_value(node, key.name, "a size above 0, up to 2 GiB");
  return bytes;
}

template <auto member>
inline constexpr auto switch_buffer_key = key::declared<switch_buffer, KeyType::size, member>(
                                              "buffer", "that of [`packets`](inputs/packets.md)",
                                              "size of a switch's buffer, which its ports share; it counts "
                                              "where packets are simulated whose links have "
                                              "neither credits nor queues of their own")
                                              .of("size, up to 2 GiB")
                                              .trying("16 MiB|64 MiB")
                                              .better(Better::more)
                                              .hardware();

}  // namespace orrery::core
