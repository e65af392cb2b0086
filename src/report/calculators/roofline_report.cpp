#include "report/calculators/roofline_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "base/diagnostics/words.hpp"
#include "base/text/readable.hpp"
#include "base/units/seconds.hpp"
#include "report/table/loss_columns.hpp"
#include "report/table/measured_costs.hpp"

namespace orrery::core {

namespace {

double tflops(const OperatorCost& cost) {
  return cost.flops / cost.seconds * 1e-12;
}

constexpr Column<CostedGemm> product_columns[] = {
    {"m", "", "Rows of the product.", [](auto& row) { return row.gemm.m; }},
    {"n", "", "Columns of the product.", [](auto& row) { return row.gemm.n; }},
    {"k", "", "Number of terms in each sum.", [](auto& row) { return row.gemm.k; }},
    {"batch", "", "Number of such products.", [](auto& row) { return row.gemm.batch; }},
    {"datatype", "", "Number format of the operands.",
     [](auto& row) { return word_of(datatype_words, row.type); }},
    {"time_us", "us", "Time that these products take.",
     [](auto& row) { return Seconds(row.cost().seconds).rounded(); }},
    {"tflops", "TFLOP/s", "Operations divided by time.",
     [](auto& row) {
       return Real{tflops(row.cost()), 3};
     }},
    {"utilization", "share", "Share of the peak for that datatype which the products reach.",
     [](auto& row) { return row.cost().utilization; }, "", Form::json},
    {"bound", "",
     "What takes most of the time: `compute` (including what tiles wait for), `memory` or `launch`.",
     [](auto& row) { return word_of(bound_words, row.cost().bound); }},
    {"flops", "FLOP", "Number of operations. Each multiply-accumulate counts as two, zeros included.",
     [](auto& row) { return row.cost().flops; }, "", Form::json},
    {"bytes_read", "bytes", "Bytes read from main memory, where each operand is read once.",
     [](auto& row) { return row.cost().bytes_read; }, "", Form::json},
    {"bytes_written", "bytes", "Bytes written to main memory.",
     [](auto& row) { return row.cost().bytes_written; }, "", Form::json},
    {"tile_rows", "", "Rows of the fastest tile.", [](auto& row) { return row.plan.tile.rows; }, "",
     Form::json},
    {"tile_columns", "", "Columns of the fastest tile.", [](auto& row) { return row.plan.tile.columns; }, "",
     Form::json},
    {"split_k", "", "Number of processors that share one tile. Each computes a part of K.",
     [](auto& row) { return row.plan.split_k; }, "", Form::json},
    {"waves", "", "Number of waves of tiles. In a wave each processor computes one tile.",
     [](auto& row) { return row.plan.waves; }, "", Form::json},
    LossColumns<CostedGemm>::in_json(LossColumns<CostedGemm>::bound()),
    LossColumns<CostedGemm>::in_json(LossColumns<CostedGemm>::ideal()),
    LossColumns<CostedGemm>::in_json(LossColumns<CostedGemm>::lost<Loss::rates>()),
    LossColumns<CostedGemm>::in_json(LossColumns<CostedGemm>::lost<Loss::edges>()),
    LossColumns<CostedGemm>::in_json(LossColumns<CostedGemm>::lost<Loss::last_wave>()),
    LossColumns<CostedGemm>::in_json(LossColumns<CostedGemm>::lost<Loss::loading>()),
    LossColumns<CostedGemm>::in_json(LossColumns<CostedGemm>::lost<Loss::filling>()),
    LossColumns<CostedGemm>::in_json(LossColumns<CostedGemm>::lost<Loss::overlap>()),
    LossColumns<CostedGemm>::in_json(LossColumns<CostedGemm>::lost<Loss::partial_sums>()),
    LossColumns<CostedGemm>::in_json(LossColumns<CostedGemm>::lost<Loss::alignment>()),
    LossColumns<CostedGemm>::in_json(LossColumns<CostedGemm>::lost<Loss::launch>()),
    LossColumns<CostedGemm>::in_json(LossColumns<CostedGemm>::lost<Loss::unexplained>()),
    {"measured_us", "us", "Measured time, as the input gives it. It is there only if the input gives one.",
     [](auto& row) {
       return row.measured_seconds ? std::optional(Seconds(*row.measured_seconds).rounded()) : std::nullopt;
     }},
};

// Returns the times that are lost in addition to the ideal, the largest first, and their shares of the whole
// time.
std::string losses_text(const CostExplanation& why) {
  std::vector<Loss> losses;
  for (const auto& [word, loss] : loss_words)
    if (std::abs(why.lost_to(loss)) > 0.001 * why.cost.seconds) losses.push_back(loss);
  std::ranges::stable_sort(losses, std::greater(), [&](Loss loss) { return why.lost_to(loss); });
  std::string text;
  for (const Loss loss : losses)
    text += fmt::format("  {:<11}  {}, {} of the time\n", text.empty() ? "lost to" : "",
                        fmt::format("{} {}", word_of(loss_words, loss), readable_seconds(why.lost_to(loss))),
                        readable_share(why.lost_to(loss) / why.cost.seconds));
  return text;
}

std::string one_gemm(const RooflineReport& report) {
  const CostedGemm& row = report.gemms[0];
  const auto& [gemm, type, why, plan, measured] = row;
  const OperatorCost& cost = why.cost;
  std::string text = fmt::format("{} products of {} x {} with {} x {} in {} on {}\n", gemm.batch, gemm.m,
                                 gemm.k, gemm.k, gemm.n, word_of(datatype_words, type), report.device);
  text += fmt::format("  time         {}, bound by {}\n", readable_seconds(cost.seconds),
                      word_of(bound_words, cost.bound));
  text += fmt::format("  rate         {}, {} of the peak\n",
                      readable_count(cost.flops / cost.seconds, "FLOP/s"), readable_share(cost.utilization));
  text += fmt::format("  operations   {}\n", readable_count(cost.flops, "FLOP"));
  text += fmt::format("  main memory  {} read, {} written\n", readable_bytes(cost.bytes_read),
                      readable_bytes(cost.bytes_written));
  text += fmt::format("  tiles        {} x {}, {} waves, K split in {}\n", plan.tile.rows, plan.tile.columns,
                      plan.waves, plan.split_k);
  text += fmt::format("  ideal        {} on a device that reaches its peaks\n",
                      readable_seconds(why.ideal_seconds));
  return text + losses_text(why);
}

}  // namespace

const Table<CostedGemm> product_table(product_columns);

RooflineReport cost_products(const std::vector<ShapeRow>& shapes, Datatype usual_type,
                             const SourceLocation& type_where, const RooflineModel& roofline,
                             const ComputeModel& model, const ProductSparsity& sparsity) {
  RooflineReport report{roofline.device().name, {}};
  for (const ShapeRow& row : shapes) {
    const Datatype type = row.type.value_or(usual_type);
    require_product_peak(roofline.device(), type, row.type ? row.where : type_where);
    report.gemms.push_back({row.gemm, type, model.explain({"", row.gemm, type, sparsity}),
                            roofline.plan(row.gemm, type, sparsity), row.seconds});
  }
  return report;
}

std::string roofline_text(const RooflineReport& report) {
  if (report.gemms.size() == 1) return one_gemm(report);
  return costs_csv(product_table, report.gemms);
}

nlohmann::ordered_json roofline_to_json(const RooflineReport& report) {
  nlohmann::ordered_json json{{"device", report.device}};
  set_costs(json, "products", product_table, report.gemms);
  return json;
}

}  // namespace orrery::core
