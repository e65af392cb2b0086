// Calculators: what one collective costs in a library, and what one matrix product costs on a device.
//
//   const orrery::Findings sums = orrery::cost_collective({.size = "1 GiB", .members = 8}).value();
//   const orrery::Findings product = orrery::cost_products({.m = 8192, .n = 8192, .k = 8192}).value();
//   std::cout << sums.text() << product.text();
#pragma once

#include <cstdint>
#include <string>

#include "orrery/diagnostics.hpp"
#include "orrery/document.hpp"
#include "orrery/export.hpp"
#include "orrery/findings.hpp"

namespace orrery {

// A collective, or a send, of a group of GPUs in nodes.
struct CollectiveQuestion {
  std::string collective = "all-reduce";  // as experiments call it, or "send"
  std::string size = "64 MiB";            // of the whole tensor, in bytes or with a unit
  std::int64_t members = 8;               // GPUs of the group
  std::int64_t per_node = 0;              // of them in each node; 0: as many as can be
  // A platform that comes with Orrery, a platform file, or a map of its keys, which then says all that
  // follows but the algorithm. Null: there is none.
  Document platform = {};
  std::string library = "nccl";  // that comes with Orrery, or a file
  // Links in a node: a class, a bandwidth, or a map as text; empty: "nvlink4", or the library's first class.
  std::string inside = {};
  std::string between = {};        // links between nodes, likewise; empty: there is but one node
  std::int64_t gpus_per_node = 8;  // GPUs of a node
  std::int64_t nics_per_node = 0;  // network cards of a node; 0: one for each GPU
  std::string algorithm = {};      // only this one of the library's; empty: the library chooses
  std::string timed = "kernel";    // as a benchmark does: "kernel", or "call" by call
  std::string buffers = {};        // in the memory of a "cpu" or a "gpu"; empty: as the library has them
  std::string caller = "torch";    // who calls the library: PyTorch, or a "program" of its own
  double interval = 0.8;           // share of measurements that the interval of the time holds, 0.01 to 0.99
};

// Costs a collective as `orrery compute collective` does. The table is "costs", with one row. The problem
// says which part of the question is wrong.
ORRERY_API Result<Findings> cost_collective(const CollectiveQuestion& question);

// Matrix products of m x k with k x n numbers.
struct ProductQuestion {
  std::int64_t m = 1, n = 1, k = 1;               // rows, columns and terms of each sum
  std::int64_t batch = 1;                         // number of such products
  std::string device = "a100";                    // that comes with Orrery, or a device file
  std::string datatype = {};                      // number format; empty: the usual one of the device
  double weight_sparsity = 0;                     // share of zeros among the weights
  double activation_sparsity = 0;                 // share of zeros among the activations
  std::string sparsity_pattern = "unstructured";  // of the weights: this or "2:4"
  std::string shapes = {};                        // a CSV file of many shapes, in place of one; empty: none
  std::string table = {};  // a CSV file of measured times, which the model then follows; empty: none
};

// Costs products as `orrery compute roofline` does. The table is "products". The problem says which part of
// the question is wrong.
ORRERY_API Result<Findings> cost_products(const ProductQuestion& question);

}  // namespace orrery
