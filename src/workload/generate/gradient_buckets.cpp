#include "workload/generate/gradient_buckets.hpp"

namespace orrery::core {

LayerTable in_buckets(LayerTable table) {
  if (!table.gradient_buckets) return table;
  Bytes full = table.gradient_buckets->first;
  Bytes filled;
  LayerStep* completes = nullptr;  // the bucket that is being filled
  const auto close = [&] {
    completes->collective = CollectiveKind::all_reduce;
    completes->size = filled;
    completes = nullptr;
    filled = Bytes();
    full = table.gradient_buckets->size;
  };
  for (std::size_t i = table.layers.size(); i-- > 0;) {
    LayerStep& gradients = table.layers[i].weight_gradient;
    if (!gradients.collective) continue;
    if (*gradients.collective != CollectiveKind::all_reduce)
      throw InputError(table.layers[i].where,
                       "layer '" + table.layers[i].name +
                           "' exchanges its gradients by another collective than an all-reduce, which "
                           "buckets cannot hold; leave `gradient-buckets` out");
    filled += gradients.size;
    gradients.collective.reset();
    gradients.size = Bytes();
    completes = &gradients;
    if (filled >= full) close();
  }
  if (completes) close();
  return table;
}

}  // namespace orrery::core
