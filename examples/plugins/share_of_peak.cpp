// A compute model: every operator reaches the same share of what limits it, and takes some time to begin.
#include <orrery/registry.hpp>

#include <algorithm>
#include <stdexcept>

namespace {

class ShareOfPeak : public orrery::ComputeModel {
 public:
  double seconds(const orrery::Operator& op, const orrery::DeviceFacts& device) const override {
    const bool vectors_alone = std::holds_alternative<orrery::Elementwise>(op.work);
    const double compute = op.flops > 0 ? op.flops / peak(device, op.format, vectors_alone) : 0;
    const double memory = (op.bytes_read + op.bytes_written) / device.memory_bandwidth;
    return launch_seconds + std::max(compute, memory) / share;
  }

 private:
  static constexpr double launch_seconds = 5e-6, share = 0.7;

  // Formats without vector units of their own are computed in fp32.
  static double peak(const orrery::DeviceFacts& device, const std::string& format, bool vectors_alone) {
    if (!vectors_alone)
      if (const auto found = device.matrix_peak.find(format); found != device.matrix_peak.end())
        return found->second;
    for (const std::string& known : {format, std::string("fp32")})
      if (const auto found = device.vector_peak.find(known); found != device.vector_peak.end())
        return found->second;
    throw std::runtime_error(device.name + " does not compute in " + format);
  }
};

}  // namespace

extern "C" void orrery_plugin(orrery::Registry& registry) {
  registry.add<ShareOfPeak>("share-of-peak");
}
