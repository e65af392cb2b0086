// A part of a plug-in is told of the keys that a user wrote.
#include "orrery/parameters.hpp"

#include <gtest/gtest.h>

#include <functional>

#include "orrery/network.hpp"

namespace orrery::core::test::parameters_test {
namespace {

using orrery::Document;
using orrery::Parameters;

// A pair of NPUs, whose builder does what a test asks for.
class Asking : public orrery::NetworkBuilder {
 public:
  using Ask = std::function<void(const Parameters&)>;
  explicit Asking(Ask ask) : ask_(std::move(ask)) {}
  orrery::NetworkPlan build(const Parameters& keys) const override {
    ask_(keys);
    orrery::NetworkPlan plan;
    const std::size_t first = plan.add({}), second = plan.add({});
    plan.cables.push_back({.from = first, .to = second, .bandwidth = 1e9});
    return plan;
  }

 private:
  Ask ask_;
};

// Returns what is wrong with the network, as the user reads it; empty where nothing is.
std::string told(const Document& keys, const Asking::Ask& ask) {
  orrery::Registry registry;
  registry.add<Asking>("pair", ask);
  Document document = keys;
  document["build"] = "pair";
  const auto network = orrery::Network::from(document, registry);
  return network ? "" : network.problems().front().text();
}

TEST(Parameters, HaveTheValuesThatTheUserWrote) {
  const Document keys = {{"count", 3},         {"share", 0.25},         {"open", true},
                         {"name", "pair"},     {"delay", "2 us"},       {"rate", "25 GB/s"},
                         {"buffer", "64 KiB"}, {"link", {{"lanes", 4}}}};
  EXPECT_EQ(told(keys,
                 [](const Parameters& of) {
                   EXPECT_TRUE(of.has("count"));
                   EXPECT_FALSE(of.has("colour"));
                   EXPECT_EQ(of.integer("count", 1, 8), 3);
                   EXPECT_EQ(of.real("share", 0, 1), 0.25);
                   EXPECT_TRUE(of.boolean("open"));
                   EXPECT_EQ(of.text("name"), "pair");
                   EXPECT_EQ(of.time("delay"), orrery::Time::picoseconds(2'000'000));
                   EXPECT_EQ(of.bandwidth("rate"), 25e9);
                   EXPECT_EQ(of.bytes("buffer"), 65'536u);
                   EXPECT_EQ(of.map("link")->integer("lanes", 1, 8), 4);
                 }),
            "");
}

TEST(Parameters, SayAtItsPlaceWhatIsWrongWithAValue) {
  const auto real = [](const Parameters& of) { of.real("share", 0, 1); };
  EXPECT_EQ(told({{"share", 2}}, real).find("network.share: error: "), 0u) << told({{"share", 2}}, real);
  EXPECT_NE(told({{"share", 1}}, [](const Parameters& of) { of.real("part", 0, 1); }).find("`part`"),
            std::string::npos);
  const auto boolean = [](const Parameters& of) { of.boolean("open"); };
  EXPECT_EQ(told({{"open", "ajar"}}, boolean).find("network.open: error: "), 0u);
  const auto bytes = [](const Parameters& of) { of.bytes("buffer"); };
  EXPECT_EQ(told({{"buffer", "64 us"}}, bytes).find("network.buffer: error: "), 0u);
}

TEST(Parameters, AreRefusedWithTheReasonOfThePlugin) {
  const auto refuse = [](const Parameters& of) {
    of.refuse("size", std::to_string(of.integer("size", 0, 9)) + " is odd; write an even number");
  };
  EXPECT_EQ(told({{"size", 3}}, refuse), "network.size: error: 3 is odd; write an even number");
  const auto refuse_all = [](const Parameters& of) {
    of.integer("size", 0, 9);
    of.refuse("", "these do not fit each other");
  };
  EXPECT_EQ(told({{"size", 3}}, refuse_all), "network: error: these do not fit each other");
}

}  // namespace
}  // namespace orrery::core::test::parameters_test
