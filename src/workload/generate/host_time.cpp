#include "workload/generate/host_time.hpp"

#include <algorithm>

#include "workload/generate/gradient_buckets.hpp"

namespace orrery::core {

namespace {

class HostProcess {
 public:
  HostProcess(const HostTimes& times, int npus)
      : times_(times), npus_(times.npus > 0 ? std::min(times.npus, npus) : npus) {}

  // The time between a pass and the one before it.
  Time between_passes(int samples) const {
    return checked(times_.batch.ns() + times_.sample.ns() * samples * npus_);
  }
  Time calls(int arrays) const { return checked(times_.call.ns() * arrays * npus_); }
  Time starts(int exchanges) const { return checked(times_.exchange.ns() * exchanges * (npus_ - 1)); }
  Time evaluates() const { return checked(times_.metric.ns() * npus_); }

  // Launches the kernels of a step, and returns how long the NPU that gets each of them last waits for them.
  // No kernel starts before it is launched, and the process launches one after the other without waiting for
  // NPUs.
  Time launches(const LayerStep& step) {
    if (times_.kernel == Time()) return {};
    const double each = times_.kernel.ns() * npus_, all = each * step.kernels;
    const double compute = step.compute.ns();
    const double starts = std::max(npu_ns_, process_ns_ + each);
    const double ends = std::max(starts + compute, process_ns_ + all + compute / std::max(step.kernels, 1));
    const double waits = std::max(0.0, ends - npu_ns_ - compute);
    process_ns_ += all;
    npu_ns_ = ends;
    return checked(waits);
  }

 private:
  Time checked(double ns) const {
    if (!Time::is_input_ns(ns))
      throw InputError(times_.where,
                       "an NPU waits for its host for more than 30 days; make the times of the host smaller");
    return Time::from_ns_rounded(ns);
  }

  const HostTimes& times_;
  int npus_;
  double process_ns_ = 0, npu_ns_ = 0;  // since the pass began, without exchanges, which hold up both
};

}  // namespace

LayerTable with_host_time(LayerTable table, int npus) {
  if (!table.host || table.layers.empty()) return table;
  const LayerTable exchanged = in_buckets(table);
  HostProcess host(*table.host, npus);
  for (Layer& layer : table.layers) layer.forward.awaits_host = host.launches(layer.forward);
  for (std::size_t i = table.layers.size(); i-- > 0;) {
    Layer& layer = table.layers[i];
    layer.weight_gradient.awaits_host = host.launches(layer.weight_gradient);
    if (layer.weight_gradient.collective) layer.host_calls = host.calls(layer.arrays);
    if (exchanged.layers[i].weight_gradient.collective)
      layer.host_calls += host.starts(table.gradient_buckets ? 1 : layer.arrays);
    if (i > 0) layer.input_gradient.awaits_host = host.launches(layer.input_gradient);
  }
  table.layers.front().forward.awaits_host += host.between_passes(table.samples);
  table.evaluation = host.evaluates();
  return table;
}

}  // namespace orrery::core
