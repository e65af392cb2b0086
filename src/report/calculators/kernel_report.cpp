#include "report/calculators/kernel_report.hpp"

#include <nlohmann/json.hpp>

#include "base/diagnostics/words.hpp"
#include "base/units/seconds.hpp"
#include "compute/roofline/roofline_model.hpp"
#include "report/table/loss_columns.hpp"
#include "report/table/measured_costs.hpp"

namespace orrery::core {

namespace {

constexpr Column<CostedKernel> kernel_columns[] = {
    {"kind", "", "Kind of operator.", [](auto& row) { return row.op.name; }},
    {"datatype", "", "Number format of the elements.",
     [](auto& row) { return word_of(datatype_words, row.op.type); }},
    {"time_us", "us", "Time that the operator takes.",
     [](auto& row) { return Seconds(row.cost().seconds).rounded(); }},
    {"bound", "", "What takes most of the time: `compute`, `memory` or `launch`.",
     [](auto& row) { return word_of(bound_words, row.cost().bound); }},
    {"flops", "FLOP",
     "Number of operations. Each multiply-accumulate counts as two, and masked scores do not count.",
     [](auto& row) { return row.cost().flops; }, "", Form::json},
    {"bytes_read", "bytes", "Bytes read from main memory, by all passes together.",
     [](auto& row) { return row.cost().bytes_read; }, "", Form::json},
    {"bytes_written", "bytes", "Bytes written to main memory, by all passes together.",
     [](auto& row) { return row.cost().bytes_written; }, "", Form::json},
    LossColumns<CostedKernel>::in_json(LossColumns<CostedKernel>::bound()),
    LossColumns<CostedKernel>::in_json(LossColumns<CostedKernel>::ideal()),
    LossColumns<CostedKernel>::in_json(LossColumns<CostedKernel>::lost<Loss::rates>()),
    LossColumns<CostedKernel>::in_json(LossColumns<CostedKernel>::lost<Loss::overlap>()),
    LossColumns<CostedKernel>::in_json(LossColumns<CostedKernel>::lost<Loss::launch>()),
    {"measured_us", "us", "Measured time, as the input gives it. It is there only if the input gives one.",
     [](auto& row) {
       return row.measured_seconds ? std::optional(Seconds(*row.measured_seconds).rounded()) : std::nullopt;
     }},
};

}  // namespace

const Table<CostedKernel> kernel_cost_table(kernel_columns);

KernelReport cost_kernels(const std::vector<KernelShape>& rows, Datatype usual_type,
                          const SourceLocation& type_where, const Device& device, const ComputeModel& model) {
  KernelReport report{device.name, {}};
  for (const KernelShape& row : rows) {
    Operator op = row.op;
    op.type = row.type.value_or(usual_type);
    if (std::holds_alternative<Attention>(op.work))
      require_product_peak(device, op.type, row.type ? row.where : type_where);
    CostExplanation why = model.explain(op);
    report.kernels.push_back({std::move(op), std::move(why), row.seconds});
  }
  return report;
}

std::string kernel_text(const KernelReport& report) {
  return costs_csv(kernel_cost_table, report.kernels);
}

nlohmann::ordered_json kernels_to_json(const KernelReport& report) {
  nlohmann::ordered_json json{{"device", report.device}};
  set_costs(json, "kernels", kernel_cost_table, report.kernels);
  return json;
}

}  // namespace orrery::core
