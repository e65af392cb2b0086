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

  // Sends take effect in the order of the list, so that two members cannot swap the same chunk: what the
  // first one receives would change what it sends. So a pair divides its work. The lower member adds up the
  // first half of the data and sends the sum back, and the higher member does the same with the second half.
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
