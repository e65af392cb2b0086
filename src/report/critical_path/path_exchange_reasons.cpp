// Says in words what takes the time of collectives and messages on a critical path.
#include <algorithm>
#include <array>
#include <vector>

#include <fmt/format.h>

#include "report/critical_path/path_exchanges.hpp"

namespace orrery::core {

namespace {

// Returns the share of the time on the path that this many seconds of each phase make up. If computations
// hide a part of the time, or phases in different dimensions go on side by side, what there is of it is
// assumed to have the same composition as the whole.
std::optional<double> share_on_path(const PathExchange& row, const std::optional<Seconds>& of_phase) {
  const ExchangeCost& cost = row.cost;
  if (!of_phase || row.time + row.queue == Time()) return std::nullopt;
  Seconds all = *of_phase;
  if (cost.links && cost.latency) all = *cost.links / std::max(cost.phases, 1.0) + *cost.latency;
  const Seconds on_path = row.within ? Seconds() : Seconds::of(row.time + row.queue);
  const Seconds whole = std::max(on_path, all * row.phases);
  return whole > Seconds() ? of_phase->count() * row.phases / whole.count() : 0;
}

// Says with how many others messages share links, where that is known.
std::string sharing_links(std::optional<std::size_t> others) {
  if (others.value_or(0) == 0) return "sharing links";
  return fmt::format("sharing links with {}{} other{}", *others > 1 ? "up to " : "", *others,
                     *others > 1 ? "s" : "");
}

// Says what takes most of the time of collectives or messages.
std::string reason_of_shares(std::optional<double> bytes, std::optional<double> latency, bool waits,
                             bool is_message, std::optional<std::size_t> others) {
  constexpr double most = 0.6, some = 0.25;
  if (!bytes && !latency) return waits ? "waiting for turns" : "not known";
  struct Part {
    double share;
    std::string what;
  };
  std::array<Part, 3> parts{{{bytes.value_or(0), "bytes"}, {latency.value_or(0), "latency"}, {0, ""}}};
  parts[2] = {1 - parts[0].share - parts[1].share, is_message ? sharing_links(others)
                                                   : waits    ? "waiting for turns"
                                                              : "gaps and sharing"};
  std::ranges::stable_sort(parts, std::greater(), &Part::share);
  const auto words = [](const Part& part) { return fmt::format("{:.0f} % {}", 100 * part.share, part.what); };
  if (parts[0].share >= most || parts[1].share < some) return words(parts[0]);
  return fmt::format("{}, {}", words(parts[0]), words(parts[1]));
}

}  // namespace

std::optional<double> PathExchange::bytes_share() const {
  if (!cost.links) return std::nullopt;
  return share_on_path(*this, *cost.links / std::max(cost.phases, 1.0));
}

std::optional<double> PathExchange::latency_share() const {
  return share_on_path(*this, cost.latency);
}

std::string reason_of(const PathExchange& row) {
  return reason_of_shares(row.bytes_share(), row.latency_share(), row.queue > row.time,
                          row.collective == "message", row.others);
}

namespace {

std::string name_of(const PathExchange& row) {
  std::string_view where = row.dimension.empty() ? row.group : row.dimension;
  if (row.collective == "message" && row.dimension.empty()) where = row.link;
  return where.empty() ? std::string(row.collective) : fmt::format("{}, {}", row.collective, where);
}

// Exchanges of one kind in one dimension or group.
struct Communication {
  std::string name;
  const PathExchange* longest;
  Time time, queue;
  double bytes_ns = 0, latency_ns = 0;
  std::optional<std::size_t> others = {};

  std::string reason() const {
    const double all = (time + queue).ns();
    const auto share = [&](const std::optional<Seconds>& known, double ns) {
      return known && all > 0 ? std::optional(ns / all) : std::nullopt;
    };
    return reason_of_shares(share(longest->cost.links, bytes_ns), share(longest->cost.latency, latency_ns),
                            queue > time, longest->collective == "message", others);
  }
};

// Returns a sentence on who came late to one of them.
std::string late_text(const Communication& row) {
  const PathExchange& one = *row.longest;
  if (!one.late_rank) return {};
  return wrapped(fmt::format("rank {} comes up to {} later than the first to `{}`{}\n",
                             one.late_rank->value(), readable(Cell(one.late), "us"), row.name,
                             one.late_after.empty() ? "" : ", after " + one.late_after),
                 2);
}

constexpr Column<Communication> communication_columns[] = {
    {"", "", "", [](auto& row) { return std::string_view(row.name); }, "communication"},
    {"", "us", "", [](auto& row) { return row.time + row.queue; }, "on the path"},
    {"", "", "", [](auto& row) { return std::string_view(row.longest->cost.algorithm); }, "by"},
    {"", "", "", [](auto& row) { return row.reason(); }, "most of it is"},
};

}  // namespace

std::string path_exchanges_text(const std::vector<PathExchange>& exchanges) {
  constexpr std::size_t most = 10;
  std::vector<Communication> rows;
  for (const PathExchange& exchange : exchanges) {
    const std::string name = name_of(exchange);
    auto found = std::ranges::find(rows, name, &Communication::name);
    if (found == rows.end()) found = rows.insert(rows.end(), {name, &exchange, {}, {}, 0, 0});
    found->time += exchange.time;
    found->queue += exchange.queue;
    found->others = std::max(found->others, exchange.others);
    const double ns = (exchange.time + exchange.queue).ns();
    found->bytes_ns += ns * exchange.bytes_share().value_or(0);
    found->latency_ns += ns * exchange.latency_share().value_or(0);
  }
  std::ranges::stable_sort(rows, std::greater(),
                           [](const Communication& row) { return row.time + row.queue; });
  if (rows.empty()) return {};
  const std::size_t all = rows.size();
  rows.erase(rows.begin() + static_cast<std::ptrdiff_t>(std::min(all, most)), rows.end());
  std::string text = '\n' + text_of(Table<Communication>(communication_columns), rows);
  if (all > most) text += fmt::format("and {} more\n", all - most);
  for (const Communication& row : rows) text += late_text(row);
  return text;
}

}  // namespace orrery::core
