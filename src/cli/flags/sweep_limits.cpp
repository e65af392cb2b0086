#include "cli/flags/sweep_limits.hpp"

#include "base/diagnostics/words.hpp"
#include "base/text/quantity.hpp"
#include "base/text/token_reader.hpp"

namespace orrery::core {

SweepLimit limit_of_flag(const std::string& text) {
  if (text.empty()) return {};
  if (const auto runs = parse_unsigned(text)) return {static_cast<std::size_t>(*runs), {}};
  constexpr double ns_in_a_second = 1e9;
  if (const auto time = time_in(text)) return {{}, time->ns() / ns_in_a_second};
  throw InputError({"--limit"},
                   backquoted(text) + " is neither a number of runs nor a time, such as `10 min`");
}

RunChoice shard_of_flag(const std::string& text) {
  if (text.empty()) return {};
  const std::size_t slash = text.find('/');
  const auto number = parse_unsigned(text.substr(0, slash));
  const auto of = slash == std::string::npos ? std::nullopt : parse_unsigned(text.substr(slash + 1));
  if (!number || !of || *number < 1 || *number > *of)
    throw InputError({"--shard"},
                     backquoted(text) + " is no part of a sweep; write 2/8 for the second of eight");
  return [first = *number - 1, step = *of](std::size_t run) { return run % step == first; };
}

}  // namespace orrery::core
