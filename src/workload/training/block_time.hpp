// Computes the time that one rank takes for the steps of a block.
//
// Operators run one after another, in the order of the list. The collectives of each axis do so too, beside
// the operators. A step begins when everything that it waits for is done. While a collective comes in blocks
// (ring attention), operators work on the blocks that are there, so only the time beyond theirs is exposed.
// Operators and collectives that are under way beside each other may slow each other down
// (docs/models/contention.md). Where operators are quicker than the host can launch them, the host's time
// counts.
#pragma once

#include <algorithm>
#include <array>
#include <functional>
#include <variant>
#include <vector>

#include "base/units/seconds.hpp"
#include "compute/compute_model.hpp"
#include "compute/contention.hpp"
#include "program/endpoint.hpp"
#include "workload/parallelism/block.hpp"

namespace orrery::core {

// Returns how long a collective along one axis takes, whose bytes are as in Exchange.
using ExchangeTime = std::function<Seconds(const Exchange&)>;

struct BlockTime {
  Seconds total;
  Seconds compute;                            // the part that is operators
  Seconds contended;                          // the part of `compute` that is due to collectives beside them
  Seconds without_communication;              // what the total would be if collectives took no time
  std::array<Seconds, axis_count> exposed{};  // the part that is waiting for collectives of an axis
  double product_flops = 0;                   // operations of matrix products, including those of attention
  double operators = 0, exchanges = 0;        // numbers of them
  // What the total would be if a collective of something else were under way all along, and by how much that
  // collective would lag behind.
  Seconds beside, lag;

  BlockTime& operator+=(const BlockTime& other);
  friend BlockTime operator*(BlockTime time, double times);
};

// Returns what the blocks and a collective beside them cost each other: the mean over their operators.
Contention contention_of(const BlockTime& time);

// Factors on operators' times.
struct Slowdown {
  double products = 1, elementwise = 1;

  // A factor below 1 makes no product faster than the device's peak.
  Seconds time(const Operator& op, const OperatorCost& cost) const {
    const bool product = !std::holds_alternative<Elementwise>(op.work);
    return Seconds(cost.seconds) * (product ? std::max(products, cost.utilization) : elementwise);
  }
};

struct OperatorTime {
  Time alone;
  Contention contention;
  double flops = 0;
};

// What computes a rank's operators. Refers to its parts.
struct RankDevice {
  const ComputeModel& model;
  Slowdown slowdown = {};
  const ContendedDevice* contended = nullptr;  // null: collectives take nothing of the device

  // The software's factor counts beside collectives as it does alone.
  OperatorTime time(const Operator& op) const;
};

// The times of each step.
struct StepTimes {
  std::vector<Seconds> parts;      // the part of the total that is an operator, or waiting for a collective
  std::vector<Seconds> contended;  // the part of an operator that is due to collectives beside it
  std::vector<Seconds> begins;
};

// `times` may be null.
BlockTime time_of_steps(const std::vector<Step>& steps, const RankDevice& device,
                        const ExchangeTime& exchange, StepTimes* times = nullptr);

// Returns the time if the host needs this long to launch each operator and collective: the total grows to the
// time of the launches, and compute by as much.
BlockTime launched_by_host(BlockTime time, Time per_operator, Time per_exchange);

}  // namespace orrery::core
