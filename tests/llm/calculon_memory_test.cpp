// Memory of devices against Calculon's. It leaves embeddings and logits out and keeps a working block
// otherwise, so the two agree roughly only. Its optimizer sharding is ZeRO's stage 2, and its checkpoints are
// whole under sequence parallelism, too.
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "support/csv_table.hpp"
#include "support/source_dir.hpp"
#include "workload/transformer/blocks/transformer_memory.hpp"

namespace orrery::core::test::calculon_memory_test {
namespace {

Transformer model_of(const CsvRow& row) {
  Transformer model;
  model.layers = row.count("num_blocks");
  model.hidden = row.count("hidden");
  model.heads = row.count("attn_heads");
  model.kv_heads = row.text("attention_type") == "multiquery" ? 1 : model.heads;
  model.head_width = row.count("attn_size");
  model.ffn = row.count("feedforward");
  model.sequence = row.count("seq_size");
  model.vocabulary = 1;
  model.dropout = 0.1;
  return model;
}

TransformerPlan plan_of(const CsvRow& row) {
  TransformerPlan plan;
  plan.tensor = row.count("tensor_par");
  plan.pipeline = row.count("pipeline_par");
  plan.data = row.count("data_par");
  plan.chunks = row.count("pipeline_interleaving");
  plan.micro_batch = row.count("microbatch_size");
  plan.global_batch = row.count("batch_size");
  plan.zero = row.text("optimizer_sharding") == "True" ? 2 : 0;
  const std::string& recompute = row.text("activation_recompute");
  plan.sequence_parallel = row.text("tensor_par_comm_type") == "rs_ag" && recompute != "full";
  plan.recompute = recompute == "full"        ? Recompute::full
                   : recompute == "attn_only" ? Recompute::selective
                                              : Recompute::none;
  return plan;
}

TEST(CalculonMemory, agrees_roughly) {
  const auto rows = read_csv(test::source_dir() + "/tests/llm/calculon.csv");
  ASSERT_EQ(rows.size(), 19u);
  double sum = 0;
  for (const CsvRow& row : rows) {
    const TransformerPlan plan = plan_of(row);
    const auto order =
        plan.chunks > 1 ? PipelineSchedule::interleaved : PipelineSchedule::one_forward_one_backward;
    const Transformer model = model_of(row);
    const StageMemory memory =
        stage_memory(model, plan, 0, order, Optimizer::adam, Precision::mixed, model_parts(model, plan));
    const double ratio = memory.total() / row.number("proc_mem_tier1_cap_req");
    sum += std::abs(ratio - 1);
    EXPECT_NEAR(ratio, 1, 0.12) << row.text("model") << " on " << plan.ranks();
  }
  EXPECT_LT(sum / double(rows.size()), 0.05);
}

}  // namespace
}  // namespace orrery::core::test::calculon_memory_test
