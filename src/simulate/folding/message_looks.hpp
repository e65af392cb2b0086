// Tells apart ranks whose messages to other parts of a program fare differently.
//
// Ranks of a part send at the same times. Their messages arrive together if their ways look alike: each takes
// as long by itself, and meets equally many messages of each kind on equally fast links. What a message meets
// is told by colours: a link has that of the messages which pass it, and a message that of the links of its
// way. Ranks whose messages have different colours are of different classes, which makes more colours, until
// no class falls apart any more.
#pragma once

#include <cstdint>
#include <vector>

#include "base/units/rank_id.hpp"
#include "network/analytical/analytical_network.hpp"
#include "network/link/link_map.hpp"
#include "network/link/link_speeds.hpp"
#include "program/program.hpp"
#include "simulate/machine.hpp"

namespace orrery::core {

class MessageLooks {
 public:
  // Keeps references. The machine's network is a list of dimensions, or its library's own links.
  MessageLooks(const Program& program, const Machine& machine);

  // Returns whether ranks of several parts exchange messages.
  bool any() const { return !messages_.empty(); }
  // Returns, by rank, the number of what its messages look like where ranks have these colours.
  std::vector<std::uint32_t> of_ranks(const std::vector<std::uint32_t>& colours) const;

 private:
  struct Message {  // from a rank of a part to the one at the same place in another
    RankId source, destination;
    std::uint64_t kind;  // both parts
    std::uint64_t time;  // the time that it takes by itself
  };
  std::uint64_t time_of(int source, int destination) const;
  template <class Visit>
  void for_each_link(const Message& message, const Visit& visit) const;

  const Machine& machine_;
  const AnalyticalNetwork network_;
  const LinkMap map_;
  const LinkSpeeds speeds_;
  bool messages_meet_;
  std::vector<Message> messages_;
};

}  // namespace orrery::core
