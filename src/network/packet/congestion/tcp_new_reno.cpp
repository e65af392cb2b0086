// TCP's congestion control of RFC 5681 and 6582: in a round trip the window grows by a packet, and a loss
// halves it.
#include "network/packet/congestion/congestion_kinds.hpp"
#include "network/packet/congestion/tcp_window.hpp"

namespace orrery::core {
namespace {

class NewReno final : public TcpWindow {
 public:
  using TcpWindow::TcpWindow;

 private:
  double avoid(const Sender&, double window, double packets, Stamp, Stamp) override {
    return window + packets / window;
  }
  double after_loss(const Sender& sender, double) override { return half_of_flight(sender); }
};

constexpr std::string_view tcp_new_reno_keys[] = {"initial-window"};

}  // namespace

const CongestionKind tcp_new_reno_control{
    .name = "tcp-new-reno", .own_window = true, .keys = tcp_new_reno_keys, .make = make_control<NewReno>};

}  // namespace orrery::core
