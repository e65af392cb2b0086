#include "simulate/folding/message_looks.hpp"

#include <bit>
#include <set>
#include <unordered_map>
#include <utility>

namespace orrery::core {

namespace {

// The finalizer of SplitMix64 (base/random.hpp). Sums of such numbers tell multisets apart.
std::uint64_t mixed(std::uint64_t value) {
  value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9ull;
  value = (value ^ (value >> 27)) * 0x94d049bb133111ebull;
  return value ^ (value >> 31);
}
std::uint64_t mixed(std::uint64_t one, std::uint64_t other) {
  return mixed(mixed(one + 0x9e3779b97f4a7c15ull) + other);
}

// Returns the pairs of parts of which the first sends to the second.
std::set<std::pair<std::uint32_t, std::uint32_t>> sending_parts(const Program& program) {
  std::set<std::pair<std::uint32_t, std::uint32_t>> pairs;
  for (std::uint32_t part = 0; part < program.parts.size(); ++part) {
    const ExecutionGraph& graph = program.parts[part].graph;
    for (ExecutionGraph::Id id = 0; id < graph.size(); ++id)
      if (graph.kind(id) == OperationKind::send) pairs.insert({part, graph.message(id).peer});
  }
  return pairs;
}

}  // namespace

MessageLooks::MessageLooks(const Program& program, const Machine& machine)
    : machine_(machine),
      network_(machine.topology, machine.dialect, machine.network.slow_links),
      map_(machine.topology, machine.dialect.one_link_per_message),
      speeds_(machine.topology, machine.dialect, machine.network.slow_links),
      messages_meet_(!machine.network.model->has_known_times && !machine.dialect.overloads_links) {
  for (const auto& [from, to] : sending_parts(program)) {
    const std::vector<RankId>&senders = program.parts[from].ranks, &receivers = program.parts[to].ranks;
    for (std::size_t place = 0; place < senders.size(); ++place)
      messages_.push_back({senders[place], receivers[place], std::uint64_t{from} << 32 | to,
                           time_of(npu_of(senders[place]), npu_of(receivers[place]))});
  }
}

std::uint64_t MessageLooks::time_of(int source, int destination) const {
  if (machine_.network.model->has_known_times) return machine_.network.sends->kind_of(source, destination);
  // Times are a latency and bytes at a rate, so two sizes tell all.
  constexpr std::uint64_t many = 1 << 30;
  return mixed(std::bit_cast<std::uint64_t>(network_.duration(source, destination, Bytes())),
               std::bit_cast<std::uint64_t>(network_.duration(source, destination, Bytes(many))));
}

template <class Visit>
void MessageLooks::for_each_link(const Message& message, const Visit& visit) const {
  HopCursor cursor = map_.cursor(npu_of(message.source), npu_of(message.destination));
  do visit(map_.next_link(cursor));
  while (map_.advance(cursor));
}

std::vector<std::uint32_t> MessageLooks::of_ranks(const std::vector<std::uint32_t>& colours) const {
  const auto colour_of = [&](const Message& message) {
    return mixed(mixed(message.kind, colours[message.source.index()]),
                 mixed(colours[message.destination.index()], message.time));
  };
  std::unordered_map<Link, std::uint64_t> of_link;
  if (messages_meet_)
    for (const Message& message : messages_)
      for_each_link(message, [&](Link link) { of_link[link] += colour_of(message); });
  std::vector<std::uint64_t> looks(colours.size(), 0);
  for (const Message& message : messages_) {
    std::uint64_t met = 0;
    if (messages_meet_)
      for_each_link(message, [&](Link link) {
        const double speed =
            speeds_.bytes_per_ns(static_cast<std::size_t>(map_.dimension(link)), map_.npus(link));
        met += mixed(of_link[link], std::bit_cast<std::uint64_t>(speed));
      });
    const std::uint64_t look = mixed(colour_of(message), met);
    looks[message.source.index()] += mixed(look, 1);
    looks[message.destination.index()] += mixed(look, 2);
  }
  std::unordered_map<std::uint64_t, std::uint32_t> numbers;
  std::vector<std::uint32_t> result;
  result.reserve(looks.size());
  for (const std::uint64_t look : looks)
    result.push_back(numbers.emplace(look, static_cast<std::uint32_t>(numbers.size())).first->second);
  return result;
}

}  // namespace orrery::core
