// Models of how long a device takes for an operator that do not come with Orrery. The whole of one is
// examples/plugins/share_of_peak.cpp.
//
//   class Measured : public orrery::ComputeModel {
//     double seconds(const orrery::Operator& op, const orrery::DeviceFacts& device) const override { ... }
//   };
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <variant>

namespace orrery {

// A number of products, each of an M x K matrix with a K x N one: M rows of activations, N output features, K
// input features.
struct Gemm {
  std::uint64_t m = 1, n = 1, k = 1;
  std::uint64_t batch = 1;  // number of such products
};

// A convolution of `batch` images. Channels come in and filters go out, both counted over all groups.
struct Convolution {
  std::uint64_t height = 1, width = 1, channels = 1;  // of the input
  std::uint64_t filters = 1, filter_height = 1, filter_width = 1;
  std::uint64_t stride_height = 1, stride_width = 1;
  std::uint64_t pad_height = 0, pad_width = 0;  // on each side
  std::uint64_t groups = 1, batch = 1;
};

// Everything that passes over its data once, such as norms, softmax and optimizer steps.
struct Elementwise {
  double flops = 0;  // of vector units
  std::uint64_t elements_read = 0, elements_written = 0;
};

// Fused attention of all heads of all samples, whose scores stay on chip.
struct Attention {
  std::uint64_t queries = 1, keys = 1;       // of a sample
  std::uint64_t heads = 1, kv_heads = 1;     // several heads may share one head of keys and values
  std::uint64_t width = 1, value_width = 1;  // of a head
  bool causal = false;                       // the masked half of the scores is skipped
  bool backward = false;                     // the backward pass, which computes the scores again
};

// One step of a network's computation: shapes, not times.
struct Operator {
  std::string name;                                              // as in reports
  std::variant<Gemm, Convolution, Elementwise, Attention> work;  // what is computed
  std::string format;                                            // number format, such as "bf16"
  double flops = 0;  // its operations, two per multiply-accumulate, whose unit is one operation
  double bytes_read = 0, bytes_written = 0;  // to and from the device's main memory
};

// What a device's data sheet says.
struct DeviceFacts {
  std::string name;
  // Operations per second by number format, such as "bf16", where the device has any: of matrix units and of
  // all others.
  std::map<std::string, double, std::less<>> matrix_peak, vector_peak;
  double memory_bandwidth = 0;  // bytes per second
  double memory_size = 0;       // bytes
  double cache_size = 0;        // bytes; 0: not known
  int processors = 1;           // such as streaming multiprocessors
};

// Says how long operators take. A user asks for it by the key `compute-model` of a device. Several threads
// may use one.
class ComputeModel {
 public:
  virtual ~ComputeModel() = default;
  // Returns seconds, at least 0; equal parameters always give equal times. What it throws is told to the user
  // at the place of `compute-model`.
  virtual double seconds(const Operator& op, const DeviceFacts& device) const = 0;
};

}  // namespace orrery
