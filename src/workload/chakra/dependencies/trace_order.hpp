// Which nodes of a trace wait for which.
#pragma once

#include <array>
#include <cstdint>

#include "base/diagnostics/words.hpp"

namespace orrery::core {

enum class TraceOrder : std::uint8_t {
  dependencies,  // as the trace's dependencies say
  recorded       // besides, each node of the device waits for the one before it in its stream, as recorded
};
inline constexpr std::array<EnumName<TraceOrder>, 2> trace_order_words{{
    {"dependencies", TraceOrder::dependencies},
    {"recorded", TraceOrder::recorded},
}};

}  // namespace orrery::core
