// Carries messages between the ranks of a machine that has no network of its own. They take the time that a
// send takes in the machine's library, and never meet.
#pragma once

#include "base/seconds.hpp"
#include "collective/library/collective_library.hpp"
#include "events/event_loop.hpp"
#include "network/network_model.hpp"

namespace orrery {

// The model of machines without a network of their own. Users cannot choose it, and the machine's library
// makes the transport.
inline constexpr NetworkModelKind sends_by_library{.name = "library"};

class LibraryTransport final : public Transport {
 public:
  // Keeps references. Nodes hold consecutive ranks.
  LibraryTransport(const CollectiveLibrary& library, EventLoop& loop) : library_(library), loop_(loop) {}

  void send(int source, int destination, Bytes bytes, const Event& delivered) override {
    const int gpus = library_.links().gpus_per_node;
    const Seconds time(library_.send_seconds(bytes.as_double(), source / gpus == destination / gpus));
    loop_.after(loop_.clock().span(time.rounded()), delivered);
  }
  std::vector<LinkUse> links(Time) const override { return {}; }

 private:
  const CollectiveLibrary& library_;
  EventLoop& loop_;
};

}  // namespace orrery
