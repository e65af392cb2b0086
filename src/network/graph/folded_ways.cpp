#include "network/graph/folded_ways.hpp"

#include <cmath>
#include <tuple>
#include <utility>

#include "network/graph/graph_ways.hpp"
#include "network/graph/product_ways.hpp"

namespace orrery {
namespace {

// More ways would take longer to look at than some runs.
constexpr std::size_t most_ways = 2'000'000;

// Shares that differ by rounding alone are the same.
std::int64_t rounded(double share) {
  return std::llround(share * (1LL << 32));
}

// Colours links such that links of one colour do as much and are passed equally often by every kind of
// messages. NPUs fare alike when of each kind of messages all pass equally many links of each colour: then
// giving all messages of a kind one rate is fair wherever one of them is.
class LinkColours {
 public:
  LinkColours(const Topology& topology, const std::vector<PeerMessages>& messages)
      : topology_(topology), messages_(messages), ways_(topology), passed_(topology.graph->links()) {}

  std::optional<FoldedWays> fold() {
    if (!have_peers_alike()) return std::nullopt;
    for (std::uint32_t kind = 0; kind < messages_.size(); ++kind)
      if (is_first(kind)) count(kind);
    colour();
    FoldedWays folded;
    folded.links = links();
    for (std::uint32_t kind = 0; kind < messages_.size(); ++kind) {
      if (!is_first(kind)) continue;
      if (!are_alike(kind)) return std::nullopt;
      folded.ways.emplace(messages_[kind].receiver(0), way(kind));
    }
    return folded;
  }

 private:
  struct Passed {  // of one kind of messages
    std::uint32_t kind;
    std::uint32_t messages;
    double share;
  };
  using Look = std::pair<double, std::vector<std::tuple<std::uint32_t, std::uint32_t, std::int64_t>>>;

  // Returns for each kind of messages of an NPU the first one to the same peer.
  std::vector<std::uint32_t> firsts_to_peers(int npu) const {
    std::map<int, std::uint32_t> first_to;
    std::vector<std::uint32_t> firsts;
    for (std::uint32_t kind = 0; kind < messages_.size(); ++kind)
      firsts.push_back(first_to.try_emplace(messages_[kind].receiver(npu), kind).first->second);
    return firsts;
  }

  // Messages to one peer go one behind the other. Returns whether the same kinds do so on all NPUs.
  bool have_peers_alike() {
    first_to_peer_ = firsts_to_peers(0);
    for (int npu = 1; npu < topology_.npus(); ++npu)
      if (firsts_to_peers(npu) != first_to_peer_) return false;
    return true;
  }
  bool is_first(std::uint32_t kind) const { return first_to_peer_[kind] == kind; }

  std::uint32_t way_of(std::uint32_t kind, int npu) {
    return ways_.between(npu, messages_[kind].receiver(npu), {});
  }

  void count(std::uint32_t kind) {
    for (int npu = 0; npu < topology_.npus(); ++npu)
      for (const Route::Part& part : ways_[way_of(kind, npu)].route.parts) {
        std::vector<Passed>& passed = passed_[part.link];
        if (passed.empty() || passed.back().kind != kind) passed.push_back({kind, 0, 0});
        ++passed.back().messages;
        passed.back().share += part.share;
      }
  }

  void colour() {
    std::map<Look, std::uint32_t> numbers;
    colours_.assign(passed_.size(), 0);
    for (LinkId link = 0; link < passed_.size(); ++link) {
      if (passed_[link].empty()) continue;
      Look look{ways_.bytes_per_ns(link), {}};
      for (const Passed& passed : passed_[link])
        look.second.emplace_back(passed.kind, passed.messages, rounded(passed.share));
      const auto [known, is_new] = numbers.try_emplace(look, static_cast<std::uint32_t>(firsts_.size()));
      if (is_new) firsts_.push_back(link);
      counts_.resize(firsts_.size());
      ++counts_[known->second];
      colours_[link] = known->second;
    }
  }

  // Returns how much of an NPU's message passes links of each colour, and the latency of its way.
  std::pair<std::map<std::uint32_t, std::int64_t>, Time> look_of(std::uint32_t kind, int npu) {
    const Route& route = ways_[way_of(kind, npu)].route;
    std::map<std::uint32_t, std::int64_t> shares;
    for (const Route::Part& part : route.parts) shares[colours_[part.link]] += rounded(part.share);
    return {std::move(shares), route.latency};
  }

  bool are_alike(std::uint32_t kind) {
    const auto first = look_of(kind, 0);
    for (int npu = 1; npu < topology_.npus(); ++npu) {
      const auto look = look_of(kind, npu);
      if (look.second != first.second || look.first.size() != first.first.size()) return false;
      for (const auto& [colour, share] : look.first) {
        const auto other = first.first.find(colour);
        constexpr std::int64_t by_rounding = 64;
        if (other == first.first.end() || std::abs(other->second - share) > by_rounding) return false;
      }
    }
    return true;
  }

  FoldedWays::Way way(std::uint32_t kind) {
    FoldedWays::Way way;
    const GraphWays::Way& first = ways_[way_of(kind, 0)];
    for (const auto& [colour, share] : look_of(kind, 0).first)
      for (const Passed& passed : passed_[firsts_[colour]])
        if (passed.kind == kind) way.uses.push_back({colour, passed.messages, passed.share});
    way.latency = first.route.latency;
    way.bytes_per_ns = first.bytes_per_ns;
    return way;
  }

  std::vector<FoldedWays::Links> links() const {
    std::vector<FoldedWays::Links> links;
    for (std::uint32_t colour = 0; colour < firsts_.size(); ++colour) {
      const LinkId first = firsts_[colour];
      const NetworkLink& link = topology_.graph->link(first);
      links.push_back({topology_.graph->node(link.from).name, topology_.graph->node(link.to).name,
                       ways_.dimension_of(first), counts_[colour], ways_.bytes_per_ns(first)});
    }
    return links;
  }

  const Topology& topology_;
  const std::vector<PeerMessages>& messages_;
  GraphWays ways_;
  std::vector<std::uint32_t> first_to_peer_;  // by kind, the first kind to the same peers
  std::vector<std::vector<Passed>> passed_;   // by link
  std::vector<std::uint32_t> colours_;        // by link
  std::vector<LinkId> firsts_;                // by colour
  std::vector<std::uint64_t> counts_;         // by colour
};

}  // namespace

int PeerMessages::receiver(int npu) const {
  const auto size = static_cast<std::uint32_t>(group.size);
  const auto position = static_cast<std::uint32_t>(group.position(npu));
  const std::uint32_t there = exclusive_or ? position ^ amount : (position + amount) % size;
  return group.base(npu) + static_cast<int>(there) * group.stride;
}

std::optional<FoldedWays> find_folded_ways(const Topology& topology,
                                           const std::vector<PeerMessages>& messages) {
  if (const NetworkProduct* product = topology.graph.product())
    if (std::optional<FoldedWays> ways = find_product_ways(*product, messages)) return ways;
  if (static_cast<std::size_t>(topology.npus()) * messages.size() > most_ways) return std::nullopt;
  return LinkColours(topology, messages).fold();
}

}  // namespace orrery
