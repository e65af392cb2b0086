// The ways of making up for lost packets that users can choose. A new one is a ReliabilityKind in a file of
// its own, and a line here.
#pragma once

#include <array>

#include "base/diagnostics/words.hpp"
#include "network/packet/reliability/reliability.hpp"

namespace orrery::core {

extern const ReliabilityKind go_back_n_reliability;
extern const ReliabilityKind selective_repeat_reliability;
extern const ReliabilityKind duplicate_acks_reliability;

inline constexpr std::array<EnumName<const ReliabilityKind*>, 3> reliability_words{{
    {"go-back-n", &go_back_n_reliability},
    {"selective-repeat", &selective_repeat_reliability},
    {"duplicate-acks", &duplicate_acks_reliability},
}};

// Returns the kind that the settings choose. Packets of a flow that go several routes may overtake one
// another.
const ReliabilityKind& reliability_of(const PacketSettings& settings, bool several_routes);

}  // namespace orrery::core
