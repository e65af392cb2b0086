// The words that the experiment file and the reports use for the settings of collectives.
#pragma once

#include <array>

#include "base/diagnostics/words.hpp"
#include "collective/plan/system_config.hpp"

namespace orrery::core {

inline constexpr std::array<EnumName<IssueOrder>, 2> issue_order_words{{
    {"lifo", IssueOrder::lifo},
    {"fifo", IssueOrder::fifo},
}};
inline constexpr std::array<EnumName<AllReduceShape>, 2> all_reduce_shape_words{{
    {"baseline", AllReduceShape::baseline},
    {"local-bandwidth-aware", AllReduceShape::local_bandwidth_aware},
}};
inline constexpr std::array<EnumName<DimensionOrder>, 4> dimension_order_words{{
    {"ascending", DimensionOrder::ascending},
    {"round-robin", DimensionOrder::round_robin},
    {"themis", DimensionOrder::themis},
    {"themis-flex", DimensionOrder::themis_flex},
}};
inline constexpr std::array<EnumName<QueueOrder>, 4> queue_order_words{{
    {"fifo", QueueOrder::fifo},
    {"alternate-kinds", QueueOrder::alternate_kinds},
    {"smallest-first", QueueOrder::smallest_first},
    {"fewest-phases-left", QueueOrder::fewest_phases_left},
}};

}  // namespace orrery::core
