#include "report/critical_path/computed_work.hpp"

#include <variant>

#include <fmt/format.h>

namespace orrery::core {

std::string shape_of(const Operator& op) {
  const auto times = [](std::uint64_t count) {
    return count > 1 ? fmt::format("{} x ", count) : std::string();
  };
  if (const auto* gemm = std::get_if<Gemm>(&op.work))
    return fmt::format("{}{} x {} x {}", times(gemm->batch), gemm->m, gemm->n, gemm->k);
  if (const auto* c = std::get_if<Convolution>(&op.work))
    return fmt::format("{}{} x {} x {} to {} by {} x {}", times(c->batch), c->channels, c->height, c->width,
                       c->filters, c->filter_height, c->filter_width);
  if (const auto* attention = std::get_if<Attention>(&op.work))
    return fmt::format("{}{} x {} x {}", times(attention->heads), attention->queries, attention->keys,
                       attention->width);
  return {};
}

}  // namespace orrery::core
