// The kinds of parameters of a run, by how somebody gets a better value.
#pragma once

#include <array>
#include <cstdint>

#include "base/diagnostics/words.hpp"

namespace orrery::core {

// Parameters that would help a run are listed by these kinds, in this order. The declaration of every key
// that is varied says its kind, or a test fails.
enum class ParameterKind : std::uint8_t {
  none,      // the key is not varied
  hardware,  // links, network cards, devices and memories, which can be bought
  layout,    // how the training is shared among the same hardware
  software,  // what programs and their settings decide: overlap, algorithms, chunks, launch times
  fitted,    // constants of a model that were fitted to measurements, which nobody can buy or choose
};
inline constexpr std::array<EnumName<ParameterKind>, 4> parameter_kind_words{{
    {"hardware", ParameterKind::hardware},
    {"layout", ParameterKind::layout},
    {"software", ParameterKind::software},
    {"fitted", ParameterKind::fitted},
}};

}  // namespace orrery::core
