// CUBIC: Xu, Ha, Rhee, Goel and Eggert, "CUBIC for Fast and Long-Distance Networks", RFC 9438. After a loss
// the window grows along a cubic function of time, flat around the window of the loss, or as an additive
// increase of the same mean would have it grow, where that is faster.
#include <cmath>

#include "network/packet/congestion/congestion_kinds.hpp"
#include "network/packet/congestion/tcp_window.hpp"

namespace orrery::core {
namespace {

constexpr double cubic_c = 0.4;     // packets / s^3
constexpr double cubic_beta = 0.7;  // of a window that a loss leaves

class Cubic final : public TcpWindow {
 public:
  using TcpWindow::TcpWindow;

  void begin(Sender& sender) override {
    epochs_.begin(sender);
    TcpWindow::begin(sender);
  }

 private:
  struct Epoch {
    bool began = false;
    Stamp start = 0;
    double most = 0;      // the window of the last loss
    double k = 0;         // s until the window is as large again
    double estimate = 0;  // of the window of an additive increase
    double prior = 0;     // the window before the last loss
  };

  void begin_avoidance(const Sender& sender) override { epochs_[sender].began = false; }

  double after_loss(const Sender& sender, double window) override {
    Epoch& epoch = epochs_[sender];
    epoch.most = window < epoch.most ? window * (1 + cubic_beta) / 2 : window;
    epoch.prior = window;
    return window * cubic_beta;
  }

  double avoid(const Sender& sender, double window, double packets, Stamp rtt, Stamp now) override {
    Epoch& epoch = epochs_[sender];
    if (!epoch.began) {
      epoch.began = true;
      epoch.start = now;
      epoch.most = std::max(epoch.most, window);
      epoch.k = std::cbrt((epoch.most - window) / cubic_c);
      epoch.estimate = window;
    }
    const double t = static_cast<double>(now - epoch.start) * 1e-12;
    const double increase = epoch.estimate < epoch.prior ? 3 * (1 - cubic_beta) / (1 + cubic_beta) : 1;
    epoch.estimate += increase * packets / window;
    if (at(epoch, t) < epoch.estimate) return std::max(window, epoch.estimate);
    constexpr double max_growth = 1.5;
    const double target =
        std::clamp(at(epoch, t + static_cast<double>(rtt) * 1e-12), window, max_growth * window);
    return window + (target - window) / window * packets;
  }

  static double at(const Epoch& epoch, double t) { return cubic_c * std::pow(t - epoch.k, 3) + epoch.most; }

  StateOfFlows<Epoch> epochs_;
};

constexpr std::string_view tcp_cubic_keys[] = {"initial-window"};

}  // namespace

const CongestionKind tcp_cubic_control{
    .name = "tcp-cubic", .own_window = true, .keys = tcp_cubic_keys, .make = make_control<Cubic>};

}  // namespace orrery::core
