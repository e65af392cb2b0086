#include "study/sweep/run_numbers.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/diagnostics/words.hpp"
#include "base/text/token_reader.hpp"

namespace orrery::core {

void RunNumbers::add(std::size_t number) {
  if (!ranges_.empty() && ranges_.back().end == number)
    ++ranges_.back().end;
  else
    ranges_.push_back({number, number + 1});
  ++size_;
}

bool RunNumbers::contains(std::size_t number) const {
  const auto behind = std::ranges::upper_bound(ranges_, number, {}, &RunRange::begin);
  return behind != ranges_.begin() && number < std::prev(behind)->end;
}

std::string RunNumbers::text() const {
  std::string text;
  for (const RunRange& range : ranges_) {
    if (!text.empty()) text += ',';
    text += range.end == range.begin + 1 ? fmt::format("{}", range.begin)
                                         : fmt::format("{}-{}", range.begin, range.end - 1);
  }
  return text;
}

RunNumbers read_run_numbers(std::string_view text, const SourceLocation& where) {
  constexpr std::size_t most_runs = 100'000'000;  // as many combinations as a sweep goes through
  RunNumbers numbers;
  std::size_t next = 0;
  for (std::size_t begin = 0, end = 0; end != std::string_view::npos; begin = end + 1) {
    end = text.find(',', begin);
    const std::string_view range = text.substr(begin, end == std::string_view::npos ? end : end - begin);
    const std::size_t dash = range.find('-');
    const auto first = parse_unsigned(range.substr(0, dash));
    const auto last = dash == std::string_view::npos ? first : parse_unsigned(range.substr(dash + 1));
    if (!first || !last || *first < next || *last < *first || *last >= most_runs)
      throw InputError(where, backquoted(range) +
                                  " is no number of a run behind those before it, and no range of "
                                  "such; write rising numbers, such as 0-15,32,48-63");
    for (std::size_t number = *first; number <= *last; ++number) numbers.add(number);
    next = static_cast<std::size_t>(*last) + 1;
  }
  return numbers;
}

}  // namespace orrery::core
