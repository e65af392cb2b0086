// Rates of links that NCCL 2.27 assumes, in GB/s in one direction.
#pragma once

#include <string_view>

namespace orrery::core {

// The rate of nodes that are joined without a link that the file describes.
inline constexpr double nccl_local_rate = 5000;

// Returns the rate of a PCIe link: its lanes, 16 where there are none, times 1/80 of what NCCL has for a
// speed such as "8.0 GT/s PCIe".
double nccl_pcie_rate(std::string_view speed, int lanes);

// Returns the rate of one NVLink of a GPU with a compute capability such as 90.
double nccl_nvlink_rate(int compute_capability);

// Returns the rate of one xGMI link of a GPU of AMD's, which RCCL knows by its architecture: a name such as
// "gfx942", perhaps with a suffix behind a colon, or an older number such as 910.
double rccl_xgmi_rate(std::string_view architecture);

// The rate between the two halves of a GPU that is two devices (`mlopart`).
inline constexpr double nccl_rate_of_halves = 2618;

// Returns the rate between CPUs of a kind. Family and model are those of x86.
double nccl_cpu_rate(std::string_view architecture, std::string_view vendor, int family, int model);

}  // namespace orrery::core
