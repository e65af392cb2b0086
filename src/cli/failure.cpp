#include "cli/failure.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/diagnostics/printable.hpp"
#include "base/diagnostics/words.hpp"

namespace orrery::core {

ExitCode exit_code_of(FailureKind kind) {
  switch (kind) {
    case FailureKind::none:
      return success;
    case FailureKind::internal:
      return internal_error;
    case FailureKind::stall:
      return stalled;
    case FailureKind::input:
    case FailureKind::stopped:
      break;
  }
  return bad_input;
}

namespace {

// Runs fail for the same reason although each has a place of its own in the experiment.
std::string_view without_place(std::string_view text) {
  constexpr std::string_view severity = "error: ";
  const std::size_t found = text.find(severity);
  return found == std::string_view::npos ? text : text.substr(found);
}

}  // namespace

bool RepeatedFailures::add(const std::string& run, const std::string& text) {
  constexpr std::size_t max_told = 3, max_named = 3;
  const auto [known, is_new] = number_of_.emplace(without_place(text), reasons_.size());
  if (is_new) reasons_.push_back({run, 0, {}, 0});
  Reason& reason = reasons_[known->second];
  if (reason.told < max_told) {
    ++reason.told;
    return true;
  }
  ++reason.count;
  if (reason.further.size() < max_named) reason.further.push_back(backquoted(run));
  return false;
}

std::vector<std::string> RepeatedFailures::lines(const std::string& experiment) const {
  std::vector<std::string> lines;
  for (const Reason& reason : reasons_) {
    if (reason.count == 0) continue;
    const std::size_t others = reason.count - reason.further.size();
    lines.push_back(printable_lines(
        fmt::format("{}: error: {} more run{} for the same reason as {}: {}{}", experiment, reason.count,
                    reason.count == 1 ? " fails" : "s fail", backquoted(reason.first),
                    fmt::join(reason.further, ", "), others > 0 ? fmt::format(" and {} more", others) : "")));
  }
  return lines;
}

ExitCode worse_of(ExitCode one, ExitCode other) {
  if (one == success || other == success) return std::max(one, other);
  return std::min(one, other);
}

}  // namespace orrery::core
