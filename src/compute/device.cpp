#include "compute/device.hpp"

namespace orrery::core {

RooflineConstants RooflineConstants::of_products(Datatype type) const {
  RooflineConstants constants = *this;
  if (type != Datatype::fp32 || !fp32) return constants;
  constants.launch_seconds = fp32->launch_seconds;
  constants.matrix_efficiency = fp32->matrix_efficiency;
  constants.memory_efficiency = fp32->memory_efficiency;
  constants.load_bandwidth = fp32->load_bandwidth;
  constants.tile_seconds = fp32->tile_seconds;
  constants.exposed_share = fp32->exposed_share;
  constants.tiles = fp32->tiles;
  constants.unaligned_slowdown = 1;  // vector units take elements one by one
  // The efficiency of the vector units was measured with all that power does to them.
  constants.sustained_share = 1;
  return constants;
}

}  // namespace orrery::core
