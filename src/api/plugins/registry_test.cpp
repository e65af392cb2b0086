#include "orrery/registry.hpp"

#include <gtest/gtest.h>

#include "orrery/experiment.hpp"
#include "support/cases.hpp"
#include "support/source_dir.hpp"

namespace orrery::core::test::registry_test {
namespace {

using orrery::Problems;
using orrery::Registry;

std::string load_problem(const std::string& file) {
  Registry registry;
  const Problems problems = registry.load(file);
  EXPECT_TRUE(registry.networks().empty());
  EXPECT_TRUE(registry.files().empty());
  return problems.empty() ? "" : problems.front().text();
}

TEST(Registry, LoadsWhatAPluginAdds) {
  Registry registry;
  ASSERT_TRUE(registry.load(test_plugin("star")).empty());
  EXPECT_TRUE(registry.networks().contains("star"));
  EXPECT_EQ(registry.files(), std::vector{test_plugin("star")});

  orrery::Document document;
  document["network"] = {{"build", "star"}, {"size", 8}, {"bandwidth", "50 GB/s"}, {"latency", "1 us"}};
  document["workload"]["policy"] = "data";
  document["workload"]["layers"] = orrery::Document::List{
      {{"name", "layer"},
       {"weight-gradient", {{"compute", "1 us"}, {"collective", "all-reduce"}, {"size", "1 MB"}}}}};
  const auto built = orrery::Experiment::from(document, {.registry = registry}).value().simulate();
  ASSERT_TRUE(built.ok()) << built.problems().front();
  EXPECT_EQ(built[0].npus(), 8);
  // The same network in Orrery's own words.
  document["network"] = {
      {"build", "switch"}, {"size", 8}, {"link", {{"bandwidth", "50 GB/s"}, {"latency", "1 us"}}}};
  const auto own = orrery::Experiment::from(document).value().simulate();
  ASSERT_TRUE(own.ok()) << own.problems().front();
  EXPECT_EQ(built[0].time(), own[0].time());
}

TEST(Registry, RefusesWhatIsNoPlugin) {
  EXPECT_NE(load_problem(test_plugin("nothing")).find("is no plug-in of Orrery"), std::string::npos);
  EXPECT_NE(load_problem(test_plugin("other_version")).find("build it again with the headers"),
            std::string::npos);
  EXPECT_NE(load_problem(test_plugin("throws")).find("says: no license"), std::string::npos);
  EXPECT_NE(load_problem("missing.so").find("missing.so: error: there is no such file"), std::string::npos);
  EXPECT_NE(load_problem(source_dir() + "/README.md").find("cannot be loaded"), std::string::npos);
}

class Spine : public orrery::NetworkBuilder {
  orrery::NetworkPlan build(const orrery::Parameters&) const override { return {}; }
};
class Report : public orrery::Exporter {
  std::vector<orrery::ExportedFile> files(const orrery::ExportedRun&) const override { return {}; }
};

// A part is that of its plug-in until the program puts another under its name.
TEST(Registry, ListsItsParts) {
  Registry registry;
  registry.add<Report>("page");
  registry.add<Spine>("spine");
  ASSERT_TRUE(registry.load(test_plugin("star")).empty());
  const orrery::Table parts = registry.parts();
  EXPECT_EQ(parts.name(), "plug-ins");
  ASSERT_EQ(parts.rows(), 3u);
  EXPECT_EQ(parts.text(0, "name"), "spine");
  EXPECT_TRUE(parts.is_missing(0, "file"));
  EXPECT_EQ(parts.text(1, "kind"), "form of networks");
  EXPECT_EQ(parts.text(1, "name"), "star");
  EXPECT_EQ(parts.text(1, "use"), "build: star");
  EXPECT_EQ(parts.text(1, "file"), test_plugin("star"));
  EXPECT_EQ(parts.text(2, "name"), "page");
  EXPECT_TRUE(parts.is_missing(2, "use"));
  EXPECT_EQ(registry.file_of(registry.networks().at("star")), test_plugin("star"));
  registry.add<Spine>("star");
  EXPECT_EQ(registry.file_of(registry.networks().at("star")), "");
  EXPECT_EQ(Registry().parts().rows(), 0u);
}

struct Ring : orrery::CollectiveAlgorithm {
  bool runs(orrery::Collective, std::uint32_t) const override { return false; }
  orrery::SendList sends(orrery::Collective, std::uint32_t) const override { return {}; }
};
struct First : orrery::Routing {
  std::size_t choose(const orrery::RoutingPoint&) const override { return 0; }
};
struct Silent : orrery::CongestionControl {
  std::unique_ptr<orrery::CongestionFlow> begin(const orrery::FlowStart&) const override { return nullptr; }
};
struct Instant : orrery::ComputeModel {
  double seconds(const orrery::Operator&, const orrery::DeviceFacts&) const override { return 0; }
};

struct Unheard : orrery::experimental::NetworkModel {
  std::unique_ptr<orrery::experimental::MessageCarrier> begin(
      const orrery::experimental::NetworkFacts&, orrery::experimental::NetworkRun&) const override {
    return nullptr;
  }
};

// Every kind has names of its own, and tells users how they ask for a part.
TEST(Registry, HoldsPartsByKindAndName) {
  Registry registry;
  registry.add<Spine>("mine");
  registry.add<Ring>("mine");
  registry.add<First>("mine");
  registry.add<Silent>("mine");
  registry.add<Instant>("mine");
  registry.add<Report>("mine");
  registry.add<Unheard>("mine");
  EXPECT_EQ(registry.networks().size(), 1u);
  EXPECT_TRUE(registry.algorithms().contains("mine"));
  EXPECT_TRUE(registry.routings().contains("mine"));
  EXPECT_TRUE(registry.congestion_controls().contains("mine"));
  EXPECT_TRUE(registry.compute_models().contains("mine"));
  EXPECT_TRUE(registry.exporters().contains("mine"));
  EXPECT_TRUE(registry.network_models().contains("mine"));
  const orrery::Table parts = registry.parts();
  ASSERT_EQ(parts.rows(), 7u);
  const char* const uses[] = {"build: mine",
                              "algorithm: mine",
                              "routing: mine",
                              "congestion-control: mine",
                              "compute-model: mine",
                              "network-model: mine",
                              ""};
  for (std::size_t row = 0; row < parts.rows(); ++row)
    EXPECT_EQ(parts.text(row, "use").value_or(""), uses[row]);
  registry.add<Ring>("mine");
  EXPECT_EQ(registry.parts().rows(), 7u);
}

TEST(Registry, CopiesHaveListsOfTheirOwn) {
  const Registry none;
  Registry one = none;
  ASSERT_TRUE(one.load(test_plugin("star")).empty());
  EXPECT_TRUE(none.networks().empty());
  EXPECT_EQ(one.networks().size(), 1u);
}

}  // namespace
}  // namespace orrery::core::test::registry_test
