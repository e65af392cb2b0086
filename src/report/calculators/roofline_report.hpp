// Shows the cost of operators on a device, as text and as JSON.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "compute/cost_explanation.hpp"
#include "compute/device.hpp"
#include "compute/measured/measured_model.hpp"
#include "compute/roofline/gemm_time.hpp"
#include "compute/roofline/roofline_model.hpp"
#include "report/table/table.hpp"

namespace orrery::core {

struct CostedGemm {
  Gemm gemm;
  Datatype type = Datatype::fp16;
  CostExplanation why;
  GemmPlan plan;
  std::optional<double> measured_seconds;

  const OperatorCost& cost() const { return why.cost; }
  const CostExplanation* explanation() const { return &why; }
  double seconds() const { return why.cost.seconds; }
  std::optional<double> measured() const { return measured_seconds; }
};

extern const Table<CostedGemm> product_table;

struct RooflineReport {
  std::string device;
  std::vector<CostedGemm> gemms;
};

// Costs each of the shapes, all with these zeros. `model` is the roofline's own or one that follows
// measurements; `type_where` is the place of the number format of shapes that have none of their own. Throws
// InputError where the device cannot multiply in a number format.
RooflineReport cost_products(const std::vector<ShapeRow>& shapes, Datatype usual_type,
                             const SourceLocation& type_where, const RooflineModel& roofline,
                             const ComputeModel& model, const ProductSparsity& sparsity = {});

// Returns one product in a few lines, or several as CSV.
std::string roofline_text(const RooflineReport& report);
nlohmann::ordered_json roofline_to_json(const RooflineReport& report);

}  // namespace orrery::core
