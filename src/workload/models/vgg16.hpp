// VGG-16 (configuration D of Simonyan and Zisserman, 2014) as a data-parallel layer table.
//
//   time  = round(2 * multiply-adds * batch / peak), in whole nanoseconds, the same for all three steps
//   bytes = (weights + biases) * bytes per element, all-reduced after the weight gradient
//
// Valid where the peak is a rate the layers reach: no memory bandwidth, no small-layer inefficiency.
#pragma once

#include "base/diagnostics.hpp"
#include "workload/astra1/layer_table.hpp"

namespace orrery {

struct Vgg16Options {
  double flops_per_second = 0;  // required
  int batch = 1;                // images per NPU
  int image_size = 224;         // pixels along an edge; a multiple of 32, as five poolings halve it
  int classes = 1000;
  int bytes_per_element = 2;
  SourceLocation where = {};  // of the description, for errors and the table
};

LayerTable vgg16(const Vgg16Options& options);

}  // namespace orrery
