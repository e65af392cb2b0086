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

TEST(Registry, CopiesHaveListsOfTheirOwn) {
  const Registry none;
  Registry one = none;
  ASSERT_TRUE(one.load(test_plugin("star")).empty());
  EXPECT_TRUE(none.networks().empty());
  EXPECT_EQ(one.networks().size(), 1u);
}

}  // namespace
}  // namespace orrery::core::test::registry_test
