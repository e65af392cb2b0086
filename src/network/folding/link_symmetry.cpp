#include "network/folding/link_symmetry.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <functional>
#include <tuple>
#include <utility>

namespace orrery::core {
namespace {

// With more routes, looking at them would take longer than some runs.
constexpr std::size_t max_routes = 2'000'000;
constexpr std::uint64_t max_links_of_network = 4'000'000;

// Shares that differ by rounding alone are the same.
std::int64_t rounded(double share) {
  return std::llround(share * (1LL << 32));
}

// Colours links such that links of one colour have equal capacity and are passed equally often by messages of
// every kind. NPUs are equal if all messages of each kind pass equally many links of each colour. Then a fair
// rate for one message of a kind is fair for all of them.
class LinkSymmetry {
 public:
  LinkSymmetry(RoutedLinks& network, int npus, const std::vector<PeerMessages>& messages)
      : network_(network), npus_(npus), messages_(messages), passed_(network.links()) {}

  std::optional<SymmetricRoutes> fold() {
    if (!have_peers_alike()) return std::nullopt;
    for (const std::uint32_t kind : longest_first())
      if (!count(kind) || !may_be_alike(kind)) return std::nullopt;
    colour();
    SymmetricRoutes folded;
    folded.links = links();
    for (std::uint32_t kind = 0; kind < messages_.size(); ++kind) {
      if (!is_first(kind)) continue;
      if (!are_alike(kind)) return std::nullopt;
      folded.routes.emplace(messages_[kind].receiver(0), symmetric_route(kind));
    }
    return folded;
  }

 private:
  struct Passed {  // how messages of one kind pass a link
    std::uint32_t kind;
    std::uint32_t messages;
    double share;
  };
  using Look = std::pair<double, std::vector<std::tuple<std::uint32_t, std::uint32_t, std::int64_t>>>;

  // Returns, for each kind of an NPU's messages, the first kind that goes to the same peer.
  std::vector<std::uint32_t> firsts_to_peers(int npu) const {
    std::map<int, std::uint32_t> first_to;
    std::vector<std::uint32_t> firsts;
    for (std::uint32_t kind = 0; kind < messages_.size(); ++kind)
      firsts.push_back(first_to.try_emplace(messages_[kind].receiver(npu), kind).first->second);
    return firsts;
  }

  // Messages to one peer go one after the other. Returns whether the same kinds do so on all NPUs.
  bool have_peers_alike() {
    first_to_peer_ = firsts_to_peers(0);
    for (int npu = 1; npu < npus_; ++npu)
      if (firsts_to_peers(npu) != first_to_peer_) return false;
    return true;
  }
  bool is_first(std::uint32_t kind) const { return first_to_peer_[kind] == kind; }

  const Route& route(std::uint32_t kind, int npu) {
    return network_.route(npu, messages_[kind].receiver(npu));
  }

  // Returns the kinds to count, those of the longest routes first: they are least likely to be symmetric, so
  // that others need not be looked at.
  std::vector<std::uint32_t> longest_first() {
    std::vector<std::pair<std::size_t, std::uint32_t>> kinds;
    for (std::uint32_t kind = 0; kind < messages_.size(); ++kind)
      if (is_first(kind)) kinds.emplace_back(route(kind, 0).parts.size(), kind);
    std::ranges::stable_sort(kinds, std::greater<>(), &std::pair<std::size_t, std::uint32_t>::first);
    std::vector<std::uint32_t> order;
    for (const auto& [parts, kind] : kinds) order.push_back(kind);
    return order;
  }

  // Returns false where messages of the kind that was counted last pass links that they share with more
  // others of the kind than NPU 0's does. It uses the routes that were found for counting, if these were not
  // too many to keep.
  bool may_be_alike([[maybe_unused]] std::uint32_t kind) const {
    using Link = std::tuple<double, std::uint32_t, std::int64_t>;
    std::vector<Link> first, own;
    for (std::size_t begin = 0; begin < kept_.size();) {
      own.clear();
      for (const std::size_t end = begin + 1 + kept_[begin]; ++begin < end;) {
        const LinkId link(kept_[begin]);
        const Passed& passed = passed_[link.index()].back();
        own.emplace_back(network_.bytes_per_ns(link), passed.messages, rounded(passed.share));
        assert(passed.kind == kind && "counted last");
      }
      std::ranges::sort(own);
      if (first.empty()) first = own;
      if (own.size() != first.size()) return false;
      for (std::size_t i = 0; i < own.size(); ++i)
        if (std::get<1>(own[i]) != std::get<1>(first[i]) || std::get<0>(own[i]) != std::get<0>(first[i]))
          return false;
    }
    return true;
  }

