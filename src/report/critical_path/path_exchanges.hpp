// Shows which collectives and messages are on the critical path of a run, and why they take their time.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "base/units/rank_id.hpp"
#include "report/critical_path/path_report.hpp"
#include "simulate/collectives/collective_policies.hpp"
#include "simulate/recording.hpp"

namespace orrery::core {

// Asks whoever carries out collectives what these and messages consist of by themselves, and asks once about
// those that are alike.
class ExchangeCosts {
 public:
  // Keeps references.
  ExchangeCosts(const Program& program, const Machine& machine)
      : explainer_(collective_policy_of(program, machine).explain(program, machine)) {}

  // Return what CollectiveExplainer does.
  const ExchangeCost& of(std::uint32_t part, const CollectiveRequest& request, int dimension) {
    const auto [found, is_new] = known_.try_emplace(
        {part, request.kind, request.size, request.dimensions.to_ulong(), request.communicator, dimension});
    if (is_new) found->second = explainer_->of(part, request, dimension);
    return found->second;
  }
  ExchangeCost of_message(RankId source, RankId destination, Bytes bytes) {
    return explainer_->of_message(source, destination, bytes);
  }

 private:
  using Key = std::tuple<std::uint32_t, CollectiveKind, Bytes, unsigned long, std::uint32_t, int>;

  const std::unique_ptr<CollectiveExplainer> explainer_;
  std::map<Key, ExchangeCost> known_;
};

// Collectives of one dimension that are alike, or messages that are alike.
struct PathExchange {
  std::string_view run, part, layer, pass;
  std::string_view collective;  // its kind, or "message"
  std::string_view group, dimension;
  Bytes size;
  // Times on the path: while it is under way, and while it waits for something that is not known.
  Time time, queue;
  double share = 0;                   // share of the path that both take
  double count = 0;                   // how many of them are on the path
  double phases = 0;                  // number of their phases on the path, or of messages
  bool within = false;                // they are within computations, which hide part of them
  ExchangeCost cost;                  // cost of each by itself
  std::optional<Time> turn;           // time that a chunk waits for its turn in the dimension, on average
  std::string link;                   // the busiest link that they pass
  std::optional<double> use;          // share of the run in which that link is busy
  std::optional<std::size_t> others;  // most messages that share a link with one of them
  // The rank that came last to one of them, with the longest delay after the first.
  std::optional<RankId> late_rank;
  Time late;
  std::string late_after;  // what that rank did until then

  // Return the shares of the time on the path that bytes take on the busiest link, and that latency takes.
  // None: it is not known.
  std::optional<double> bytes_share() const;
  std::optional<double> latency_share() const;
};
extern const Table<PathExchange> path_exchange_table;

// Returns the rows. The one that takes longest comes first.
std::vector<PathExchange> path_exchanges(const PathContext& context, const std::vector<PathStep>& path,
                                         const Machine& machine, const Recording& recording);

// Returns the communication on the path, divided by the busiest link that it passes.
std::vector<PathShare> link_shares(const PathContext& context, const std::vector<PathExchange>& exchanges);

// Says in a few words what takes most of the time.
std::string reason_of(const PathExchange& exchange);

// Returns a table for a terminal.
std::string path_exchanges_text(const std::vector<PathExchange>& exchanges);

}  // namespace orrery::core
