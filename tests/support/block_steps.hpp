// What the steps of a block add up to.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "workload/parallelism/block.hpp"

namespace orrery::core::test {

// Collectives along one axis: "all-gather" -> their bytes, in the order of the steps.
inline std::map<std::string, std::vector<double>> exchanges(const std::vector<Step>& steps, Axis axis) {
  std::map<std::string, std::vector<double>> found;
  for (const Step& step : steps)
    if (const auto* exchange = std::get_if<Exchange>(&step.work); exchange && exchange->axis == axis)
      found[std::string(name_of(exchange->kind))].push_back(exchange->bytes);
  return found;
}

// Returns the operations of all products, those of attention among them.
inline double product_flops(const std::vector<Step>& steps) {
  double flops = 0;
  for (const Step& step : steps) {
    const auto* op = std::get_if<Operator>(&step.work);
    if (!op) continue;
    if (const auto* g = std::get_if<Gemm>(&op->work))
      flops += 2.0 * double(g->m) * double(g->n) * double(g->k) * double(g->batch);
    if (const auto* attention = std::get_if<Attention>(&op->work)) flops += flops_of(*attention);
  }
  return flops;
}

}  // namespace orrery::core::test
