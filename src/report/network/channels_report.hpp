// Shows the channels by which NCCL would carry out collectives of all NPUs of a network, as text and as JSON.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "topology/channels/group_channels.hpp"

namespace orrery::core {

class ChannelsReport {
 public:
  // Keeps a reference to the graph. Throws InputError that names the file where there are no channels.
  ChannelsReport(const NetworkGraph& graph, const std::string& file);

  // Returns the channels of one machine of each kind, and how they go on to the next machine.
  std::string text() const;
  // Returns every hop of all channels.
  nlohmann::ordered_json json() const;

 private:
  std::string channels_on(std::size_t host, const HostChannels& of) const;
  std::string between_machines() const;
  nlohmann::ordered_json json_of(const std::vector<ChannelHop>& hops) const;
  const std::string& name(NodeId node) const { return graph_.node(node).name; }

  const NetworkGraph& graph_;
  GroupChannels channels_;
};

}  // namespace orrery::core
