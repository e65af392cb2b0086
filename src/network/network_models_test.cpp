#include "network/network_models.hpp"

#include <gtest/gtest.h>

#include "network/network_setup.hpp"
#include "support/sent_messages.hpp"
#include "topology/flits/flit_network.hpp"

namespace orrery::core::network_models_test {
namespace {

// Four NPUs behind a switch: a byte takes a nanosecond on a link, and there is no latency.
Topology machine() {
  Dimension dimension;
  dimension.name = "d";
  dimension.block = Block::switched;
  dimension.size = 4;
  dimension.links = 1;
  dimension.link_bandwidth = Bandwidth::from_gb_per_s(1);
  return {{dimension}};
}

// Returns when 1000 bytes from each of two NPUs have arrived at a third, in ns.
std::vector<std::int64_t> arrivals(NetworkModel model, const Dialect& dialect) {
  SentMessages sent;
  const Topology topology = machine();
  const NetworkSetup network;
  const auto transport = model->make({topology, dialect, network}, sent.loop);
  sent.add({1, 0, 1000});
  sent.add({2, 0, 1000});
  std::vector<std::int64_t> arrivals;
  for (const Delivery& delivery : sent.run(*transport)) arrivals.push_back(delivery.ps / 1000);
  return arrivals;
}

using Times = std::vector<std::int64_t>;

TEST(MakeTransport, AnalyticalMessagesShareLinksUnlessTheDialectLetsThemOverloadThem) {
  EXPECT_EQ(arrivals(&analytical_model, native_dialect), (Times{2000, 2000}));
  EXPECT_EQ(arrivals(&analytical_model, astra_sim_2_dialect), (Times{1000, 1000}));
}

TEST(MakeTransport, LinksCarryOneMessageAtATime) {
  EXPECT_EQ(arrivals(&link_model, native_dialect), (Times{1000, 2000}));
  EXPECT_EQ(arrivals(&link_model, astra_sim_2_dialect), (Times{2000, 3000}));
}

TEST(UsualModel, HasMessagesShareLinksWhereTheyMayMeet) {
  EXPECT_EQ(usual_model(machine(), native_dialect, false), &fluid_model);
  EXPECT_EQ(usual_model(machine(), native_dialect, true), &analytical_model);
  EXPECT_EQ(usual_model(machine(), astra_sim_1_dialect, false), &analytical_model);
  EXPECT_EQ(usual_model(machine(), astra_sim_2_dialect, false), &analytical_model);
}

// Whoever describes flits wants them simulated.
TEST(UsualModel, SimulatesFlitsThatAreDescribed) {
  Topology flits = machine();
  flits.flits = std::make_shared<const FlitNetwork>();
  EXPECT_EQ(usual_model(flits, native_dialect, false), &packet_model);
  EXPECT_EQ(usual_model(flits, astra_sim_1_dialect, false), &packet_model);
  EXPECT_EQ(usual_model(flits, native_dialect, true), &analytical_model);
}

}  // namespace
}  // namespace orrery::core::network_models_test
