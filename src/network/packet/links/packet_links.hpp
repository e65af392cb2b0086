// The links of a network of packets, with the ports that send into them. Time advances here.
#pragma once

#include <vector>

#include "base/random.hpp"
#include "network/packet/packet_events.hpp"
#include "network/packet/port.hpp"
#include "network/packet/settings/packet_settings.hpp"
#include "topology/graph/network_graph.hpp"

namespace orrery::core {

// The kinds of events, with what an event's object and `extra` are.
enum class PacketHappening : std::uint32_t {
  links_change,
  arrives,         // at the end of a link; the packet
  is_free,         // a port
  starts,          // a message that has been kept
  nic_wakes,       // a port; the number of the setting
  control_timer,   // a queue pair and its timer; the number of the setting
  deadline,        // a queue pair; the number of the setting
  nic_resumes,     // a port; the priority
  pull,            // the receiver at a port may grant its next packet
  core_is_through  // with an acknowledgement, the packet
};

// The nodes at the ends of the links.
class PacketNodes {
 public:
  // The port can send its next packet, if there is one.
  virtual void transmit(LinkId port) = 0;
  // A packet of a queue pair is lost.
  virtual void lost(std::uint32_t queue_pair) = 0;

 protected:
  ~PacketNodes() = default;
};

// A listener is told when a node begins or ceases to obey a pause, which is rare.
class PauseListener {
 public:
  virtual void obeyed(LinkId port, bool pauses, Stamp at) = 0;

 protected:
  ~PauseListener() = default;
};

// A tracer is told what happens to packets at nodes that are traced.
class PacketTracer {
 public:
  enum class What : std::uint8_t { received, queued, sent, dropped };
  // The packet comes in by a port, or is to go out by it.
  virtual void trace(What what, LinkId port, const Packet& packet, Stamp at) = 0;

 protected:
  ~PacketTracer() = default;
};

class PacketLinks {
 public:
  // Keeps references, but not to the graph, all of whose links go both ways.
  PacketLinks(const NetworkGraph& graph, const PacketSettings& settings, PacketNodes& nodes);

  Stamp now() const { return now_; }
  // Sets the time at which something happens without an event. It comes before all events of that time.
  void set_now(Stamp now) {
    now_ = now;
    order_ = 0;
  }
  const PacketClock& clock() const { return clock_; }
  Random& random() { return random_; }
  PacketPool& packets() { return packets_; }
  const PacketPool& packets() const { return packets_; }
  PacketPort& port(LinkId link) { return ports_[link.index()]; }
  const PacketPort& port(LinkId link) const { return ports_[link.index()]; }
  const std::vector<PacketPort>& ports() const { return ports_; }  // by the link that leaves there
  PacketTotals& totals() { return totals_; }
  const PacketTotals& totals() const { return totals_; }

  // Returns the time of the next event; PacketEvents::never if there is none.
  Stamp next() { return events_.next(); }
  // Returns the packet whose arrival comes so many places behind the next event in its lane. If there is
  // none, returns no_packet.
  PacketId arriving(std::uint32_t places) const {
    const PacketEvent* const event = events_.ahead(places);
    const bool arrives = event && event->what() == static_cast<std::uint32_t>(PacketHappening::arrives);
    return arrives ? event->extra : no_packet;
  }
  // Takes the next event. Its time is the present from then on.
  [[nodiscard]] PacketEvent take() {
    const PacketEvent event = events_.pop();
    now_ = event.at;
    order_ = event.order();
    return event;
  }
  std::size_t events() const { return events_.size(); }
  // Returns whether everything that was sent into a link has arrived.
  bool is_empty(LinkId link) const {
    return events_.size() == 0 || now_ > ports_[link.index()].free_at + ports_[link.index()].delay;
  }
  void push(Stamp at, PacketHappening what, std::uint32_t object, std::uint32_t extra = 0) {
    events_.push(at, marked(next_order_++, what), object, extra);
  }

  // Says that a port may have something to send.
  void kick(LinkId id) {
    PacketPort& port = ports_[id.index()];
    if (is_free(port))
      nodes_.transmit(id);
    else if (!port.free_is_coming)
      wake_when_free(id, port);
  }
  // Returns whether the transmitter of a port sends nothing now.
  bool is_free(const PacketPort& port) const {
    return port.free_at < now_ || (port.free_at == now_ && port.free_order <= order_);
  }
  // Sends a packet, which has left its queue, into the link.
  void send(LinkId port, PacketId packet);
  // Returns whether a packet that has passed a link is lost. Each call decides anew.
  bool is_lost(LinkId link) { return any_loss_ && random_.fraction() < ports_[link.index()].loss; }
  // Returns whether packets that arrive may be lost, or are traced.
  bool watches_arrivals() const { return watches_arrivals_; }
  // Counts bytes of data that are sent for a second time or more often.
  void count_resent(LinkId port, std::uint64_t bytes) {
    ports_[port.index()].resent += bytes;
    totals_.resent_bytes += bytes;
  }
  // Loses a packet at a port, with all that is known about it.
  void lose(LinkId port, PacketId packet);
  // Tells the sender at the other end of a port something about a priority.
  void ask(LinkId port, PacketKind what, int priority, std::uint64_t sequence = 0);
  // Makes a pause or its end that waits at a port, of the same priority, say this instead. Returns whether
  // one waits there.
  [[nodiscard]] bool replace_request(LinkId port, PacketKind what, int priority);

  // Keeps a reference.
  void set_pause_listener(PauseListener& listener) { pause_listener_ = &listener; }
  void note_obeyed(LinkId port, bool pauses) {
    if (pause_listener_) pause_listener_->obeyed(port, pauses, now_);
  }

  // Keeps a reference, to a tracer of these nodes.
  void set_tracer(PacketTracer& tracer, const std::vector<NodeId>& nodes);
  void trace(PacketTracer::What what, LinkId port, const Packet& packet) {
    if (tracer_ && ports_[port.index()].traced) tracer_->trace(what, port, packet, now_);
  }
  // A link breaks, or works again.
  void set_broken(LinkId link, bool broken);

 private:
  void leave_unusually(LinkId id, PacketId packet);
  void wake_when_free(LinkId id, PacketPort& port) {
    port.free_is_coming = true;
    events_.push_apart({port.free_at, marked(port.free_order, PacketHappening::is_free), id.value(), 0});
  }
  static std::uint64_t marked(std::uint64_t order, PacketHappening what) {
    return order << PacketEvent::what_bits | static_cast<std::uint64_t>(what);
  }

  const PacketSettings& settings_;
  PacketNodes& nodes_;
  PacketClock clock_;
  PacketEvents events_;
  PacketPool packets_;
  Random random_;
  std::vector<PacketPort> ports_;  // by the link that leaves there
  bool any_loss_ = false;
  bool watches_arrivals_ = false;  // some packets are lost, or traced
  Stamp now_ = 0;
  // Numbers of the event that is being handled, and of the next one.
  std::uint64_t order_ = 0, next_order_ = 1;
  PacketTotals totals_;
  PauseListener* pause_listener_ = nullptr;
  PacketTracer* tracer_ = nullptr;
};

}  // namespace orrery::core
