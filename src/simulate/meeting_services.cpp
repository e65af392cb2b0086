#include "simulate/meeting_services.hpp"

#include "collective/channels/channel_collectives.hpp"
#include "collective/library/library_collectives.hpp"

namespace orrery {

std::unique_ptr<CollectiveService> make_meeting_service(const Machine& machine, EventLoop& loop,
                                                        Transport* transport, const CollectiveRanks& ranks,
                                                        CollectiveListener& listener) {
  if (machine.library) return std::make_unique<LibraryCollectives>(loop, *machine.library, ranks, listener);
  if (!machine.system.channels) return nullptr;
  return std::make_unique<ChannelCollectives>(loop, *transport, *machine.topology.graph, ranks, listener,
                                              machine.system.channels_where);
}

}  // namespace orrery
