// Errors as programs get them: one of each kind, with its place, its message and what to do.
#include <gtest/gtest.h>

#include <sstream>
#include <stdexcept>

#include "orrery/experiment.hpp"

namespace orrery::core::test::api_problems_test {
namespace {

using orrery::Document;
using orrery::Problem;
using orrery::ProblemKind;
using Api = orrery::Experiment;

// Four hosts at a switch that reduce gradients, in packets.
Document star() {
  Document document;
  document["network"] = {
      {"build", "switch"}, {"size", 4}, {"link", {{"bandwidth", "12.5 GB/s"}, {"latency", "1 us"}}}};
  document["network-model"] = "packet";
  document["workload"]["policy"] = "data";
  document["workload"]["layers"] = Document::List{
      {{"name", "layer"}, {"weight-gradient", {{"collective", "all-reduce"}, {"size", "40 KB"}}}}};
  return document;
}

Problem problem_of_run(const Document& document, const orrery::RunOptions& options = {}) {
  const orrery::Runs runs = Api::from(document).value().simulate(options);
  EXPECT_FALSE(runs.ok());
  EXPECT_FALSE(runs[0].ok());
  return runs[0].problem().value_or(Problem());
}

TEST(ApiProblems, OfInputSayWhereAndWhatToDo) {
  Document document = star();
  document["workload"]["layers"][0]["weight-gradient"]["size"] = "big";
  const auto read = Api::from(document);
  ASSERT_FALSE(read.ok());
  ASSERT_EQ(read.problems().size(), 1u);
  const Problem& problem = read.problems().front();
  EXPECT_EQ(problem.kind, ProblemKind::input);
  EXPECT_EQ(problem.place, "experiment.workload.layers[0].weight-gradient.size");
  EXPECT_NE(problem.message.find("`big`"), std::string::npos) << problem.message;
  EXPECT_EQ(problem.run, "");
  EXPECT_EQ(problem.text(), problem.place + ": error: " + problem.message);

  const auto model = Api::from(star(), {.network_model = "magic"});
  EXPECT_EQ(model.problems().front().place, "network_model");
}

// A model that does not fit its device is noticed only when the run is put together, and names the run.
TEST(ApiProblems, OfInputMayBeOfARun) {
  Document document;
  document["platform"] = "dgx-a100";
  document["workload"] = {
      {"model", "gpt3-175b"}, {"batch", {{"global", 8}, {"micro", 1}}}, {"parallelism", {{"tensor", 8}}}};
  document["name"] = "full";
  const Problem problem = problem_of_run(document);
  EXPECT_EQ(problem.kind, ProblemKind::input);
  EXPECT_EQ(problem.run, "full");
  EXPECT_FALSE(problem.hint.empty());
  EXPECT_TRUE(problem.message.ends_with("; " + problem.hint)) << problem.message;
}

// A flow whose sender waits for what was lost never ends, as senders of ns-3's profile are.
TEST(ApiProblems, OfAStallSayWhoWaits) {
  Document document = star();
  document["packets"] = {{"profile", "ns-3"}, {"loss", 0.04}};
  const Problem problem = problem_of_run(document);
  EXPECT_EQ(problem.kind, ProblemKind::stall);
  EXPECT_NE(problem.message.find("4 of 4 ranks have not ended"), std::string::npos) << problem.message;
  EXPECT_EQ(problem.text().find("internal"), std::string::npos);
}

TEST(ApiProblems, OfARunThatWasStoppedSaySo) {
  std::stop_source source;
  source.request_stop();
  const Problem problem = problem_of_run(star(), {.stop = source.get_token()});
  EXPECT_EQ(problem.kind, ProblemKind::stopped);
  EXPECT_EQ(problem.run, "experiment");
  EXPECT_EQ(problem.message, "stopped before the end");
}

// An exception that nobody foresaw is a fault of Orrery. From outside only a listener that breaks its
// contract gets there.
TEST(ApiProblems, OfOrreryAreToldApartFromThoseOfUsers) {
  const Problem problem = problem_of_run(star(), {.progress = [](const orrery::Progress& now) {
                                           if (now.ended == 0) throw std::logic_error("nobody foresaw this");
                                         }});
  EXPECT_EQ(problem.kind, ProblemKind::internal);
  EXPECT_EQ(problem.run, "experiment");
  EXPECT_EQ(problem.place, "");
  EXPECT_EQ(problem.hint, "");
  EXPECT_EQ(problem.text(), "internal error: nobody foresaw this");
}

TEST(ApiProblems, ArePrintedAsTheProgramPrintsThem) {
  const Problem problem{ProblemKind::input, "step.yaml:3:5", "is wrong; mend it", "mend it", ""};
  std::ostringstream out;
  out << problem;
  EXPECT_EQ(out.str(), "step.yaml:3:5: error: is wrong; mend it");
  EXPECT_EQ(out.str(), problem.text());
}

TEST(ApiProblems, AreThrownByWhoeverAsksForAValue) {
  const orrery::Result<std::string> good(std::string("value"));
  EXPECT_TRUE(good.ok());
  EXPECT_TRUE(good);
  EXPECT_EQ(good.value(), "value");
  EXPECT_EQ(*good, "value");
  EXPECT_EQ(good->size(), 5u);
  EXPECT_TRUE(good.problems().empty());

  const orrery::Result<std::string> bad(
      orrery::Problems{{ProblemKind::input, "a", "one", "", ""}, {ProblemKind::input, "b", "two", "", ""}});
  EXPECT_FALSE(bad.ok());
  try {
    (void)bad.value();
    FAIL();
  } catch (const orrery::Error& error) {
    EXPECT_STREQ(error.what(), "a: error: one\nb: error: two");
    ASSERT_EQ(error.problems().size(), 2u);
    EXPECT_EQ(error.problems()[1].message, "two");
  }
}

}  // namespace
}  // namespace orrery::core::test::api_problems_test
