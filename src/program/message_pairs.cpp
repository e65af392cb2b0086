#include "program/message_pairs.hpp"

#include <map>
#include <tuple>

namespace orrery {

// The n-th receive with some tag gets the n-th send of that tag.
MessagePairs::MessagePairs(const Program& program) : others_(program.parts.size()) {
  using Channel = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>;  // sender, receiver, tag
  std::map<Channel, std::vector<Id>> receives;
  for (std::uint32_t part = 0; part < program.parts.size(); ++part) {
    const ExecutionGraph& graph = program.parts[part].graph;
    for (Id id = 0; id < graph.size(); ++id) {
      if (!is_message(graph.kind(id))) continue;
      if (others_[part].empty()) others_[part].assign(graph.size(), none);
      if (graph.kind(id) != OperationKind::receive) continue;
      const MessageEnd& message = graph.message(id);
      receives[{message.peer, part, message.tag}].push_back(id);
    }
  }
  std::map<Channel, std::size_t> sent;
  for (std::uint32_t part = 0; part < program.parts.size(); ++part) {
    const ExecutionGraph& graph = program.parts[part].graph;
    for (Id id = 0; id < graph.size(); ++id) {
      if (graph.kind(id) != OperationKind::send) continue;
      const MessageEnd& message = graph.message(id);
      const Channel channel{part, message.peer, message.tag};
      const std::size_t number = sent[channel]++;
      const auto found = receives.find(channel);
      if (found == receives.end() || number >= found->second.size()) continue;
      others_[part][id] = found->second[number];
      others_[message.peer][found->second[number]] = id;
    }
  }
}

}  // namespace orrery
