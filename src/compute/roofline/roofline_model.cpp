#include "compute/roofline/roofline_model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>
#include <utility>
#include <vector>

#include "base/diagnostics/words.hpp"
#include "compute/roofline/roofline_work.hpp"

namespace orrery::core {
namespace {

// Rows that begin at multiples of this can be loaded without detours.
constexpr double aligned_bytes = 16;

// Returns 1 when rows of `elements` begin at multiples of 16 bytes, and up to `most` when they begin only at
// single elements, because loads get narrower by halves. A vector has no rows.
double misalignment(double elements, double element_bytes, double most) {
  if (elements <= 1) return 1;
  const double halvings = std::log2(aligned_bytes / element_bytes);
  double step = aligned_bytes / element_bytes, missed = 0;
  for (; step > 1 && std::fmod(elements, step) != 0; step /= 2) ++missed;
  return halvings > 0 ? 1 + (most - 1) * std::min(1.0, missed / halvings) : 1;
}

}  // namespace

double stored_bytes(Datatype type, const OperandSparsity& operand, const RooflineConstants& device) {
  constexpr double bit = 0.125;
  const double dense = bytes_of(type);
  if (operand.pattern.is_dense())
    return operand.zeros == 0 ? dense : std::min(dense, (1 - operand.zeros) * dense + bit);
  const BlockPattern& stored = device.structured_pattern;
  return std::min(dense, (1 - stored.zeros()) * (dense + stored.index_bits() * bit));
}

double computed_share(const ProductSparsity& sparsity, const RooflineConstants& device) {
  const double left = (1 - sparsity.rows.zeros) * (1 - sparsity.columns.zeros);
  const double without_zeros = 1 - device.zero_skipping * (1 - left);
  return sparsity.has_pattern() ? std::min(1 / device.structured_speedup, without_zeros) : without_zeros;
}

void require_product_peak(const Device& device, Datatype type, const SourceLocation& where) {
  if (device.product_peak(type) > 0) return;
  std::vector<std::string_view> known;
  for (const auto& word : datatype_words)
    if (device.product_peak(word.value) > 0) known.push_back(word.word);
  throw InputError(where, fmt::format("{} has no peak for {}; use {}", device.name,
                                      word_of(datatype_words, type), alternatives(known)));
}

RooflineModel::RooflineModel(Device device) : device_(std::move(device)) {
  for (const auto& [word, type] : datatype_words) {
    if (device_.product_peak(type) == 0) continue;
    const auto i = static_cast<std::size_t>(type);
    gemm_times_[i].emplace(device_, type, device_.roofline.of_products(type));
    // The constants of fp32 are measured with products, and convolutions have other kernels.
    convolution_times_[i].emplace(device_, type, device_.roofline);
  }
}

const GemmTime& RooflineModel::gemm_time(const Work& work) const {
  require_product_peak(device_, work.type, {});
  const auto& times = work.is_convolution ? convolution_times_ : gemm_times_;
  return *times[static_cast<std::size_t>(work.type)];
}

double RooflineModel::memory_seconds(double bytes) const {
  return bytes / (device_.memory_bandwidth.bytes_per_ns() * 1e9 * device_.roofline.memory_efficiency);
}

RooflineModel::Work RooflineModel::work_of(const Gemm& gemm, Datatype type) const {
  Work work;
  work.m = static_cast<double>(gemm.m);
  work.n = static_cast<double>(gemm.n);
  work.k = static_cast<double>(gemm.k);
  work.batch = static_cast<double>(gemm.batch);
  work.activations = work.batch * work.m * work.k;
  work.weights = work.batch * work.n * work.k;
  work.results = work.batch * work.m * work.n;
  work.type = type;
  return work;
}

// A convolution is computed as an implicit GEMM. The input is read once, not as often as its pixels are in a
// window.
RooflineModel::Work RooflineModel::work_of(const Convolution& c, Datatype type) const {
  Work work = work_of(product_of(c), type);
  work.activations = static_cast<double>(c.batch) * static_cast<double>(c.height) *
                     static_cast<double>(c.width) * static_cast<double>(c.channels);
  work.without_matrix_units = c.groups > 1;
  work.is_convolution = true;
  return work;
}

GemmShape RooflineModel::shape_of(const Work& work) const {
  const GemmTime& gemm = gemm_time(work);
  const RooflineConstants& constants = gemm.constants();
  GemmShape shape{work.m, work.n, work.k, work.batch};
  shape.row_operand_bytes = stored_bytes(work.type, work.sparsity.rows, constants);
  shape.column_operand_bytes =
      stored_bytes(work.stored.value_or(work.type), work.sparsity.columns, constants);
  shape.memory_seconds =
      gemm.memory_seconds(work.activations * shape.row_operand_bytes +
                          work.weights * shape.column_operand_bytes + work.results * bytes_of(work.type));
  shape.compute_share = computed_share(work.sparsity, constants);
  return shape;
}

OperatorCost RooflineModel::finished(OperatorCost cost, double compute, double memory, double seconds,
                                     double peak) const {
  return finished(cost, compute, memory, seconds, peak, device_.roofline.launch_seconds);
}

OperatorCost RooflineModel::finished(OperatorCost cost, double compute, double memory, double seconds,
                                     double peak, double launch) const {
  cost.seconds = launch + seconds;
  if (launch > std::max(compute, memory)) {
    cost.bound = OperatorCost::Bound::launch;
  } else {
    cost.bound = memory > compute ? OperatorCost::Bound::memory : OperatorCost::Bound::compute;
  }
  cost.utilization = peak > 0 && cost.seconds > 0 ? cost.flops / cost.seconds / peak : 0;
  return cost;
}

RooflineModel::ProductTime RooflineModel::product_time(const Work& work) const {
  ProductTime time;
  time.shape = shape_of(work);
  const GemmTime& gemm = gemm_time(work);
  const RooflineConstants& constants = gemm.constants();
  time.plan = gemm.plan(time.shape);
  const double element = bytes_of(work.type), most = constants.unaligned_slowdown;
  time.slowdown = std::max(misalignment(work.k, element, most), misalignment(work.n, element, most));
  double seconds = time.plan.seconds * time.slowdown, compute = time.plan.compute_seconds * time.slowdown;
  OperatorCost& cost = time.cost;
  cost.flops = 2 * work.batch * work.m * work.n * work.k;
  cost.bytes_read =
      work.activations * time.shape.row_operand_bytes + work.weights * time.shape.column_operand_bytes;
  cost.bytes_written = work.results * element;
  const double peak = device_.vector_peak[work.type];
  if (work.without_matrix_units && peak > 0) {
    time.vector_seconds = cost.flops / peak;
    const double on_vectors =
        overlapped(time.vector_seconds, time.shape.memory_seconds, constants.exposed_share);
    time.on_vectors = on_vectors < seconds;
    if (time.on_vectors) {
      seconds = on_vectors;
      compute = time.vector_seconds;
    }
  }
  cost = finished(cost, compute, time.shape.memory_seconds, seconds, device_.product_peak(work.type),
                  constants.launch_seconds);
  return time;
}

// Formats without vector units of their own are computed in fp32.
double RooflineModel::vector_peak(Datatype type) const {
  const double own = device_.vector_peak[type];
  return own > 0 ? own : device_.vector_peak[Datatype::fp32];
}

OperatorCost RooflineModel::elementwise_cost(const Elementwise& work, Datatype type) const {
  OperatorCost cost;
  cost.flops = work.flops;
  const double bytes = device_.pointwise.bytes_per_element(work, type);
  cost.bytes_read = static_cast<double>(work.elements_read) * bytes;
  cost.bytes_written = static_cast<double>(work.elements_written) * bytes;
  const double peak = vector_peak(type);
  const double compute = peak > 0 ? cost.flops / peak : 0;
  const double memory = memory_seconds(cost.bytes_read + cost.bytes_written);
  return finished(cost, compute, memory, overlapped(compute, memory, device_.roofline.exposed_share), peak);
}

// Scores cost their products, and the part of the softmax that does not hide behind these.
double RooflineModel::attention_seconds(const Attention& work, Datatype type) const {
  const AttentionKernel& kernel = device_.attention_kernel;
  const double queries = static_cast<double>(work.queries) * static_cast<double>(work.heads);
  const double keys = static_cast<double>(work.keys) * (work.causal ? 0.5 : 1);
  if (queries * keys <= 0) return 0;
  const double exponentials = device_.exponentials_per_second();
  const double softmax = exponentials > 0 ? kernel.exponentials / exponentials : 0;
  const double products = flops_of(work) / (queries * keys) /
                          (device_.product_peak(type) * kernel.efficiency(type, work.backward));
  return queries * (keys + kernel.more_keys) * (products + softmax);
}

OperatorCost RooflineModel::attention_cost(const Attention& work, Datatype type, Datatype stored) const {
  const double peak = device_.product_peak(type);
  require_product_peak(device_, type, {});
  OperatorCost cost;
  cost.flops = flops_of(work);
  const double kept = key_value_elements(work);
  cost.bytes_read = (elements_read(work) - kept) * bytes_of(type) + kept * bytes_of(stored);
  cost.bytes_written = elements_written(work) * bytes_of(type);
  const double compute = attention_seconds(work, type);
  const double memory = memory_seconds(cost.bytes_read + cost.bytes_written);
  return finished(cost, compute, memory, overlapped(compute, memory, device_.roofline.exposed_share), peak);
}

GemmPlan RooflineModel::plan(const Gemm& gemm, Datatype type, const ProductSparsity& sparsity) const {
  Work work = work_of(gemm, type);
  work.sparsity = sparsity;
  return gemm_time(work).plan(shape_of(work));
}

RooflineModel::Work RooflineModel::product_work(const Operator& op) const {
  const auto* gemm = std::get_if<Gemm>(&op.work);
  Work work = gemm ? work_of(*gemm, op.type) : work_of(std::get<Convolution>(op.work), op.type);
  work.sparsity = op.sparsity;
  work.stored = op.stored;
  return work;
}

OperatorCost RooflineModel::cost(const Operator& op) const {
  if (const auto* elementwise = std::get_if<Elementwise>(&op.work))
    return elementwise_cost(*elementwise, op.type);
  if (const auto* attention = std::get_if<Attention>(&op.work))
    return attention_cost(*attention, op.type, op.stored.value_or(op.type));
  return product_time(product_work(op)).cost;
}

}  // namespace orrery::core
