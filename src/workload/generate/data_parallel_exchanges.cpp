#include "workload/generate/data_parallel_exchanges.hpp"

namespace orrery::core {

LayerTable with_data_parallel_exchanges(LayerTable table) {
  if (!table.ddp) return table;
  constexpr std::uint64_t map_entry = 4;  // bytes: PyTorch adds up integers of 32 bits
  DataParallelTraining& ddp = *table.ddp;
  ddp.states = ddp.used_map = Bytes();
  for (const Layer& layer : table.layers) {
    if (!layer.weight_gradient.collective) continue;
    if (ddp.broadcasts_states) ddp.states += layer.weight_gradient.size;
    if (ddp.finds_unused_parameters)
      ddp.used_map += Bytes(map_entry * static_cast<std::uint64_t>(layer.arrays));
  }
  return table;
}

}  // namespace orrery::core
