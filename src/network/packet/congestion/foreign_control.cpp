#include "network/packet/congestion/foreign_control.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "base/diagnostics/diagnostics.hpp"
#include "network/packet/congestion/congestion_kinds.hpp"
#include "network/packet/flow_states.hpp"

namespace orrery::core {

class ForeignControl::Control final : public CongestionControl {
 public:
  explicit Control(const CongestionParts& parts)
      : settings_(parts.settings),
        kind_(static_cast<const Kind&>(*parts.settings.kind)),
        payload_(parts.payload) {}

  void begin(Sender& sender) override { flows_.begin(sender) = kind_.begin(sender, payload_); }
  void acknowledged(Sender& sender, const Acknowledgement& ack, Stamp now) override {
    set_rate(sender, flows_[sender]->acknowledged(sender, ack, now));
  }
  void lost(Sender& sender, Stamp now) override { set_rate(sender, flows_[sender]->lost(sender, now)); }
  void timed_out(Sender& sender, Stamp now) override { lost(sender, now); }
  void end(Sender& sender) override { flows_[sender].reset(); }

 private:
  void set_rate(Sender& sender, double rate) const {
    if (!std::isfinite(rate) || rate < 0)
      throw InputError({fmt::format("congestion control {} of a plug-in", kind_.name)},
                       fmt::format("it has a flow send at {} bytes per second", rate / 8));
    const auto line = static_cast<double>(sender.line_rate);
    sender.rate = std::max(std::min(settings_.min_rate, sender.line_rate),
                           static_cast<std::uint64_t>(std::min(rate, line)));
  }

  const CongestionSettings& settings_;
  const Kind& kind_;
  std::uint32_t payload_;
  StateOfFlows<std::unique_ptr<ForeignFlow>> flows_;
};

namespace {

constexpr std::array<std::string_view, 1> foreign_control_keys{"least-rate"};

}  // namespace

ForeignControl::ForeignControl(std::string name, bool needs_marks, Begin begin) : name_(std::move(name)) {
  kind_.name = name_;
  kind_.recovers_slowly = true;  // as nobody knows better
  kind_.keys = foreign_control_keys;
  if (needs_marks) kind_.marks = dctcp_control.marks;
  kind_.make = make;
  kind_.begin = std::move(begin);
}

std::unique_ptr<CongestionControl> ForeignControl::make(const CongestionParts& parts) {
  return std::make_unique<Control>(parts);
}

}  // namespace orrery::core
