#include "network/make_transport.hpp"

#include "network/analytical/contention_free_transport.hpp"
#include "network/link/link_transport.hpp"

namespace orrery {

std::unique_ptr<Transport> make_transport(NetworkModel model, const Topology& topology,
                                          const Dialect& dialect, EventLoop& loop) {
  if (model == NetworkModel::link) return std::make_unique<LinkTransport>(topology, dialect, loop);
  return std::make_unique<ContentionFreeTransport>(topology, dialect, loop);
}

}  // namespace orrery
