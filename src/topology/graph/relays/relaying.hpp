// Says when NPUs pass on messages that are meant for others.
#pragma once

#include <array>
#include <cstdint>

#include "base/diagnostics/words.hpp"

namespace orrery::core {

struct Topology;

enum class Relaying : std::uint8_t {
  never,
  where_cut,  // where neither links nor nodes that forward lead to the destination
  always      // there, and where the route over NPUs has fewer links
};

inline constexpr std::array<EnumName<Relaying>, 3> relaying_words{{
    {"never", Relaying::never},
    {"where-cut", Relaying::where_cut},
    {"always", Relaying::always},
}};

// Returns what the user asks for or, where nothing is asked, what the routing does.
Relaying relaying_of(const Topology& topology);

}  // namespace orrery::core
