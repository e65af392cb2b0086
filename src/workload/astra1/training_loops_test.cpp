// Every loop is written out here for three layers (docs/models/training-loops.md, The loops).
//
// f0 i0 w0: compute; +f0: issue the collective, !f0: urgently; h: hop; |: the pass ends; x(f0 w1): x waits
// for these.
#include "workload/astra1/training_loops.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace orrery::core::training_loops_test {
namespace {

using enum TrainingPolicy;
using Id = ExecutionGraph::Id;

const LayerStep all_reduce_of_8{Time::from_ns(5), CollectiveKind::all_reduce, false, Bytes(8)};
const LayerStep all_to_all_of_8{Time::from_ns(5), CollectiveKind::all_to_all, false, Bytes(8)};

LayerTable make_table(TrainingPolicy policy, std::size_t layers = 3,
                      const LayerStep& step = all_reduce_of_8) {
  LayerTable table;
  table.policy = policy;
  for (std::size_t i = 0; i < layers; ++i) {
    table.layers.push_back(
        {"layer" + std::to_string(i), step, step, step, Time::from_ns(7), {}, {"w.txt", 2, 1}});
    if (policy == hybrid_customized) table.layers.back().policy = data;
  }
  return table;
}

ExecutionGraph graph_of(const LayerTable& table, int passes = 1,
                        const Dialect& dialect = astra_sim_1_dialect) {
  return training_graph(table, {}, passes, dialect, {});
}

std::string name(const Operation& operation) {
  return std::string(1, "fiw"[static_cast<int>(operation.pass)]) + std::to_string(operation.layer);
}

std::string text(const ExecutionGraph& graph, Id id) {
  const Operation& operation = graph[id];
  switch (operation.kind) {
    case OperationKind::compute:
      return name(operation);
    case OperationKind::collective:
      return (operation.collective.urgent ? "!" : "+") + name(operation);
    case OperationKind::send:
    case OperationKind::receive:
      return "message";
    case OperationKind::transition:
      return "h";
    case OperationKind::begin:
      return "begin";
    case OperationKind::pass_end:
      return "|";
    case OperationKind::end:
      return "end";
    case OperationKind::load:
    case OperationKind::store:
    case OperationKind::note:
    case OperationKind::unknown:
      break;
  }
  return "nothing that a training loop has";
}

// The program in order, without its `begin`.
std::string written(const ExecutionGraph& graph) {
  std::string result;
  for (Id id = 1; id < graph.size(); ++id) {
    result += (id > 1 ? " " : "") + text(graph, id);
    const auto waits = graph.predecessors(id).subspan(1);
    for (std::size_t i = 0; i < waits.size(); ++i) result += (i ? " " : "(") + name(graph[waits[i]]);
    if (!waits.empty()) result += ")";
  }
  return result;
}

TEST(TrainingLoops, Data) {
  EXPECT_EQ(written(graph_of(make_table(data))),
            "f0 h f1 h f2 h w2 +w2 h i2 h w1 +w1 h i1 h w0 +w0 | h end(w0 w1 w2)");
}

TEST(TrainingLoops, WeightGradientsAreAwaitedInTheNextPass) {
  EXPECT_EQ(written(graph_of(make_table(data, 2), 2)),
            "f0 h f1 h w1 +w1 h i1 h w0 +w0 | h "
            "f0(w0) h f1(w1) h w1 +w1 h i1 h w0 +w0 | h end(w0 w1)");
}

TEST(TrainingLoops, DataReorder) {
  EXPECT_EQ(written(graph_of(make_table(data_reorder))),
            "f0 h f1 h f2 h i2 h w2 +w2 h i1 h w1 +w1 h w0 +w0 | h end(w0 w1 w2)");
  EXPECT_EQ(written(graph_of(make_table(data_reorder, 1))), "f0 h i0 h w0 +w0 | h end(w0)");
}

TEST(TrainingLoops, Hybrids) {
  for (TrainingPolicy policy : {hybrid_data_model, hybrid_model_data, hybrid_customized}) {
    EXPECT_EQ(written(graph_of(make_table(policy))),
              "f0 +f0 h(f0) f1 +f1 h(f1) f2 +f2 h(f2) "
              "i2 +i2 h w2 +w2 h(i2) i1 +i1 h w1 +w1 h(i1) i0 h w0 +w0 | h end(w0 w1 w2)");
  }
}

TEST(TrainingLoops, Model) {
  EXPECT_EQ(written(graph_of(make_table(model))),
            "f0 +f0 h(f0) f1 +f1 h(f1) f2 +f2 h(f2) i2 +i2 h w2 h(i2) i1 +i1 h w1 h(i1) i0 h w0 | h end");
}

TEST(TrainingLoops, Transformer) {
  EXPECT_EQ(written(graph_of(make_table(hybrid_transformer))),
            "f0 +f0 h(f0) f1 +f1 h(f1) f2 +f2 h(f2) "
            "i2 +i2 h(i2) w2 +w2 h i1 +i1 h(i1) w1 +w1 h i0 +i0 h(i0) w0 +w0 | h end(w0 w1 w2)");
}

TEST(TrainingLoops, TransformerWithRecomputation) {
  LayerTable table = make_table(hybrid_transformer_fwd_in_bckwd);
  table.checkpoints = {0};
  table.initiators = {2};
  EXPECT_EQ(written(graph_of(table)),
            "f0 +f0 h(f0) f1 +f1 h(f1) f2 +f2 h(f2) "
            "h f0 +f0 h(f0) f1 +f1 h(f1) "
            "i2 +i2 h(i2) w2 +w2 h i1 +i1 h(i1) w1 +w1 h i0 +i0 h(i0) w0 +w0 | h end(w0 w1 w2)");
}

TEST(TrainingLoops, AnInitiatorOnTheWayTakesOver) {
  LayerTable table = make_table(hybrid_transformer_fwd_in_bckwd, 3, {});
  table.checkpoints = {0};
  table.initiators = {2, 1};
  EXPECT_EQ(written(graph_of(table)), "f0 h f1 h f2 h h f0 h i1 h w1 h i0 h w0 | h end");
}

TEST(TrainingLoops, RecomputesFromTheNearestCheckpoint) {
  LayerTable table = make_table(hybrid_transformer_fwd_in_bckwd, 3, {});
  table.checkpoints = {1, 0};
  table.initiators = {2};
  EXPECT_EQ(written(graph_of(table)), "f0 h f1 h f2 h h f1 h i2 h w2 h i1 h w1 h i0 h w0 | h end");
}

LayerTable dlrm_table(TrainingPolicy policy, int last_bottom_layer) {
  LayerTable table = make_table(policy);
  table.layers[0].forward = table.layers[0].input_gradient = all_to_all_of_8;
  table.last_bottom_layer = last_bottom_layer;
  return table;
}

TEST(TrainingLoops, Dlrm) {
  EXPECT_EQ(written(graph_of(dlrm_table(hybrid_dlrm, 1))),
            "f0 !f0 h f1 h(f0) f2 h w2 +w2 h i2 !i0 h w1 +w1 h i1 h w0 +w0 |(i0) h(i0) end(w0 w1 w2)");
}

TEST(TrainingLoops, DlrmEnhancedAwaitsTheGradientExchangeAtTheEnd) {
  EXPECT_EQ(written(graph_of(dlrm_table(hybrid_dlrm_enhanced, 1))),
            "f0 !f0 h f1 h(f0) f2 h w2 +w2 h i2 !i0 h w1 +w1 h i1 h w0 +w0 | h end(i0 w0 w1 w2)");
}

// Layer 0's exchange is not awaited by itself, and the gradient's is issued behind layer B + 1, if there is
// one (docs/models/training-loops.md, Waiting for the embedding exchange).
TEST(TrainingLoops, DlrmWithBottomLayersAtTheEnds) {
  EXPECT_EQ(written(graph_of(dlrm_table(hybrid_dlrm, 0))),
            "f0 !f0 h f1 h f2 h w2 +w2 h i2 h w1 +w1 h i1 !i0 h w0 +w0 |(i0) h(i0) end(f0 w0 w1 w2)");
  EXPECT_EQ(written(graph_of(dlrm_table(hybrid_dlrm, 2))),
            "f0 !f0 h f1 h f2 h(f0) w2 +w2 h i2 h w1 +w1 h i1 h w0 +w0 | h end(w0 w1 w2)");
  for (int outside : {-1, 3, 2147483647, -2147483647 - 1}) {
    EXPECT_EQ(written(graph_of(dlrm_table(hybrid_dlrm, outside))),
              "f0 !f0 h f1 h f2 h w2 +w2 h i2 h w1 +w1 h i1 h w0 +w0 | h end(f0 w0 w1 w2)");
  }
}

TEST(TrainingLoops, DistributedInference) {
  EXPECT_EQ(written(graph_of(make_table(distributed_inference))),
            "f0 +f0 h(f0) f1 +f1 h(f1) f2 +f2 h(f2) end");
}

TEST(TrainingLoops, Micro) {
  EXPECT_EQ(written(graph_of(make_table(micro), 3)), "+w0 +w0 +w0 end(w0 w0 w0)");
}

TEST(TrainingLoops, NoPassesIsNoWork) {
  EXPECT_EQ(written(graph_of(make_table(data), 0)), "end");
}

int hops(const ExecutionGraph& graph) {
  int count = 0;
  for (Id id = 0; id < graph.size(); ++id) {
    if (graph[id].kind != OperationKind::transition) continue;
    EXPECT_EQ(graph[id].duration, Time::from_ns(1));
    ++count;
  }
  return count;
}

// The table is that of docs/models/training-loops.md, Hops, for N layers with nothing recomputed.
TEST(TrainingLoops, TakeTheHopsOfTheTable) {
  for (int n : {1, 2, 3, 7}) {
    struct Row {
      TrainingPolicy policy;
      int hops;
    };
    const Row rows[] = {{data, 3 * n - 1},
                        {data_reorder, n == 1 ? 3 : 3 * n - 1},
                        {hybrid_dlrm, 3 * n - 1},
                        {hybrid_dlrm_enhanced, 3 * n - 1},
                        {model, 3 * n},
                        {hybrid_data_model, 3 * n},
                        {hybrid_model_data, 3 * n},
                        {hybrid_customized, 3 * n},
                        {hybrid_transformer, 3 * n},
                        {hybrid_transformer_fwd_in_bckwd, 3 * n},
                        {distributed_inference, n},
                        {micro, 0}};
    for (const Row& row : rows) {
      const LayerTable table = make_table(row.policy, static_cast<std::size_t>(n));
      for (int passes : {1, 3}) EXPECT_EQ(hops(graph_of(table, passes)), passes * row.hops) << n;
      EXPECT_EQ(hops(graph_of(table, 2, native_dialect)), 0);
    }
  }
}

TEST(TrainingLoops, NativelyTheNextOperationWaits) {
  EXPECT_EQ(written(graph_of(make_table(hybrid_data_model, 2), 1, native_dialect)),
            "f0 +f0 f1(f0) +f1 i1(f1) +i1 w1 +w1 i0(i1) w0 +w0 | end(w0 w1)");
}

TEST(TrainingLoops, OperationsCarryTimesSizesDelaysAndIterations) {
  LayerTable table = make_table(data, 1);
  table.layers[0].weight_gradient = {Time::from_ns(100), CollectiveKind::all_gather, false, Bytes(1000)};
  const ExecutionGraph graph = training_graph(table, {}, 2, astra_sim_1_dialect, {2, 0.5});
  EXPECT_EQ(graph.layer_names, (std::vector<std::string>{"layer0"}));
  int seen = 0;
  for (Id id = 0; id < graph.size(); ++id) {
    const Operation& operation = graph[id];
    if (operation.kind == OperationKind::compute && operation.pass == Pass::weight_gradient) {
      EXPECT_EQ(operation.duration, Time::from_ns(200));
    }
    if (operation.kind != OperationKind::collective) continue;
    EXPECT_EQ(operation.collective.kind, CollectiveKind::all_gather);
    EXPECT_EQ(operation.collective.size, Bytes(500));
    EXPECT_TRUE(operation.collective.dimensions.all());
    EXPECT_EQ(operation.delay, Time::from_ns(7));  // never scaled
    EXPECT_EQ(operation.iteration, seen++);
  }
  EXPECT_EQ(seen, 2);
}

TEST(TrainingLoops, NoBytesIsNoCollective) {
  const LayerStep empty{Time::from_ns(5), CollectiveKind::all_reduce, false, Bytes(0)};
  EXPECT_EQ(written(graph_of(make_table(hybrid_transformer, 1, empty))), "f0 h i0 h w0 | h end");
  // 1 byte scaled to less than one
  EXPECT_EQ(written(training_graph(make_table(data, 1, {Time(), CollectiveKind::all_reduce, false, Bytes(1)}),
                                   {}, 1, astra_sim_1_dialect, {1, 0.5})),
            "f0 h w0 | h end");
}

TEST(TrainingLoops, RefuseAllReduceAllToAllOnlyWhereItIsIssued) {
  const LayerStep both{Time::from_ns(5), std::nullopt, true, Bytes(8)};
  LayerTable table = make_table(data);
  table.layers[1].forward = both;
  EXPECT_NO_THROW(graph_of(table));  // data parallelism has no forward collectives
  table.layers[1].weight_gradient = both;
  EXPECT_THROW(graph_of(table), InputError);
  EXPECT_NO_THROW(graph_of(table, 0));
  EXPECT_THROW(graph_of(make_table(micro, 1, both)), InputError);
  EXPECT_NO_THROW(graph_of(make_table(hybrid_dlrm, 1, all_reduce_of_8)));
}

TEST(TrainingLoops, RefuseMoreThanFitsIntoMemory) {
  EXPECT_THROW(graph_of(make_table(micro), 2'000'000'000), InputError);
}

}  // namespace
}  // namespace orrery::core::training_loops_test
