// Says what collectives and messages consist of by themselves on a machine: their algorithm, steps, bytes and
// latency.
#pragma once

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <tuple>

#include "base/units/rank_id.hpp"
#include "base/units/seconds.hpp"
#include "collective/phase/phase_traffic.hpp"
#include "collective/plan/planner.hpp"
#include "collective/streams/plan/stream_plan.hpp"
#include "network/analytical/analytical_network.hpp"
#include "program/program.hpp"
#include "simulate/machine.hpp"

namespace orrery {

class GraphWays;

inline constexpr int most_npus_with_ways = 1 << 16;  // NPUs of a graph in which reports look for ways

struct ExchangeCost {
  std::string algorithm;  // in the words of the system or the library; empty: not known
  std::uint64_t chunks = 0;
  double phases = 1;      // phases of all chunks in the dimension
  double steps = 0;       // messages that a member sends for a chunk; for libraries, steps between nodes
  double sent_bytes = 0;  // bytes that a member sends, on average
  // `links` is the time for which its bytes keep the busiest link busy, or on graphs the slowest link on each
  // message's way. `latency` is the time that messages of one phase of a chunk take in addition, one after
  // the other. None: it is not known.
  std::optional<Seconds> links, latency;
  std::string link;  // the busiest link, in words
  // The topology's dimension that all its messages pass. It is given where each rank plans its own
  // collectives; none: they pass several.
  std::optional<std::size_t> dimension = {};
};

class ExchangeCosts {
 public:
  // Keeps references.
  ExchangeCosts(const Program& program, const Machine& machine);
  ~ExchangeCosts();

  // Returns the cost of a collective in one of all_dimensions(). With -1 it is that in all of its
  // communicator's dimensions.
  const ExchangeCost& of(std::uint32_t part, const CollectiveRequest& request, int dimension);
  // Returns the cost of a message by itself.
  ExchangeCost of_message(RankId source, RankId destination, Bytes bytes);

 private:
  ExchangeCost of_library(const CollectiveRequest& request) const;
  ExchangeCost planned(std::uint32_t part, const CollectiveRequest& request, int dimension);
  void add_phase(ExchangeCost& cost, CollectiveKind kind, const PhasePlan& phase, int npu);
  // The next two functions do the same where each rank plans its own collectives.
  ExchangeCost planned_by_rank(std::uint32_t part, const CollectiveRequest& request);
  void add_phase(ExchangeCost& cost, const StreamPhase& phase, RankId rank);
  // Adds what a member sends in an exchange. `to` says which NPU is at the other end of a step.
  using Peer = std::function<int(const ExchangeSchedule::Step&)>;
  void add_messages(ExchangeCost& cost, const ExchangeSchedule& exchange, int npu, const Peer& to);
  // Returns what a message takes without its bytes, and what its bytes take. None: no way is known.
  struct MessageCost {
    Seconds latency, bytes;
  };
  std::optional<MessageCost> cost_of_message(int source, int destination, Bytes bytes);
  bool knows_ways() const;
  Planner& planner(std::uint32_t communicator);

  using Key = std::tuple<std::uint32_t, CollectiveKind, Bytes, unsigned long, std::uint32_t, int>;

  const Program& program_;
  const Machine& machine_;
  const AnalyticalNetwork network_;
  std::map<std::uint32_t, Planner> planners_;  // by communicator
  std::optional<StreamPlanner> streams_;       // where each rank plans its own collectives
  std::optional<PhaseLoads> loads_;            // loads of dimensions; none: the network is a graph
  std::unique_ptr<GraphWays> ways_;            // ways of a graph
  std::map<Key, ExchangeCost> known_;
};

}  // namespace orrery
