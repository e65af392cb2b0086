// Numbers the arrows of a timeline, both those within a process and those from a send to its receive in
// another process.
#pragma once

#include <algorithm>
#include <array>
#include <compare>
#include <cstdint>
#include <map>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/units/rank_id.hpp"
#include "program/execution_graph.hpp"
#include "simulate/recording.hpp"

namespace orrery::core {

// Arrows between slices of one process, which are named by numbers of any kind.
class Arrows {
 public:
  explicit Arrows(std::uint32_t process) : process_(process) {}

  void add(std::uint32_t from, std::uint32_t to) {
    const std::uint64_t number = std::uint64_t{process_} << 32 | ++count_;
    ends_.insert(ends_.end(), {{from, number}, {to, number}});
  }
  // Must be called when all arrows are there, before of().
  void sort() { std::ranges::sort(ends_); }
  std::vector<std::uint64_t> of(std::uint32_t slice) const {
    std::vector<std::uint64_t> numbers;
    for (auto end = std::ranges::lower_bound(ends_, slice, {}, &End::first);
         end != ends_.end() && end->first == slice; ++end)
      numbers.push_back(end->second);
    return numbers;
  }

 private:
  using End = std::pair<std::uint32_t, std::uint64_t>;

  std::uint32_t process_;
  std::uint32_t count_ = 0;
  std::vector<End> ends_;  // slice and arrow
};

// Arrows from sends to receives. The n-th receive of a rank from another with some tag gets that rank's n-th
// send with the tag.
class MessageArrows {
 public:
  struct Channel {
    std::uint32_t from, to;
    std::uint64_t tag;
    auto operator<=>(const Channel&) const = default;
  };

  // Return the arrow of the channel's next message. Each end has to come in the order of time.
  std::uint64_t sent(const Channel& channel) { return next(channel, 0); }
  std::uint64_t received(const Channel& channel) { return next(channel, 1); }

 private:
  struct Seen {
    std::uint64_t number;                   // number of the channel
    std::array<std::uint32_t, 2> messages;  // numbers of messages sent and received
  };

  std::uint64_t next(const Channel& channel, std::size_t end) {
    constexpr std::uint64_t of_messages = std::uint64_t{1} << 63;
    Seen& seen = seen_.try_emplace(channel, Seen{seen_.size(), {}}).first->second;
    return of_messages | seen.number << 32 | seen.messages[end]++;
  }

  std::map<Channel, Seen> seen_;
};

// Returns the arrow of the message that an operation sends or receives, and none for other operations. `here`
// is the part or the rank whose operation it is. Its operations come in the order of time.
inline std::optional<std::uint64_t> message_of(const Operation& operation, std::uint32_t here,
                                               MessageArrows& messages) {
  const MessageEnd& message = operation.message;
  if (operation.kind == OperationKind::send) return messages.sent({here, message.peer, message.tag});
  if (operation.kind == OperationKind::receive) return messages.received({message.peer, here, message.tag});
  return std::nullopt;
}

// Numbers things, such as arrows, from 1 in the order in which they first come.
class SmallNumbers {
 public:
  std::uint32_t of(std::uint64_t what) {
    return numbers_.try_emplace(what, static_cast<std::uint32_t>(numbers_.size() + 1)).first->second;
  }

 private:
  std::unordered_map<std::uint64_t, std::uint32_t> numbers_;
};

// Returns the number of the message of each operation of a rank that sends or receives one. It is 0 for other
// operations.
std::vector<std::uint32_t> numbers_of_messages(RankId rank, const ExecutionGraph& graph,
                                               const std::vector<Interval>& operations,
                                               MessageArrows& messages, SmallNumbers& numbers);

}  // namespace orrery::core
