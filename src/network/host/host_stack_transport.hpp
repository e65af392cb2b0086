// Messages pass a host's stack on their way to the network and from it (docs/models/host-stacks.md).
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "base/containers/numbered.hpp"
#include "events/event_loop.hpp"
#include "network/carried_transport.hpp"
#include "network/host/host_stack.hpp"
#include "topology/topology.hpp"

namespace orrery::core {

// Servers with one queue, such as cores and copy engines, serve jobs in the order in which they come.
class Servers {
 public:
  struct Job {  // the next segment of a message in a stage
    std::uint32_t message, stage;
  };

  explicit Servers(int count) : free_(count) {}

  // Returns whether the job is served at once. Otherwise it waits.
  bool enter(const Job& job) {
    if (free_ > 0) {
      --free_;
      return true;
    }
    waiting_.push_back(job);
    return false;
  }
  // Called when a job has been served. Returns the job that is served now in its place.
  std::optional<Job> leave() {
    if (waiting_.empty()) {
      ++free_;
      return std::nullopt;
    }
    const Job next = waiting_.front();
    waiting_.pop_front();
    return next;
  }

 private:
  int free_;
  std::deque<Job> waiting_;
};

// A long message is cut into at most 64 segments of whole packets. Segments of one message pass each stage
// one behind the other, and messages take turns by segment. The work of cores, cards and copies is reported
// among the links, as belonging to the machine's outermost dimension.
class HostStackTransport final : public CarriedTransport, public EventHandler {
 public:
  // Keeps a reference to the loop. With `one_for_all`, NPU 0 sends what all `npus` send at the same time, and
  // so receives what is sent to its peers.
  HostStackTransport(std::shared_ptr<const HostStack> stack, std::unique_ptr<Transport> carrier,
                     EventLoop& loop, int npus, int outermost_dimension, bool one_for_all);

  // Nobody is told of acknowledgements, which are left to the card or the kernel.
  void send_with(const MessageService& service, int source, int destination, Bytes bytes,
                 const Event& delivered) override;
  bool acknowledges() const override { return false; }
  std::vector<LinkUse> links(Time now) const override;

  void handle(const Event& event) override;

 private:
  enum Stage : std::uint16_t {
    copy_out,
    handing_over,
    sending_core,
    reading,
    network,
    writing,
    receiving_core,
    copy_in
  };
  static constexpr std::size_t stages = copy_in + 1;
  static constexpr std::uint16_t asks = stages;  // an event that is not of a stage
  // An NPU has servers of these kinds. Stages of one kind share them.
  enum Kind : std::uint8_t { outward_copies, proxies, cores, reads, writes, inward_copies };
  static constexpr std::size_t kinds = inward_copies + 1;

  struct Message {
    MessageService service;
    int source, destination;
    Bytes bytes, segment;  // all segments but the last are of size `segment`
    Event delivered;
    std::uint32_t segments;
    // Number of segments that have come to each stage, and to the end.
    std::array<std::uint32_t, stages + 1> arrived = {};
    std::array<std::uint32_t, stages> passed = {};
    std::array<bool, stages> busy = {};
  };
  struct Work {
    double busy_ns = 0;
    LinkLoad load;
    auto operator<=>(const Work&) const = default;
  };
  struct Server {
    Servers servers;
    Work work;
  };

  struct Asking {                 // a request for a server
    std::uint32_t object, extra;  // of the event of the message's delivery
    Stage stage;
    std::uint32_t number;
    auto operator<=>(const Asking& other) const {
      return std::tie(object, extra, stage) <=> std::tie(other.object, other.extra, other.stage);
    }
    bool operator==(const Asking& other) const { return (*this <=> other) == 0; }
  };

  static Kind kind_of(Stage stage);
  bool inside_host(int source, int destination) const;
  static std::string name_of(Kind kind);
  static Bytes bytes_of(const Message& message, std::uint32_t segment);
  bool keeps_busy(Stage stage) const;
  double service_ns(const Message& message, Stage stage) const;  // time for its next segment
  Server& server(const Message& message, Stage stage);
  void arrive(std::uint32_t number, std::size_t stage);
  void enter(std::uint32_t number, Stage stage);
  void admit();
  void serve(std::uint32_t number, Stage stage);
  void leave(std::uint32_t number, Stage stage);

  std::shared_ptr<const HostStack> stack_;
  EventLoop& loop_;
  std::uint16_t handler_;
  int npus_, dimension_;
  bool one_for_all_;
  Numbered<Message> messages_;
  std::map<std::pair<int, Kind>, Server> servers_;  // of NPUs
  std::vector<Asking> asking_;                      // requests in this instant
};

}  // namespace orrery::core
