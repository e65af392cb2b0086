#include "simulate/folding/symmetry.hpp"

#include <gtest/gtest.h>

#include "network/host/host_stack_option.hpp"
#include "network/network_options.hpp"
#include "program/graph_builder.hpp"
#include "simulate/folding/folding.hpp"
#include "simulate/run/simulation.hpp"
#include "simulate/slots/slot_folding.hpp"
#include "support/whole_machine.hpp"

namespace orrery::core::symmetry_test {
namespace {

// An option that changes nothing, and of which its kind may say so.
class AnyOption final : public NetworkOption {
 public:
  explicit AnyOption(const NetworkOptionKind& kind) : kind_(kind) {}

  const NetworkOptionKind& kind() const override { return kind_; }
  std::unique_ptr<Transport> around(std::unique_ptr<Transport> carrier, const Topology& /*topology*/,
                                    EventLoop& /*loop*/, bool /*one_for_all*/) const override {
    return carrier;
  }

 private:
  const NetworkOptionKind& kind_;
};

constexpr NetworkOptionKind forgotten{.key = {.name = "forgotten", .fallback = "none", .meaning = "nothing"}};
constexpr NetworkOptionKind harmless{.key = {.name = "harmless", .fallback = "none", .meaning = "nothing"},
                                     .symmetry = Symmetry::kept};

class SymmetryTest : public testing::Test {
 protected:
  SymmetryTest() {
    Dimension dimension;
    dimension.block = Block::switched;
    dimension.size = 8;
    dimension.link_bandwidth = Bandwidth::from_gb_per_s(1);
    machine.topology.dimensions = {dimension};
    machine.system.algorithms.fill({AlgorithmChoice{}});
    GraphBuilder graph;
    const auto all_reduce = graph.after(
        graph.last(), {.kind = OperationKind::collective,
                       .collective = {CollectiveKind::all_reduce, Bytes(32'000), ~DimensionSet()}});
    graph.wait_for(all_reduce);
    program = test::on_all_ranks(graph.end(), machine.topology);
  }

  Recording run() const { return simulate(program, machine, plan_simulation(program, machine)); }

  Machine machine;
  Program program;
};

TEST_F(SymmetryTest, AnOptionThatNobodyClassifiedMakesEveryRankSimulated) {
  for (const NetworkModel model : {&analytical_model, &fluid_model}) {
    machine.network.model = model;
    machine.network.options.clear();
    const Recording without = run();
    ASSERT_TRUE(without.folded) << model->name;

    machine.network.options = {std::make_shared<const AnyOption>(harmless)};
    EXPECT_TRUE(run().folded) << model->name;

    machine.network.options.push_back(std::make_shared<const AnyOption>(forgotten));
    const Recording with = run();
    EXPECT_FALSE(with.folded) << model->name;
    EXPECT_TRUE(with.classes.distinct()) << model->name;
    EXPECT_EQ(with.end(), without.end()) << model->name;
    EXPECT_EQ(with.not_folded_because, "nobody has said whether ranks stay equal with `forgotten`");
  }
}

TEST_F(SymmetryTest, SoItIsWithRanksThatIssueInSlots) {
  machine.dialect = astra_sim_2_dialect;
  EXPECT_NE(fold_slots(program, machine, true).level, SlotFolding::Level::messages);
  machine.network.options = {std::make_shared<const AnyOption>(forgotten)};
  EXPECT_EQ(fold_slots(program, machine, true).level, SlotFolding::Level::messages);
}

TEST_F(SymmetryTest, ThatOptionAllowsNoShortcutAtAll) {
  machine.network.options = {std::make_shared<const AnyOption>(forgotten)};
  for (unsigned bit = 1; bit <= static_cast<unsigned>(Shortcut::slots_one_for_all); bit <<= 1)
    EXPECT_NE(why_not(static_cast<Shortcut>(bit), machine), "") << bit;
}

TEST_F(SymmetryTest, EveryOptionThatUsersHaveIsClassified) {
  for (const NetworkOptionKind* kind : network_option_kinds) {
    EXPECT_NE(kind->symmetry, Symmetry::unclassified) << kind->key.name;
    EXPECT_EQ(kind->why_not_folded.empty(), kind->symmetry == Symmetry::kept) << kind->key.name;
  }
}

// One rank's messages pass its cores as those of all ranks do, but phases meet there, and so do collectives
// that take known times otherwise.
TEST_F(SymmetryTest, HostStacksKeepRanksAlikeButNotPhasesApart) {
  machine.network.options = {option_of(HostStack())};
  EXPECT_EQ(why_not(Shortcut::one_for_all, machine), "");
  for (const Shortcut shortcut :
       {Shortcut::isolated_phases, Shortcut::known_times, Shortcut::slots_one_for_all})
    EXPECT_EQ(why_not(shortcut, machine), "messages may meet on links");
}

TEST_F(SymmetryTest, SlowLinksAndStragglersAreToldApartByClasses) {
  machine.compute_slowdown.assign(8, 1.5);
  machine.network.slow_links = {{0, {3}, 2.0}};
  EXPECT_EQ(why_not(Shortcut::equal_ranks, machine), "");
  EXPECT_EQ(why_not(Shortcut::isolated_phases, machine), "");
  EXPECT_EQ(why_not(Shortcut::one_for_all, machine), "some ranks are slower, and messages may meet on links");
  EXPECT_EQ(why_not(Shortcut::slots_in_one_go, machine), "some links are slow");
  EXPECT_EQ(why_not(Shortcut::slots_one_rank, machine), "they compute at speeds of their own");
}

}  // namespace
}  // namespace orrery::core::symmetry_test
