#include "api/problems.hpp"

#include <ostream>
#include <string_view>

#include "base/diagnostics/unreachable.hpp"
#include "base/diagnostics/words.hpp"

namespace orrery {

namespace {

std::string lines_of(const Problems& problems) {
  std::string lines;
  for (const Problem& problem : problems) lines += (lines.empty() ? "" : "\n") + problem.text();
  return lines;
}

}  // namespace

std::string Problem::text() const {
  const std::string_view severity = kind == ProblemKind::internal ? "internal error: " : "error: ";
  return (place.empty() ? "" : place + ": ") + std::string(severity) + message;
}

std::ostream& operator<<(std::ostream& out, const Problem& problem) {
  return out << problem.text();
}

Error::Error(Problems problems) : std::runtime_error(lines_of(problems)), problems_(std::move(problems)) {}

namespace core {

namespace {

ProblemKind kind_of(FailureKind kind) {
  switch (kind) {
    case FailureKind::input:
      return ProblemKind::input;
    case FailureKind::stall:
      return ProblemKind::stall;
    case FailureKind::stopped:
      return ProblemKind::stopped;
    case FailureKind::internal:
    case FailureKind::none:
      break;
  }
  return ProblemKind::internal;
}

// Messages say what is wrong and, mostly behind a semicolon, what to do.
std::string hint_in(std::string_view message) {
  constexpr std::string_view between = "; ";
  const std::size_t found = message.rfind(between);
  return found == std::string_view::npos ? "" : std::string(message.substr(found + between.size()));
}

// What the program calls a flag is an option here.
std::string place_of(const SourceLocation& where) {
  const std::string place = where.text();
  const bool is_flag = place.starts_with("--") && place.find(' ') == std::string::npos;
  return is_flag ? place.substr(2) : place;
}

}  // namespace

Problem problem_of(const RunFailure& failure, const std::string& run) {
  return {kind_of(failure.kind), place_of(failure.where), failure.message, hint_in(failure.message), run};
}

Problem no_table(std::string_view name, const std::vector<std::string>& known, const std::string& run) {
  const std::vector<std::string_view> words(known.begin(), known.end());
  const std::string hint = "ask for " + alternatives(words);
  return {ProblemKind::input, "", "there is no table " + backquoted(name) + "; " + hint, hint, run};
}

Problem problem_of_exception() {
  return problem_of(failure_of(std::current_exception()));
}

}  // namespace core
}  // namespace orrery
