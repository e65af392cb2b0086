// HPCC with a byte of telemetry: Ben Basat et al., "PINT: Probabilistic In-band Network Telemetry", SIGCOMM
// 2020. Every switch keeps a moving average of the utilization of its ports, and packets carry the largest
// one on their way, as a logarithm that is rounded up or down at random. Routes may have any number of
// switches.
#include <cmath>

#include "base/random.hpp"
#include "network/packet/congestion/congestion_kinds.hpp"
#include "network/packet/congestion/hpcc_rate.hpp"
#include "network/packet/congestion/switch_telemetry.hpp"
#include "network/packet/flow_states.hpp"

namespace orrery::core {
namespace {

// The averages are over the longest round trip of all flows that have begun.
class PortUtilizations final : public SwitchTelemetry {
 public:
  PortUtilizations(double log_base, std::uint64_t seed) : log_of_base_(std::log(log_base)), random_(seed) {}

  void note_rtt(Stamp rtt) { interval_ps_ = std::max(interval_ps_, static_cast<double>(rtt)); }
  // Reads what packets carry.
  double utilization(const Telemetry& telemetry) const {
    return std::exp(static_cast<double>(telemetry.hops[0].queue) * log_of_base_) * least;
  }

  void write(LinkId id, const PacketPort& port, Packet& packet, Telemetry& into, Stamp now) override {
    if (id.index() >= averages_.size()) averages_.resize(id.index() + 1);
    Average& average = averages_[id.index()];
    const double in_a_trip = static_cast<double>(port.rate) / 8e12 * interval_ps_;  // bytes
    const double part = std::min(static_cast<double>(now - average.at) / interval_ps_, 1.0);
    average.utilization = average.utilization * (1 - part) +
                          static_cast<double>(port.queues.bytes()) / in_a_trip * part +
                          static_cast<double>(port.bytes - average.bytes) / in_a_trip;
    // A port that was idle for longer has sent before what it sent then.
    average.utilization = std::min(average.utilization, most);
    average.at = now;
    average.bytes = port.bytes;
    const std::uint64_t code = encode(average.utilization);
    if (packet.hops == 0 || into.hops[0].queue < code) into.hops[0].queue = code;
    packet.hops = 1;
  }

 private:
  static constexpr double least = 1.0 / 1024, most = 64;
  struct Average {
    double utilization = 0;
    Stamp at = 0;
    std::uint64_t bytes = 0;  // that the port had sent
  };

  std::uint64_t encode(double utilization) {
    const double exact = std::log(std::max(utilization / least, 1.0)) / log_of_base_,
                 whole = std::floor(exact);
    return static_cast<std::uint64_t>(whole) + (random_.fraction() < exact - whole ? 1 : 0);
  }

  double log_of_base_;
  double interval_ps_ = 1;
  Random random_;
  std::vector<Average> averages_;  // by port
};

class HpccPint final : public CongestionControl {
 public:
  explicit HpccPint(const CongestionParts& parts)
      : settings_(parts.settings),
        clock_(parts.clock),
        ports_(parts.settings.pint.log_base, parts.seed),
        random_(parts.seed ^ 1) {}

  SwitchTelemetry* telemetry() override { return &ports_; }

  void begin(Sender& sender) override {
    flows_.begin(sender).control.rate = sender.rate;
    ports_.note_rtt(sender.base_rtt);
  }

  void acknowledged(Sender& sender, const Acknowledgement& ack, Stamp) override {
    if (!ack.telemetry) return;
    if (settings_.pint.share < 1 && random_.fraction() >= settings_.pint.share) return;
    Flow& flow = flows_[sender];
    const bool new_round = ack.sequence > flow.round_end;
    if (new_round) flow.round_end = std::max(flow.round_end, sender.sent);
    flow.control.utilization = ports_.utilization(*ack.telemetry);
    change_rate(sender, flow.control.next(settings_, sender, new_round), clock_);
  }

 private:
  struct Flow {
    HpccRate control;
    std::uint64_t round_end = 0;  // acknowledgements beyond this sequence number begin a new round
  };

  const CongestionSettings& settings_;
  const PacketClock& clock_;
  PortUtilizations ports_;
  Random random_;
  StateOfFlows<Flow> flows_;
};

constexpr std::string_view hpcc_pint_keys[] = {"least-rate", "increase", "utilization"};

}  // namespace

const CongestionKind hpcc_pint_control{.name = "hpcc-pint",
                                       .header_bytes = 1,
                                       .telemetry = true,
                                       .keys = hpcc_pint_keys,
                                       .make = make_control<HpccPint>};

}  // namespace orrery::core
