// DCTCP with a window: Bensley, Thaler, Balasubramanian, Eggert and Judd, RFC 8257. The window shrinks by
// half of the share of bytes that are marked, of which a moving average is kept.
#include "network/packet/congestion/congestion_kinds.hpp"
#include "network/packet/congestion/tcp_window.hpp"

namespace orrery::core {
namespace {

class TcpDctcp final : public TcpWindow {
 public:
  using TcpWindow::TcpWindow;

  void begin(Sender& sender) override {
    shares_.begin(sender);
    TcpWindow::begin(sender);
  }

 private:
  struct Share {
    double alpha = 1;
    double packets = 0, marked = 0;  // acknowledged in the present window, which ends here:
    std::uint64_t window_end = 0;
  };

  double avoid(const Sender&, double window, double packets, Stamp, Stamp) override {
    return window + packets / window;
  }
  double after_loss(const Sender& sender, double) override { return half_of_flight(sender); }

  void take_mark(Sender& sender, Flow& flow, const Acknowledgement& ack, double packets) override {
    Share& share = shares_[sender];
    share.packets += packets;
    if (ack.marked) share.marked += packets;
    if (ack.sequence > share.window_end) {
      if (share.packets > 0) share.alpha += settings_.gain * (share.marked / share.packets - share.alpha);
      share.packets = share.marked = 0;
      share.window_end = sender.sent;
    }
    if (!ack.marked || ack.sequence <= flow.reduced_until || sender.recovering) return;
    reduce(sender, flow, flow.window * (1 - share.alpha / 2));
    flow.reduced_until = sender.sent;
  }

  StateOfFlows<Share> shares_;
};

constexpr std::string_view tcp_dctcp_keys[] = {"initial-window", "gain"};

}  // namespace

const CongestionKind tcp_dctcp_control{
    .name = "tcp-dctcp",
    .own_window = true,
    .keys = tcp_dctcp_keys,
    .gain = 1.0 / 16,
    .marks = {.rate = 100'000'000'000, .min_bytes = 300'000, .max_bytes = 300'000, .probability = 1},
    .make = make_control<TcpDctcp>};

}  // namespace orrery::core
