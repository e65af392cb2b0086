// Shows which collectives and messages are on the critical path of a run, and why they take their time.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "report/exchange_costs.hpp"
#include "report/path_report.hpp"
#include "simulate/recording.hpp"

namespace orrery {

// Collectives that are alike, in one dimension, or messages that are alike.
struct PathExchange {
  std::string_view run, part, layer, pass;
  std::string_view collective;  // its kind, or "message"
  std::string_view group, dimension;
  Bytes size;
  Time time, queue;                   // on the path: under way, and waiting for something that is not known
  double share = 0;                   // of the path, both
  double count = 0;                   // how many of them are on the path
  double phases = 0;                  // of theirs on the path, or messages
  bool within = false;                // computations, which hide part of them
  ExchangeCost cost;                  // of each by itself
  std::optional<Time> turn;           // that a chunk waits for its turn in the dimension, on average
  std::string link;                   // the busiest that they pass
  std::optional<double> use;          // share of the run in which it is busy
  std::optional<std::size_t> others;  // messages that share a link with one of them, at most
  std::optional<std::uint32_t> late_rank;  // who came last to one of them, the most after the first
  Time late;
  std::string late_after;  // what that rank did until then

  // Return the shares of the time on the path that bytes take on the busiest link, and latency; none where
  // that is not known.
  std::optional<double> bytes_share() const;
  std::optional<double> latency_share() const;
};
extern const Table<PathExchange> path_exchange_table;

// The row that takes longest comes first.
std::vector<PathExchange> path_exchanges(const PathContext& context, const std::vector<PathStep>& path,
                                         const Machine& machine, const Recording& recording);

// Returns what communication on the path goes to, by the busiest link that it passes.
std::vector<PathShare> link_shares(const PathContext& context, const std::vector<PathExchange>& exchanges);

// Says in a few words what takes most of its time.
std::string reason_of(const PathExchange& exchange);

// Returns a table for a terminal.
std::string path_exchanges_text(const std::vector<PathExchange>& exchanges);

}  // namespace orrery
