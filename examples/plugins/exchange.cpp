// A collective algorithm: members of a power of two exchange all their data with one partner after the other
// ("recursive doubling"), which sends more than a ring does, but in fewer steps.
#include <orrery/registry.hpp>

#include <bit>

namespace {

class Exchange : public orrery::CollectiveAlgorithm {
 public:
  bool runs(orrery::Collective kind, std::uint32_t members) const override {
    return kind == orrery::Collective::all_reduce && std::has_single_bit(members);
  }

  // Both members of a pair send before one of them adds up what it receives: Orrery takes the order of this
  // list for an order in time, so that a member may not send what it should have sent before. So each pair
  // works in halves: the lower member adds up, and sends the sum back.
  orrery::SendList sends(orrery::Collective, std::uint32_t members) const override {
    orrery::SendList list{.chunks = 2};
    for (std::uint32_t distance = 1; distance < members; distance *= 2)
      for (std::uint32_t low = 0; low < members; ++low) {
        const std::uint32_t high = low ^ distance;
        if (low > high) continue;
        list.sends.push_back({.from = high, .to = low, .chunk = 0, .into = 0, .reduces = true});
        list.sends.push_back({.from = low, .to = high, .chunk = 1, .into = 1, .reduces = true});
        list.sends.push_back({.from = low, .to = high, .chunk = 0, .into = 0});
        list.sends.push_back({.from = high, .to = low, .chunk = 1, .into = 1});
      }
    return list;
  }
};

}  // namespace

extern "C" void orrery_plugin(orrery::Registry& registry) {
  registry.add<Exchange>("exchange");
}
