// Labels that hosts write into packets, such as the source port of UDP, and by which switches choose their
// routes. A flow uses every label once, in an order that chance makes anew each time.
#pragma once

#include <numeric>
#include <utility>
#include <vector>

#include "base/random.hpp"
#include "network/packet/flow_states.hpp"
#include "network/packet/settings/packet_settings.hpp"

namespace orrery::core {

class PacketLabels {
 public:
  explicit PacketLabels(const PacketSettings& settings)
      : count_(settings.labels > 0 ? settings.labels : usual_count), random_(settings.seed) {}

  void begin(const Sender& sender) { flows_.begin(sender); }
  std::uint16_t next(const Sender& sender) {
    Flow& flow = flows_[sender];
    std::uint16_t label = draw(flow);
    for (std::uint32_t skipped = 0; skipped < count_ && flow.avoided[label] > 0; ++skipped) {
      --flow.avoided[label];
      label = draw(flow);
    }
    return label;
  }
  // A packet with this label found no room, so its turn is left out once more.
  void avoid(const Sender& sender, std::uint16_t label) {
    Flow& flow = flows_[sender];
    if (label < flow.avoided.size() && flow.avoided[label] < max_avoided) ++flow.avoided[label];
  }

 private:
  static constexpr std::uint32_t usual_count = 128;
  static constexpr std::uint8_t max_avoided = 16;

  struct Flow {
    std::vector<std::uint16_t> order;
    std::vector<std::uint8_t> avoided;  // turns to leave out, by label
    std::uint32_t place = 0;
  };

  std::uint16_t draw(Flow& flow) {
    if (flow.order.empty()) {
      flow.order.resize(count_);
      flow.avoided.resize(count_);
      std::iota(flow.order.begin(), flow.order.end(), std::uint16_t{0});
      flow.place = count_;
    }
    if (flow.place == count_) {
      for (std::size_t left = count_; left > 1; --left)
        std::swap(flow.order[left - 1], flow.order[random_.next() % left]);
      flow.place = 0;
    }
    return flow.order[flow.place++];
  }

  std::uint32_t count_;
  Random random_;
  StateOfFlows<Flow> flows_;
};

}  // namespace orrery::core
