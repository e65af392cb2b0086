#include "simulate/messages/message_tally.hpp"

#include <utility>

#include "network/carried_transport.hpp"

namespace orrery::core {
namespace {

constexpr NetworkOptionKind tally_kind{
    .key = {"tally", "none", "counts messages"},
    .symmetry = Symmetry::watched,
    .why_not_folded = "messages are counted",
};

class TalliedTransport final : public CarriedTransport {
 public:
  TalliedTransport(std::unique_ptr<Transport> carrier, MessageTally::Counts& counts)
      : CarriedTransport(std::move(carrier)), counts_(counts) {}

  void send_with(const MessageService& service, int source, int destination, Bytes bytes,
                 const Event& delivered) override {
    ++counts_[{source, destination, bytes}];
    carrier().send_with(service, source, destination, bytes, delivered);
  }

 private:
  MessageTally::Counts& counts_;
};

}  // namespace

const NetworkOptionKind& MessageTally::kind() const {
  return tally_kind;
}

std::unique_ptr<Transport> MessageTally::around(std::unique_ptr<Transport> carrier, const Topology&,
                                                EventLoop&, bool) const {
  return std::make_unique<TalliedTransport>(std::move(carrier), counts_);
}

}  // namespace orrery::core
