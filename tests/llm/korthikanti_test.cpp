// Memory and operations of Korthikanti et al., 2022.
#include <gtest/gtest.h>

#include <map>
#include <string>

#include "support/csv_table.hpp"
#include "support/source_dir.hpp"
#include "workload/transformer/blocks/transformer_memory.hpp"
#include "workload/transformer/catalogue/transformer_catalogue.hpp"
#include "workload/transformer/model_flops.hpp"

namespace orrery::core::test::korthikanti_test {
namespace {

const std::string folder = source_dir() + "/tests/llm/";
constexpr double gib = 1 << 30;

const std::map<std::string, std::string> words{{"megatron-22B", "megatron-22b"},
                                               {"gpt3-175B", "gpt3-175b"},
                                               {"turing-530B", "mt-nlg-530b"},
                                               {"megatron-1T", "megatron-1008b"}};

struct Case {
  Transformer model;
  TransformerPlan plan;
  PipelineSchedule order;

  explicit Case(const CsvRow& row) : model(find_transformer(words.at(row.text("model")), {})) {
    plan.tensor = row.count("tp");
    plan.pipeline = row.count("pp");
    plan.chunks = row.count("interleave");
    plan.global_batch = row.count("global_batch");
    plan.micro_batch = row.count("micro_batch");
    order = plan.chunks > 1 ? PipelineSchedule::interleaved : PipelineSchedule::one_forward_one_backward;
  }

  double activations(bool sequence_parallel, Recompute recompute) const {
    TransformerPlan chosen = plan;
    chosen.sequence_parallel = sequence_parallel;
    chosen.recompute = recompute;
    return stage_memory(model, chosen, 0, order, Optimizer::adam, Precision::mixed_fp32_gradients,
                        model_parts(model, chosen))
        .activations;
  }

  // Returns the state without biases, norms and embeddings, as in the figure.
  double matrices_state() const {
    Transformer bare = model;
    bare.biases = {};
    const LayerParameters layer = layer_parameters(bare, false);
    const double held =
        double(layer.attention + layer.mlp) * double(model.layers) / double(plan.tensor * plan.pipeline);
    return parameter_state(held, Optimizer::adam, Precision::mixed_fp32_gradients, {}).total();
  }
};

std::vector<CsvRow> rows() {
  return read_csv(folder + "korthikanti2022.csv");
}

TEST(Korthikanti, figure_1) {
  for (const CsvRow& row : rows()) {
    const Case c(row);
    EXPECT_EQ(c.matrices_state() / gib, row.number("fig1_param_opt_gib")) << row.text("model");
    EXPECT_EQ(c.activations(false, Recompute::none) / gib, row.number("fig1_act_tp_none_gib"))
        << row.text("model");
    EXPECT_EQ(c.activations(true, Recompute::selective) / gib, row.number("fig1_act_tp_sp_selective_gib"))
        << row.text("model");
  }
}

// The figure counts something more that the paper does not say: up to 0.15 percent points.
TEST(Korthikanti, figure_7) {
  for (const CsvRow& row : rows()) {
    const Case c(row);
    const double all = c.activations(false, Recompute::none) / 100;
    EXPECT_NEAR(c.activations(true, Recompute::none) / all, row.number("fig7_pct_tp_sp"), 0.15);
    EXPECT_NEAR(c.activations(false, Recompute::selective) / all, row.number("fig7_pct_tp_selective"), 0.15);
    EXPECT_NEAR(c.activations(true, Recompute::selective) / all, row.number("fig7_pct_tp_sp_selective"),
                0.15);
    EXPECT_NEAR(c.activations(false, Recompute::full) / all, row.number("fig7_pct_full_recompute"), 0.15);
  }
}

TEST(Korthikanti, memory_as_printed) {
  std::map<std::string, Case> cases;
  for (const CsvRow& row : rows())
    cases.emplace(row.text("model") == "gpt3-175B"     ? "175"
                  : row.text("model") == "megatron-1T" ? "1000"
                                                       : "",
                  Case(row));
  int checked = 0;
  for (const CsvRow& row : read_csv(folder + "korthikanti2022_memory.csv")) {
    SCOPED_TRACE(row.text("id"));
    const Case& c = cases.at(row.text("params_B"));
    const std::string& policy = row.text("policy");
    const bool sequence = policy.find("sequence parallel") != policy.npos && !policy.starts_with("no ");
    const bool selective = policy.find("selective") != policy.npos;
    const Recompute recompute = policy.starts_with("full") ? Recompute::full
                                : selective                ? Recompute::selective
                                                           : Recompute::none;
    if (row.text("unit") == "GiB") {
      const double bytes = policy == "any" ? c.matrices_state() : c.activations(sequence, recompute);
      EXPECT_NEAR(bytes / gib, row.number("value"), 0.51e-4);
    } else {
      const double share = c.activations(sequence, recompute) / c.activations(false, Recompute::none);
      EXPECT_NEAR(100 * share, row.number("value"), 0.15);
    }
    ++checked;
  }
  EXPECT_EQ(checked, 14);
}

// The table has six digits.
TEST(Korthikanti, operations_and_utilization) {
  for (const CsvRow& row : rows()) {
    const Case c(row);
    SCOPED_TRACE(row.text("model"));
    const double model = step_model_flops(c.model, c.plan);
    // Selective recomputation repeats the products of scores once, but the paper adds them three times.
    const double scores = double(c.plan.global_batch) * model_flops(c.model).attention_scores;
    const double hardware = model + 3 * scores;
    EXPECT_NEAR(model / row.number("model_flops"), 1, 5e-6);
    EXPECT_NEAR(hardware / row.number("hw_flops_selective"), 1, 5e-6);
    const double peak = row.number("gpus") * 312e12 * row.number("tab5_time_sp_selective_s");
    EXPECT_NEAR(100 * model / peak, row.number("mfu_sp_selective_pct"), 0.006);
    EXPECT_NEAR(100 * hardware / peak, row.number("hfu_sp_selective_pct"), 0.006);
  }
}

// Narayanan et al., 2021, equation 3, and Korthikanti et al., appendix A.
TEST(Korthikanti, closed_form_of_operations) {
  for (const CsvRow& row : rows()) {
    const Transformer model = Case(row).model;
    const double s = double(model.sequence), h = double(model.hidden), layers = double(model.layers);
    const double v = double(model.vocabulary), b = 7, all = b * s * layers * h * h;
    const double closed = 72 * all * (1 + s / (6 * h) + v / (12 * h * layers));
    EXPECT_NEAR(step_model_flops(model, {.global_batch = 7}) / closed, 1, 1e-12);
  }
}

}  // namespace
}  // namespace orrery::core::test::korthikanti_test