  // Counts how messages of a kind pass links. Returns false as soon as one has a longer route than another.
  // Where NPUs are not symmetric, this is mostly seen from the first few, so that the look costs next to
  // nothing.
  bool count(std::uint32_t kind) {
    constexpr double by_rounding = 1e-6;
    constexpr std::size_t max_kept = 4'000'000;
    Time latency;
    double hops = 0;
    bool keeps = true;
    kept_.clear();
    for (int npu = 0; npu < npus_; ++npu) {
      const Route& route = this->route(kind, npu);
      double own_hops = 0;
      keeps = keeps && kept_.size() + route.parts.size() < max_kept;
      if (!keeps) kept_.clear();
      if (keeps) kept_.push_back(static_cast<std::uint32_t>(route.parts.size()));
      for (const Route::Part& part : route.parts) {
        std::vector<Passed>& passed = passed_[part.link.index()];
        if (passed.empty() || passed.back().kind != kind) passed.push_back({kind, 0, 0});
        ++passed.back().messages;
        passed.back().share += part.share;
        own_hops += part.share;
        if (keeps) kept_.push_back(part.link.value());
      }
      if (npu == 0) {
        latency = route.latency;
        hops = own_hops;
      } else if (route.latency != latency || std::abs(own_hops - hops) > by_rounding) {
        return false;
      }
    }
    return true;
  }

  void colour() {
    std::map<Look, std::uint32_t> numbers;
    colours_.assign(passed_.size(), 0);
    for (const LinkId link : first_ids<LinkId>(passed_.size())) {
      if (passed_[link.index()].empty()) continue;
      Look look{network_.bytes_per_ns(link), {}};
      for (const Passed& passed : passed_[link.index()])
        look.second.emplace_back(passed.kind, passed.messages, rounded(passed.share));
      const auto [known, is_new] = numbers.try_emplace(look, static_cast<std::uint32_t>(firsts_.size()));
      if (is_new) firsts_.push_back(link);
      counts_.resize(firsts_.size());
      ++counts_[known->second];
      colours_[link.index()] = known->second;
    }
  }

  // Returns how much of an NPU's message passes links of each colour, and the latency of its route.
  std::pair<std::map<std::uint32_t, std::int64_t>, Time> look_of(std::uint32_t kind, int npu) {
    const Route& route = this->route(kind, npu);
    std::map<std::uint32_t, std::int64_t> shares;
    for (const Route::Part& part : route.parts) shares[colours_[part.link.index()]] += rounded(part.share);
    return {std::move(shares), route.latency};
  }

  bool are_alike(std::uint32_t kind) {
    const auto first = look_of(kind, 0);
    for (int npu = 1; npu < npus_; ++npu) {
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

  SymmetricRoutes::Route symmetric_route(std::uint32_t kind) {
    SymmetricRoutes::Route symmetric_route;
    for (const auto& [colour, share] : look_of(kind, 0).first)
      for (const Passed& passed : passed_[firsts_[colour].index()])
        if (passed.kind == kind) symmetric_route.uses.push_back({colour, passed.messages, passed.share});
    symmetric_route.latency = route(kind, 0).latency;
    symmetric_route.bytes_per_ns = network_.most(0, messages_[kind].receiver(0));
    return symmetric_route;
  }

  std::vector<SymmetricRoutes::Links> links() const {
    std::vector<SymmetricRoutes::Links> links;
    for (std::uint32_t colour = 0; colour < firsts_.size(); ++colour) {
      links.push_back(network_.describe(firsts_[colour]));
      links.back().count = counts_[colour];
    }
    if (passed_.size() > max_listed_links) return links;
    for (const LinkId link : first_ids<LinkId>(passed_.size())) {
      if (passed_[link.index()].empty()) continue;
      SymmetricRoutes::Links ends = network_.describe(link);
      links[colours_[link.index()]].listed.emplace_back(std::move(ends.from), std::move(ends.to));
    }
    return links;
  }

  RoutedLinks& network_;
  int npus_;
  const std::vector<PeerMessages>& messages_;
  std::vector<std::uint32_t> first_to_peer_;  // by kind, the first kind to the same peers
  std::vector<std::vector<Passed>> passed_;   // by link
  std::vector<std::uint32_t> kept_;  // routes of the kind that is counted: their numbers of links, and these
  std::vector<std::uint32_t> colours_;  // by link
  std::vector<LinkId> firsts_;          // by colour
  std::vector<std::uint64_t> counts_;   // by colour
};

}  // namespace

std::optional<SymmetricRoutes> refine_link_symmetry(RoutedLinks& network, int npus,
                                                    const std::vector<PeerMessages>& messages) {
  if (network.links() > max_links_of_network || static_cast<std::size_t>(npus) * messages.size() > max_routes)
    return std::nullopt;
  return LinkSymmetry(network, npus, messages).fold();
}

}  // namespace orrery::core
