#include "network/graph/foreign_network_model.hpp"

#include <fmt/format.h>

#include <utility>

#include "base/files/foreign_words.hpp"
#include "network/graph/foreign_transport.hpp"
#include "network/graph/forwarding_transport.hpp"
#include "network/network_models.hpp"
#include "topology/graph/changes/link_changes.hpp"
#include "topology/graph/relays/relaying.hpp"

namespace orrery::core {

namespace {

void check_machine(std::string_view name, const Topology& topology) {
  if (!topology.graph)
    throw InputError({},
                     fmt::format("the network model `{}` of a plug-in carries messages over the links of a "
                                 "graph; describe the network by nodes and links, or by a form (`build`)",
                                 name));
  if (topology.link_changes && !topology.link_changes->list.empty())
    throw InputError(
        {}, fmt::format("the network model `{}` of a plug-in knows no links that change during a run; leave "
                        "the changes out, or use the network model `fluid`",
                        name));
}

}  // namespace

ForeignNetworkModel::ForeignNetworkModel(std::string name, Begin begin)
    : name_(std::move(name)), begin_(std::move(begin)) {
  kind_.name = name_;
  kind_.meaning = "a plug-in carries messages";
  kind_.carries_collectives = true;
  kind_.remembers = [](const PacketSettings*) { return true; };
  kind_.make = [this](const TransportMachine& machine, EventLoop& loop) -> std::unique_ptr<Transport> {
    auto messages = std::make_unique<ForeignTransport>(name_, begin_, machine.topology, loop);
    if (relaying_of(machine.topology) == Relaying::never) return messages;
    return std::make_unique<ForwardingTransport>(machine.topology, std::move(messages), loop);
  };
  kind_.check = [this](const Topology& topology, const Dialect&) { check_machine(name_, topology); };
}

NetworkModel find_network_model(std::string_view word, const Extensions& extensions) {
  return find_kind<ForeignNetworkModelEntry>(network_model_words, word, extensions).value_or(nullptr);
}

std::vector<std::string_view> all_network_model_words(const Extensions& extensions) {
  return all_words<ForeignNetworkModelEntry>(network_model_words, extensions);
}

}  // namespace orrery::core
