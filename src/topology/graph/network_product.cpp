#include "topology/graph/network_product.hpp"

#include "base/diagnostics/unreachable.hpp"

namespace orrery::core {
namespace {

double cables_per_npu(const ProductFactor& factor) {
  if (factor.size == 1 && factor.form != ProductFactor::Form::star) return 0;
  switch (factor.form) {
    case ProductFactor::Form::circle:
      return factor.size == 2 ? 0.5 : 1;
    case ProductFactor::Form::full:
      return (factor.size - 1) / 2.0;
    case ProductFactor::Form::star:
      return 1;
  }
  unreachable("the cables of every form are known");
}

}  // namespace

double cables_of(const NetworkProduct& product) {
  double npus = 1, cables = 0;
  for (const ProductFactor& factor : product) {
    npus *= factor.size;
    cables += cables_per_npu(factor) * factor.cable.count;
  }
  return npus * cables;
}

}  // namespace orrery::core
