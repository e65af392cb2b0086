// Keeps messages of a channel one behind the other, whatever routes they take.
#pragma once

#include <cstdint>
#include <list>
#include <optional>
#include <unordered_map>
#include <utility>

#include "base/random.hpp"
#include "network/transport.hpp"

namespace orrery {

class ChannelLines {
 public:
  // Returns whether a message may start at once. If not, it waits until leave() returns it. Messages of
  // channels that are for one message never wait.
  [[nodiscard]] bool enter(int source, int destination, Channel channel, std::uint32_t message) {
    if (channel.for_one) return true;
    Line& line = lines_[{source, destination, channel.number}];
    if (line.is_busy) line.waiting.push_back(message);
    return !std::exchange(line.is_busy, true);
  }
  // The last byte of the message that started has left. Returns the one that starts now.
  std::optional<std::uint32_t> leave(int source, int destination, Channel channel) {
    if (channel.for_one) return std::nullopt;
    Line& line = lines_.find({source, destination, channel.number})->second;
    line.is_busy = !line.waiting.empty();
    if (!line.is_busy) return std::nullopt;
    const std::uint32_t next = line.waiting.front();
    line.waiting.pop_front();
    return next;
  }

 private:
  struct Ends {
    int source, destination;
    std::uint32_t number;  // of the channel
    bool operator==(const Ends&) const = default;
  };
  struct Hash {
    std::size_t operator()(const Ends& ends) const {
      const auto source = static_cast<std::uint32_t>(ends.source);
      const std::uint64_t pair = std::uint64_t{source} << 32 | static_cast<std::uint32_t>(ends.destination);
      return Random(pair).next() ^ ends.number;
    }
  };
  // Lines stay when they are empty, because most channels have another message soon.
  struct Line {
    bool is_busy = false;
    std::list<std::uint32_t> waiting;
  };

  std::unordered_map<Ends, Line, Hash> lines_;
};

}  // namespace orrery
