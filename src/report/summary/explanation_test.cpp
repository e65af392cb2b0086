#include "report/summary/explanation.hpp"

#include <gtest/gtest.h>

#include "support/whole_machine.hpp"

namespace orrery::core::explanation_test {
namespace {

class Explanation : public testing::Test {
 protected:
  Explanation() {
    Dimension ring;
    ring.name = "x";
    ring.size = 8;
    ring.link_bandwidth = Bandwidth::from_gb_per_s(1);
    machine.topology.dimensions = {ring};
    machine.system.algorithms.fill({AlgorithmChoice{}});
    Operation all_reduce{OperationKind::collective, Pass::forward, 0, 0, {}, {}, {}};
    all_reduce.collective = {CollectiveKind::all_reduce, Bytes(80), ~DimensionSet(), false};
    graph.layer_names = {"a"};
    graph.add(all_reduce, {});
    graph.add({OperationKind::end, Pass::forward, -1, 0, {}, {}, {}}, std::vector<ExecutionGraph::Id>{0});
  }
  std::string explained(bool fold = true) {
    const Program program = test::on_all_ranks(graph, machine.topology);
    const SimulationPlan plan = plan_simulation(program, machine, fold);
    return explanation("run", machine, plan->survey(), simulate(program, machine, plan));
  }

  Machine machine;
  ExecutionGraph graph;
};

TEST_F(Explanation, OfEqualRanks) {
  const std::string text = explained();
  EXPECT_NE(text.find("ranks folded: 1 simulated for 8\n    all start and end everything together"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("events for 112 messages"), std::string::npos) << text;
}

TEST_F(Explanation, OfWhatTellsRanksApart) {
  machine.compute_slowdown = {1, 1, 1, 2, 1, 1, 1, 1};
  machine.network.slow_links = {{0, {3}, 2.0}};
  const std::string text = explained();
  EXPECT_NE(text.find("they compute at 2 different speeds"), std::string::npos) << text;
  EXPECT_NE(text.find("some have slow links into dimension 'x'"), std::string::npos) << text;
  machine.network.slow_links.clear();
  EXPECT_NE(explained().find("    rank 0 stands for 7\n    rank 3 stands for 1\n"), std::string::npos);
}

TEST_F(Explanation, OfTrees) {
  for (auto& choices : machine.system.algorithms) choices[0].algorithm = &double_binary_tree_algorithm;
  EXPECT_NE(explained().find("in dimension 'x' it matters at which of 8 positions a rank stands"),
            std::string::npos);
}

TEST_F(Explanation, OfWhatIsNotFolded) {
  EXPECT_NE(explained(false).find("every message of every rank (112 messages"), std::string::npos);
  EXPECT_NE(explained(false).find("not folded, because it was turned off\n"), std::string::npos);
}

}  // namespace
}  // namespace orrery::core::explanation_test
