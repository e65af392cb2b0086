#include "topology/graph/formats/nccl_rates.hpp"

#include "base/text/token_reader.hpp"

namespace orrery::core {
namespace {

struct RateFrom {
  int least;  // compute capability or model
  double rate;
};
constexpr RateFrom nvlink_rates[] = {{100, 40.1}, {90, 20.6}, {87, 20}, {86, 12}, {70, 20}, {0, 18}};
// The rates of Emerald Rapids, Sapphire Rapids, Skylake, and of Broadwell and earlier processors.
constexpr RateFrom intel_rates[] = {{0xcf, 40}, {0x8f, 22}, {0x55, 10}, {0, 6}};

struct LaneRate {
  double transfers, rate;  // GT/s, and 100 Mbit/s of a lane
};
constexpr LaneRate lane_rates[] = {{2.5, 15}, {5, 30}, {8, 60}, {16, 120}, {32, 240}, {64, 480}};

template <std::size_t n>
double rate_from(const RateFrom (&table)[n], int value) {
  for (const RateFrom& from : table)
    if (value >= from.least) return from.rate;
  return table[n - 1].rate;
}

}  // namespace

double nccl_pcie_rate(std::string_view speed, int lanes) {
  constexpr double unknown = 60, lanes_for_none = 16, per_gb = 80;
  double rate = unknown;
  const auto transfers = parse_real(speed.substr(0, speed.find(' ')));
  for (const LaneRate& known : lane_rates)
    if (transfers && *transfers == known.transfers) rate = known.rate;
  return (lanes == 0 ? lanes_for_none : lanes) * rate / per_gb;
}

double nccl_nvlink_rate(int compute_capability) {
  return rate_from(nvlink_rates, compute_capability);
}

// 910 was the number of gfx90a, and 940 to 942 those of gfx940 to gfx942.
double rccl_xgmi_rate(std::string_view architecture) {
  constexpr double mi300 = 48, mi200 = 36, older = 24;
  if (architecture.starts_with("gfx94") || (architecture.starts_with("94") && architecture.size() == 3))
    return mi300;
  return architecture.starts_with("gfx90a") || architecture == "910" ? mi200 : older;
}

double nccl_cpu_rate(std::string_view architecture, std::string_view vendor, int family, int model) {
  constexpr double power = 32, arm = 6, amd = 16;
  if (architecture == "ppc64") return power;
  if (architecture == "arm64") return arm;
  if (vendor == "AuthenticAMD") return amd;
  constexpr int intel_family = 6;
  return rate_from(intel_rates, family == intel_family ? model : 0);
}

}  // namespace orrery::core
