// Says between which simulated ranks messages from part to part of a program go, and what the network carries
// for them.
#pragma once

#include <cstdint>
#include <vector>

#include "base/units/rank_id.hpp"
#include "collective/messages/messenger.hpp"
#include "program/program.hpp"
#include "topology/rank_parts.hpp"

namespace orrery::core {

// Messages name parts. A rank's message goes to the rank at the same place of the other part.
class PartMessages {
 public:
  // Keeps references. Ranks of a class send at the same times to ranks that are of one class, too.
  PartMessages(const Program& program, const RankClasses& classes, const RankParts& parts);

  // Tags tell messages apart, sizes do not.
  MessageKey key_of_send(ClassId of_class, const MessageEnd& message) const {
    return {message.tag, of_class, classes_.class_of(counterpart(of_class, message.peer)), Bytes()};
  }
  MessageKey key_of_receive(ClassId of_class, const MessageEnd& message) const {
    return {message.tag, classes_.class_of(counterpart(of_class, message.peer)), of_class, Bytes()};
  }
  MessageLoad load(ClassId of_class, const MessageEnd& message) const {
    return {npu_of(classes_.representative(of_class)),
            npu_of(counterpart(of_class, message.peer)),
            message.size,
            {.number = message.connection}};
  }

  // Returns the number of messages that all ranks send in a whole run.
  std::uint64_t count() const;

 private:
  // Returns the machine's rank at the same place of another part.
  RankId counterpart(ClassId of_class, std::uint32_t part) const {
    return program_.parts[part].ranks[place_[of_class.index()]];
  }

  const Program& program_;
  const RankClasses& classes_;
  std::vector<std::uint32_t> place_;  // among the ranks of its part, by class
};

}  // namespace orrery::core
