// Keeps messages of a channel one behind the other, whatever ways they take.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <tuple>

#include "network/transport.hpp"

namespace orrery {

class ChannelLines {
 public:
  // Returns whether a message may start at once. If not, it waits until leave() returns it. Messages of
  // channels that are for one message never wait.
  bool enter(int source, int destination, Channel channel, std::uint32_t message) {
    if (channel.for_one) return true;
    std::deque<std::uint32_t>& line = lines_[{source, destination, channel.number}];
    line.push_back(message);
    return line.size() == 1;
  }
  // The last byte of the message that started has left. Returns the one that starts now.
  std::optional<std::uint32_t> leave(int source, int destination, Channel channel) {
    if (channel.for_one) return std::nullopt;
    const auto found = lines_.find({source, destination, channel.number});
    found->second.pop_front();
    if (!found->second.empty()) return found->second.front();
    lines_.erase(found);
    return std::nullopt;
  }

 private:
  std::map<std::tuple<int, int, std::uint32_t>, std::deque<std::uint32_t>> lines_;  // by ends and number
};

}  // namespace orrery
