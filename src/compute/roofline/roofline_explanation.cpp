// The parts of the roofline's time of an operator.
#include <algorithm>

#include "compute/roofline/roofline_model.hpp"
#include "compute/roofline/roofline_work.hpp"

namespace orrery::core {

double RooflineModel::ideal_seconds(const OperatorCost& cost, double peak) const {
  const double bandwidth = device_.memory_bandwidth.bytes_per_ns() * 1e9;
  const double memory = bandwidth > 0 ? (cost.bytes_read + cost.bytes_written) / bandwidth : 0;
  return std::max(peak > 0 ? cost.flops / peak : 0, memory);
}

void RooflineModel::finish(CostExplanation& explanation, LossChain chain, Limit unit) const {
  chain.add(Loss::launch, explanation.cost.seconds);
  switch (explanation.cost.bound) {
    case OperatorCost::Bound::launch:
      explanation.limit = Limit::launch;
      break;
    case OperatorCost::Bound::memory:
      explanation.limit = Limit::main_memory;
      break;
    case OperatorCost::Bound::compute:
      explanation.limit = unit;
      break;
  }
}

// `compute` is the seconds at the rate that is reached, without those of main memory.
CostExplanation RooflineModel::explain_overlapped(const OperatorCost& cost, double peak, double compute,
                                                  Limit unit) const {
  CostExplanation explanation;
  explanation.cost = cost;
  explanation.source = CostSource::roofline;
  const double memory = memory_seconds(cost);
  LossChain chain(explanation, ideal_seconds(cost, peak));
  chain.add(Loss::rates, std::max(compute, memory));
  chain.add(Loss::overlap, overlapped(compute, memory, device_.roofline.exposed_share));
  finish(explanation, chain, unit);
  return explanation;
}

namespace {

// The share of processors that have a tile in the last wave.
double last_wave_of(double tiles, double waves, double processors) {
  return tiles / processors - (waves - 1);
}

Limit slowest_of_tile(const GemmParts& parts, double tile_seconds) {
  if (tile_seconds > std::max(parts.multiply_seconds, parts.load_seconds)) return Limit::filling;
  return parts.load_seconds > parts.multiply_seconds ? Limit::loading : Limit::matrix_units;
}

}  // namespace

CostExplanation RooflineModel::explain_product(const Work& work) const {
  const ProductTime time = product_time(work);
  const RooflineConstants& constants = gemm_time(work).constants();
  const double peak = device_.product_peak(work.type), memory = time.shape.memory_seconds;
  CostExplanation explanation;
  explanation.cost = time.cost;
  explanation.source = CostSource::roofline;
  OperatorCost needed = time.cost;  // without operations that zeros save
  needed.flops *= time.shape.compute_share;
  LossChain chain(explanation, ideal_seconds(needed, peak));
  const double attained = std::max(needed.flops / (peak * constants.matrix_efficiency), memory);
  if (time.on_vectors) {
    chain.add(Loss::rates, std::max(needed.flops / peak, memory));
    chain.add(Loss::other_units, std::max(time.vector_seconds, memory));
    chain.add(Loss::overlap, overlapped(time.vector_seconds, memory, constants.exposed_share));
    finish(explanation, chain, Limit::vector_units);
    return explanation;
  }
  const GemmParts parts = gemm_time(work).parts(time.shape, time.plan);
  const double processors = device_.processors, waves = time.plan.waves;
  const auto with_memory = [&](double compute) { return std::max(compute, memory); };
  chain.add(Loss::rates, attained);
  chain.add(Loss::edges, with_memory(parts.tiles / processors * parts.multiply_seconds));
  chain.add(Loss::last_wave, with_memory(waves * parts.multiply_seconds));
  chain.add(Loss::loading, with_memory(waves * (parts.tile_seconds - constants.tile_seconds)));
  chain.add(Loss::filling, with_memory(waves * parts.tile_seconds));
  chain.add(Loss::rates, with_memory(waves * parts.tile_seconds + parts.throttled_seconds));
  chain.add(Loss::overlap, time.plan.seconds - parts.reduction_seconds);
  chain.add(Loss::partial_sums, time.plan.seconds);
  chain.add(Loss::alignment, time.plan.seconds * time.slowdown);
  finish(explanation, chain, slowest_of_tile(parts, constants.tile_seconds));
  const Tile tile = time.plan.tile;
  explanation.tiles =
      TileUse{tile,
              time.plan.split_k,
              waves,
              last_wave_of(parts.tiles, waves, processors),
              work.batch * work.m * work.n * time.plan.split_k / (parts.tiles * tile.rows * tile.columns),
              work.k / (time.plan.split_k * parts.padded_k)};
  return explanation;
}

CostExplanation RooflineModel::explain(const Operator& op) const {
  if (const auto* elementwise = std::get_if<Elementwise>(&op.work)) {
    const OperatorCost cost = elementwise_cost(*elementwise, op.type);
    const double peak = vector_peak(op.type);
    return explain_overlapped(cost, peak, peak > 0 ? cost.flops / peak : 0, Limit::vector_units);
  }
  if (const auto* attention = std::get_if<Attention>(&op.work)) {
    const OperatorCost cost = attention_cost(*attention, op.type, op.stored.value_or(op.type));
    const double peak = device_.product_peak(op.type);
    return explain_overlapped(cost, peak, attention_seconds(*attention, op.type), Limit::matrix_units);
  }
  return explain_product(product_work(op));
}

}  // namespace orrery::core
