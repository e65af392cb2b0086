// Says how many messages between parts or ranks share links with one another.
#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "base/units/rank_id.hpp"
#include "program/program.hpp"
#include "report/statistics/rank_times.hpp"
#include "simulate/machine.hpp"
#include "simulate/recording.hpp"

namespace orrery::core {

class MessageMeetings {
 public:
  // Keeps references. Every class of ranks is recorded.
  MessageMeetings(const Program& program, const Machine& machine, const Recording& recording);

  // Returns the most other messages that are under way over one link of a message's way while it is under
  // way. Returns none where messages do not meet on links, where each message finds a way of its own, or
  // where there are too many of them. Messages of collectives do not count.
  std::optional<std::size_t> others(RankId rank, ExecutionGraph::Id send);

 private:
  bool know_routes() const;
  void find_messages();

  const Program& program_;
  const Machine& machine_;
  const RankTimes times_;
  bool known_;  // whether ways are known
  // Whether it has looked for messages, which it does when it is first asked.
  bool has_looked_ = false;
  std::vector<Interval> under_way_;                 // by message
  std::vector<std::vector<std::uint64_t>> routes_;  // by message: the links that it passes
  std::unordered_map<std::uint64_t, std::vector<std::uint32_t>> on_link_;  // messages by link
  std::unordered_map<std::uint64_t, std::uint32_t> number_of_;             // by rank and send
};

}  // namespace orrery::core
