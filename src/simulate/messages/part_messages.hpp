// Says between which simulated ranks messages from part to part of a program go, and what the network carries
// for them.
#pragma once

#include <cstdint>
#include <vector>

#include "collective/messages/messenger.hpp"
#include "program/program.hpp"
#include "topology/rank_parts.hpp"

namespace orrery {

// Messages name parts. A rank's message goes to the rank at the same place of the other part.
class PartMessages {
 public:
  // Keeps references. Ranks of a class send at the same times to ranks that are of one class, too.
  PartMessages(const Program& program, const RankClasses& classes, const RankParts& parts);

  // Tags tell messages apart, sizes do not.
  MessageKey key_of_send(std::uint32_t rank, const MessageEnd& message) const {
    return {message.tag, rank, classes_.class_of(counterpart(rank, message.peer)), Bytes()};
  }
  MessageKey key_of_receive(std::uint32_t rank, const MessageEnd& message) const {
    return {message.tag, classes_.class_of(counterpart(rank, message.peer)), rank, Bytes()};
  }
  MessageLoad load(std::uint32_t rank, const MessageEnd& message) const {
    return {static_cast<int>(classes_.representative(rank)),
            static_cast<int>(counterpart(rank, message.peer)),
            message.size,
            {.number = message.connection}};
  }

  // Returns the number of messages that all ranks send in a whole run.
  std::uint64_t count() const;

 private:
  // Returns the machine's rank at the same place of another part.
  std::uint32_t counterpart(std::uint32_t rank, std::uint32_t part) const {
    return program_.parts[part].ranks[place_[rank]];
  }

  const Program& program_;
  const RankClasses& classes_;
  std::vector<std::uint32_t> place_;  // among the ranks of its part, by simulated rank
};

}  // namespace orrery
