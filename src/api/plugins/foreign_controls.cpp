// Congestion controls of plug-ins.
#include <utility>

#include "api/plugins/extensions.hpp"
#include "network/packet/congestion/foreign_control.hpp"

namespace orrery::core {
namespace {

constexpr double bits = 8;  // of a byte

orrery::Time time_of(Stamp stamp) {
  return orrery::Time::picoseconds(stamp);
}

class FlowOfPlugin : public ForeignFlow {
 public:
  FlowOfPlugin(std::string what, std::unique_ptr<orrery::CongestionFlow> flow)
      : what_(std::move(what)), flow_(std::move(flow)) {
    if (!flow_)
      throw InputError({what_ + " of a plug-in"}, "it decides nothing for a flow: it returned null");
  }

  double acknowledged(const Sender& sender, const Acknowledgement& ack, Stamp now) override {
    return rate([&] {
      return flow_->acknowledged(
          {time_of(now), time_of(ack.rtt), ack.marked, sender.acknowledged, rate_of(sender)});
    });
  }
  double lost(const Sender& sender, Stamp now) override {
    return rate([&] { return flow_->lost(time_of(now), rate_of(sender)); });
  }

 private:
  static double rate_of(const Sender& sender) { return static_cast<double>(sender.rate) / bits; }
  template <class Call>
  double rate(const Call& call) const {
    return bits * call_plugin(what_, {what_ + " of a plug-in"}, call);
  }

  std::string what_;
  std::unique_ptr<orrery::CongestionFlow> flow_;
};

}  // namespace

void add_foreign_controls(const Registry& registry, Extensions& extensions) {
  for (const auto& [name, control] : registry.congestion_controls()) {
    const std::string what = "the congestion control `" + name + "`";
    const auto begin = [what, control = control](const Sender& sender, std::uint32_t payload) {
      return call_plugin(what, {what + " of a plug-in"}, [&]() -> std::unique_ptr<ForeignFlow> {
        return std::make_unique<FlowOfPlugin>(
            what, control->begin(
                      {static_cast<double>(sender.line_rate) / bits, time_of(sender.base_rtt), payload}));
      });
    };
    extensions.add(name, ForeignControlEntry(
                             std::make_shared<const ForeignControl>(name, control->needs_marks(), begin)));
  }
}

}  // namespace orrery::core
