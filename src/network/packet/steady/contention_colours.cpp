#include "network/packet/steady/contention_colours.hpp"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "base/random.hpp"

namespace orrery::core {
namespace {

std::uint64_t mix(std::uint64_t a, std::uint64_t b) {
  return Random(a * 0x100000001b3ull ^ b).next();
}

struct ColouredLink {
  std::uint64_t kind = 0;
  std::uint64_t users = 0;  // sum over the flows that use it, so that their order does not count
  std::uint64_t colour = 0;
};

class Colouring {
 public:
  Colouring(std::span<const ColouredFlow> flows, const std::function<std::uint64_t(LinkId)>& link_kind)
      : flows_(flows) {
    for (const ColouredFlow& flow : flows) {
      const SteadyRoute& route = *flow.route;
      const std::uint64_t window = mix(route.facts.window, static_cast<std::uint64_t>(route.facts.rtt));
      colours_.push_back(mix(window, mix(flow.flows, static_cast<std::uint64_t>(route.priority))));
      for (const auto* links : {&route.links.data, &route.links.acks})
        for (const LinkId link : *links)
          if (const auto [place, is_new] = links_.try_emplace(link); is_new)
            place->second.kind = link_kind(link);
    }
  }

  std::vector<std::uint64_t> run() {
    for (std::size_t before = 0; count() > before;) {
      before = count();
      refine();
    }
    return std::move(colours_);
  }

 private:
  std::size_t count() const { return std::unordered_set(colours_.begin(), colours_.end()).size(); }

  template <class Visit>  // (place on the way, link)
  static void visit(const PacketRoutes& routes, const Visit& visit_link) {
    constexpr std::uint64_t acks = 1u << 16;
    for (std::size_t i = 0; i < routes.data.size(); ++i) visit_link(i, routes.data[i]);
    for (std::size_t i = 0; i < routes.acks.size(); ++i) visit_link(acks + i, routes.acks[i]);
  }

  void refine() {
    for (auto& [id, link] : links_) link.users = 0;
    for (std::size_t i = 0; i < flows_.size(); ++i)
      visit(flows_[i].route->links,
            [&](std::uint64_t place, LinkId link) { links_[link].users += mix(colours_[i], place); });
    for (auto& [id, link] : links_) link.colour = mix(link.kind, link.users);
    for (std::size_t i = 0; i < flows_.size(); ++i)
      visit(flows_[i].route->links,
            [&](std::uint64_t, LinkId link) { colours_[i] = mix(colours_[i], links_[link].colour); });
  }

  std::span<const ColouredFlow> flows_;
  std::vector<std::uint64_t> colours_;
  std::unordered_map<LinkId, ColouredLink> links_;
};

}  // namespace

std::vector<std::uint64_t> contention_colours(std::span<const ColouredFlow> flows,
                                              const std::function<std::uint64_t(LinkId)>& link_kind) {
  return Colouring(flows, link_kind).run();
}

}  // namespace orrery::core
