#include "network/packet/slow_nics.hpp"

namespace orrery {

void SlowNics::stop(LinkId port, int priority) {
  Nic& nic = nics_[port];
  const Stamp now = links_.now();
  if (now < nic.next_stop) return;
  constexpr Stamp length = 10'000'000, gap = 1'000'000'000;
  --nic.left;
  nic.next_stop = now + length + gap;
  links_.push(now + length, PacketHappening::nic_resumes, port, static_cast<std::uint32_t>(priority));
  flow_control_.stop_sender(port, priority);
}

}  // namespace orrery
