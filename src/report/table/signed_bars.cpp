#include "report/table/signed_bars.hpp"

#include <algorithm>
#include <cmath>

#include "base/text/readable.hpp"
#include "report/table/table.hpp"

namespace orrery::core {

namespace {

std::string bar_of_change(Time change, Time largest, bool unicode) {
  constexpr std::size_t width = 8;
  if (largest == Time()) return {};
  const double share = std::abs(change.ns()) / largest.ns();
  const auto length = static_cast<std::size_t>(std::lround(share * static_cast<double>(width)));
  const std::string bar = bar_of(share, width, unicode);
  const std::string none(width - length, ' '), all(width, ' ');
  return change < Time() ? none + bar + "|" : all + "|" + bar;
}

}  // namespace

std::string with_sign(Time change) {
  if (change == Time()) return "0 s";
  return change < Time() ? "-" + readable(Time() - change) : "+" + readable(change);
}

std::vector<std::string> signed_bars(const std::vector<Time>& changes, bool unicode) {
  Time largest;
  for (const Time change : changes) largest = std::max(largest, Time::from_ps(std::abs(change.ps())));
  std::vector<std::string> bars;
  for (const Time change : changes) bars.push_back(bar_of_change(change, largest, unicode));
  return bars;
}

}  // namespace orrery::core
