// Writes what completes command lines in shells: commands, flags, words and names behind flags, and files.
#pragma once

#include <array>
#include <string>

#include "base/diagnostics/words.hpp"
#include "cli/manual/described_command.hpp"

namespace orrery::core {

std::string bash_completion(const DescribedCommand& program);
std::string zsh_completion(const DescribedCommand& program);
std::string fish_completion(const DescribedCommand& program);

using Completion = std::string (*)(const DescribedCommand& program);

// The shells, as users name them.
inline constexpr std::array<EnumName<Completion>, 3> completion_shells{{
    {"bash", bash_completion},
    {"zsh", zsh_completion},
    {"fish", fish_completion},
}};

}  // namespace orrery::core
