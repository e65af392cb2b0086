// Computes the time that one rank takes for the steps of a block.
//
// Operators run one after another, in the order of the list. The collectives of each axis do so too, beside
// the operators. A step begins when everything that it waits for is done. While a collective comes in blocks
// (ring attention), operators work on the blocks that are there, so only the time beyond theirs is exposed.
// Where operators are quicker than the host can launch them, the host's time counts.
#pragma once

#include <algorithm>
#include <array>
#include <functional>
#include <variant>
#include <vector>

#include "base/units/seconds.hpp"
#include "compute/compute_model.hpp"
#include "workload/parallelism/block.hpp"

namespace orrery::core {

// Returns how long a collective along one axis takes, whose bytes are as in Exchange.
using ExchangeTime = std::function<Seconds(const Exchange&)>;

struct BlockTime {
  Seconds total;
  Seconds compute;                            // the part that is operators
  Seconds without_communication;              // what the total would be if collectives took no time
  std::array<Seconds, axis_count> exposed{};  // the part that is waiting for collectives of an axis
  double product_flops = 0;                   // operations of matrix products, including those of attention
  double operators = 0, exchanges = 0;        // numbers of them

  BlockTime& operator+=(const BlockTime& other);
  friend BlockTime operator*(BlockTime time, double times);
};

// Factors on operators' times.
struct Slowdown {
  double products = 1, elementwise = 1;

  // A factor below 1 makes no product faster than the device's peak.
  Seconds time(const Operator& op, const OperatorCost& cost) const {
    const bool product = !std::holds_alternative<Elementwise>(op.work);
    return Seconds(cost.seconds) * (product ? std::max(products, cost.utilization) : elementwise);
  }
};

// `of_steps` gets the part of the total that is each operator's time, and the part that is waiting for each
// collective. `begins` gets when each step begins. Both may be null.
BlockTime time_of_steps(const std::vector<Step>& steps, const ComputeModel& device,
                        const ExchangeTime& exchange, const Slowdown& slowdown = {},
                        std::vector<Seconds>* of_steps = nullptr, std::vector<Seconds>* begins = nullptr);

// Returns the time if the host needs this long to launch each operator and collective: the total grows to the
// time of the launches, and compute by as much.
BlockTime launched_by_host(BlockTime time, Time per_operator, Time per_exchange);

}  // namespace orrery::core
