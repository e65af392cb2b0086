// Shows what attention and operators without products cost on a device, as CSV and as JSON.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "compute/cost_explanation.hpp"
#include "compute/device.hpp"
#include "compute/kernels/kernel_table.hpp"
#include "report/table/table.hpp"

namespace orrery::core {

struct CostedKernel {
  Operator op;
  CostExplanation why;
  std::optional<double> measured_seconds;

  const OperatorCost& cost() const { return why.cost; }
  const CostExplanation* explanation() const { return &why; }
  double seconds() const { return why.cost.seconds; }
  std::optional<double> measured() const { return measured_seconds; }
};

extern const Table<CostedKernel> kernel_cost_table;

struct KernelReport {
  std::string device;
  std::vector<CostedKernel> kernels;
};

// `type_where` is the place of the number format of rows that have none of their own. Throws InputError where
// the device cannot multiply in the format of an attention.
KernelReport cost_kernels(const std::vector<KernelShape>& rows, Datatype usual_type,
                          const SourceLocation& type_where, const Device& device, const ComputeModel& model);

std::string kernel_text(const KernelReport& report);
nlohmann::ordered_json kernels_to_json(const KernelReport& report);

}  // namespace orrery::core
