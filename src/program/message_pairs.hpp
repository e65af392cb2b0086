// Says which receive gets the message of which send, where messages go from part to part.
#pragma once

#include <cstdint>
#include <vector>

#include "program/program.hpp"

namespace orrery::core {

class MessagePairs {
 public:
  using Id = ExecutionGraph::Id;
  static constexpr Id none = 0xffffffff;

  // The messages of the program must not name ranks.
  explicit MessagePairs(const Program& program);

  // Returns the receive in the graph of the send's peer that gets its message; none if nobody receives it.
  Id receive_of(std::uint32_t part, Id send) const { return other_end(part, send); }
  // Returns the send in the graph of the receive's peer whose message it gets; none if nobody sends it.
  Id send_of(std::uint32_t part, Id receive) const { return other_end(part, receive); }

 private:
  Id other_end(std::uint32_t part, Id id) const { return others_[part].empty() ? none : others_[part][id]; }

  std::vector<std::vector<Id>> others_;  // by part and operation; empty where a part has no messages
};

}  // namespace orrery::core
