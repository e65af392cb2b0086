// Searches depth-first for channels of given rates. Each channel takes room on the links of its ways, and the
// more channels fit, the better. The order of trial and the limits on steps are NCCL 2.27's, because they
// decide what is found.
#pragma once

#include "topology/channels/host_channels.hpp"

namespace orrery::core {

class ChannelSearch {
 public:
  // Keeps a reference.
  explicit ChannelSearch(const HostPaths& paths);

  struct Outcome {
    bool most = false;  // whether as many channels as there may be were found
    int steps_left = 0;
  };
  // Looks for channels such as `trial` describes, and replaces `best` by a better solution.
  Outcome improve(const HostChannels& trial, ChannelCounts counts, int steps, HostChannels& best);

 private:
  // How a channel chooses its GPUs: in their order, in the order of the channel before it, or by what is
  // near.
  enum class Order : std::uint8_t { by_number, repeated, free };
  static constexpr std::uint32_t none = 0xffffffff;

  std::uint32_t gpus() const { return host_.gpus; }
  HostChannel& channel() { return trial_.channels.back(); }
  std::size_t number() const { return trial_.channels.size() - 1; }

  void next_channel();
  void start_at_gpus();
  void start_at_ports();
  void enter_by(std::uint32_t port);
  // Goes on from a node to a GPU, which then has that place in the order. At step `to_port` the way leads to
  // a port.
  void try_gpu(std::uint32_t from, std::uint32_t gpu, std::uint32_t step, std::uint32_t to_port, Order order);
  void at_gpu(std::uint32_t step, std::uint32_t to_port, Order order);
  void leave_by_ports(std::uint32_t step, Order order);
  bool may_leave_by(std::uint32_t port, std::uint32_t step);
  void close_ring();
  void complete();
  std::vector<std::uint32_t> next_gpus(std::uint32_t step, std::uint32_t to_port, Order order) const;
  std::vector<std::uint32_t> neighbours_first(const std::vector<std::uint32_t>& next,
                                              std::uint32_t gpu) const;
  // Returns the ports in the order in which they are tried, for all GPUs or for one.
  std::vector<std::uint32_t> ports_for(std::uint32_t first_gpu, std::uint32_t last_gpu) const;

  [[nodiscard]] bool take(std::uint32_t from, std::uint32_t to, Rate rate);
  void give_back(std::uint32_t from, std::uint32_t to, Rate rate);
  void use(const HostPath& path, std::uint32_t from, Rate rate);
  Rate back_traffic(std::uint32_t from, const HostGraph::Link& link, Rate rate) const;
  Rate rate_between(std::uint32_t from, std::uint32_t to) const;
  bool is_better() const;

  const HostPaths& paths_;
  const HostGraph& host_;
  bool nvlink_switch_;
  std::vector<Rate> room_;       // by link
  std::vector<Rate> port_room_;  // by port, into the machine
  HostChannels trial_;
  HostChannels* best_ = nullptr;
  ChannelCounts counts_;
  int steps_ = 0;
  bool max_ = false;
};

}  // namespace orrery::core
