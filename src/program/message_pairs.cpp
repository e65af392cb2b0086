#include "program/message_pairs.hpp"

#include <cstddef>
#include <unordered_map>

namespace orrery::core {

namespace {

using Id = ExecutionGraph::Id;

struct BetweenParts {
  std::uint32_t sender, receiver, tag;
  bool operator==(const BetweenParts&) const = default;
};

struct HashBetweenParts {
  std::size_t operator()(const BetweenParts& between) const {
    constexpr std::uint64_t odd = 0x9e3779b97f4a7c15;
    return ((std::uint64_t{between.sender} * odd + between.receiver) * odd + between.tag) * odd;
  }
};

// Receives of messages of one tag from part to part that wait for their sends, in the order of the receiver's
// program.
struct Receives {
  std::vector<Id> ids;
  std::size_t paired = 0;
};

}  // namespace

// The n-th receive with some tag gets the n-th send of that tag.
MessagePairs::MessagePairs(const Program& program) : others_(program.parts.size()) {
  std::unordered_map<BetweenParts, Receives, HashBetweenParts> receives;
  for (std::uint32_t part = 0; part < program.parts.size(); ++part) {
    const ExecutionGraph& graph = program.parts[part].graph;
    for (Id id = 0; id < graph.size(); ++id) {
      if (!is_message(graph.kind(id))) continue;
      if (others_[part].empty()) others_[part].assign(graph.size(), none);
      const MessageEnd& message = graph.message(id);
      if (graph.kind(id) == OperationKind::receive)
        receives[{message.peer, part, message.tag}].ids.push_back(id);
    }
  }
  for (std::uint32_t part = 0; part < program.parts.size(); ++part) {
    const ExecutionGraph& graph = program.parts[part].graph;
    for (Id id = 0; id < graph.size(); ++id) {
      if (graph.kind(id) != OperationKind::send) continue;
      const MessageEnd& message = graph.message(id);
      const auto found = receives.find({part, message.peer, message.tag});
      if (found == receives.end() || found->second.paired == found->second.ids.size()) continue;
      const Id receive = found->second.ids[found->second.paired++];
      others_[part][id] = receive;
      others_[message.peer][receive] = id;
    }
  }
}

}  // namespace orrery::core
