// Parts of one's own in experiments, whoever adds them to the registry.
#include <gtest/gtest.h>

#include <bit>
#include <cctype>
#include <filesystem>
#include <functional>
#include <memory>
#include <stdexcept>

#include "base/files/file.hpp"
#include "orrery/experiment.hpp"
#include "support/cases.hpp"

namespace orrery::core::test::plugins_test {
namespace {

using orrery::Document;
using orrery::Registry;
using Api = orrery::Experiment;

Document with_network(const Document& network) {
  Document document;
  document["network"] = network;
  document["network-model"] = "fluid";
  document["workload"]["policy"] = "data";
  document["workload"]["layers"] = Document::List{
      {{"name", "layer"},
       {"weight-gradient", {{"compute", "1 us"}, {"collective", "all-reduce"}, {"size", "1 MB"}}}}};
  return document;
}

Document ring_of(int npus) {
  return Document::List{
      {{"topology", "ring"}, {"size", npus}, {"bandwidth", "50 GB/s"}, {"latency", "1 us"}}};
}

// Returns the time of a run, or what is wrong with it.
std::string outcome(const Document& document, const Registry& registry) {
  const auto experiment = Api::from(document, {.registry = registry});
  if (!experiment) return experiment.problems().front().text();
  const auto runs = experiment->simulate();
  if (!runs.ok()) return runs.problems().front().text();
  return std::to_string(runs[0].time().picoseconds());
}

class Hypercube : public orrery::NetworkBuilder {
 public:
  orrery::NetworkPlan build(const orrery::Parameters& keys) const override {
    const auto dimensions = static_cast<unsigned>(keys.integer("dimensions", 1, 10));
    const auto link = keys.map("link");
    orrery::NetworkPlan plan;
    plan.npus_forward = true;
    for (std::size_t npu = 0; npu < std::size_t{1} << dimensions; ++npu) plan.add({});
    for (unsigned bit = 0; bit < dimensions; ++bit)
      for (std::size_t npu = 0; npu < plan.nodes.size(); ++npu)
        if ((npu >> bit & 1) == 0)
          plan.cables.push_back({.from = npu,
                                 .to = npu | std::size_t{1} << bit,
                                 .bandwidth = link->bandwidth("bandwidth"),
                                 .latency = link->time("latency")});
    plan.groups = std::vector<int>(dimensions, 2);
    return plan;
  }
};

TEST(Plugins, ANetworkIsWhatTheSameNetworkInOrrerysWordsIs) {
  Registry registry;
  registry.add<Hypercube>("hypercube");
  const Document link = {{"bandwidth", "50 GB/s"}, {"latency", "1 us"}};
  const Document side = {{"size", 2}, {"link", link}};
  const std::string own =
      outcome(with_network({{"build", "mesh"}, {"dimensions", Document::List{side, side, side}}}), {});
  EXPECT_EQ(outcome(with_network({{"build", "hypercube"}, {"dimensions", 3}, {"link", link}}), registry),
            own);
  EXPECT_TRUE(std::isdigit(static_cast<unsigned char>(own[0]))) << own;
  // It may stand inside another network, and another one inside it may not, as it does not ask for one.
  const Document inside = {{"build", "hypercube"}, {"dimensions", 2}, {"link", link}};
  const std::string boxes =
      outcome(with_network({{"build", "ring"}, {"size", 3}, {"link", link}, {"inside", inside}}), registry);
  EXPECT_TRUE(std::isdigit(static_cast<unsigned char>(boxes[0]))) << boxes;
}

TEST(Plugins, KeysThatNobodyAsksForAreRefusedAtTheirPlaces) {
  Registry registry;
  registry.add<Hypercube>("hypercube");
  Document network = {{"build", "hypercube"},
                      {"dimensions", 3},
                      {"link", {{"bandwidth", "50 GB/s"}, {"latency", "1 us"}, {"colour", "red"}}}};
  EXPECT_EQ(outcome(with_network(network), registry).find("experiment.network.link.colour: error: "), 0u);
  network["link"].erase("colour");
  network["size"] = 3;
  EXPECT_EQ(outcome(with_network(network), registry).find("experiment.network.size: error: "), 0u);
  network.erase("size");
  network["dimensions"] = 11;
  EXPECT_EQ(outcome(with_network(network), registry).find("experiment.network.dimensions: error: "), 0u);
  EXPECT_NE(outcome(with_network(network), {}).find("`build`"), std::string::npos);
}

class NetworkOf : public orrery::NetworkBuilder {
 public:
  explicit NetworkOf(std::function<orrery::NetworkPlan()> make) : make_(std::move(make)) {}
  orrery::NetworkPlan build(const orrery::Parameters&) const override { return make_(); }

 private:
  std::function<orrery::NetworkPlan()> make_;
};

TEST(Plugins, NetworksThatCannotBeAreRefused) {
  const auto pair = [](const orrery::CablePlan& cable) {
    orrery::NetworkPlan plan;
    plan.add({});
    plan.add({});
    plan.cables.push_back(cable);
    return plan;
  };
  const std::vector<std::pair<orrery::NetworkPlan, std::string>> cases{
      {{}, "it has no NPU"},
      {pair({.from = 0, .to = 2, .bandwidth = 1e9}), "leads from node 0 to node 2"},
      {pair({.from = 1, .to = 1, .bandwidth = 1e9}), "have to differ"},
      {pair({.from = 0, .to = 1}), "has a bandwidth of 0"},
      {pair({.from = 0, .to = 1, .bandwidth = 1e9, .latency = orrery::Time::picoseconds(-1)}),
       "a latency below 0"},
      {pair({.from = 0, .to = 1, .bandwidth = 1e9, .loss = 2}), "loses a share of 2"},
      {pair({.from = 0, .to = 1, .bandwidth = 1e9, .count = 0}), "stands for 0 cables"},
  };
  for (const auto& [plan, why] : cases) {
    Registry registry;
    registry.add<NetworkOf>("odd", [plan = plan] { return plan; });
    EXPECT_NE(outcome(with_network({{"build", "odd"}}), registry).find(why), std::string::npos) << why;
  }
  Registry registry;
  registry.add<NetworkOf>("odd", []() -> orrery::NetworkPlan { throw std::runtime_error("out of cables"); });
  EXPECT_NE(outcome(with_network({{"build", "odd"}}), registry)
                .find("the network `odd` of a plug-in says: out of cables"),
            std::string::npos);
}

// Every member sends to every other one, for the kinds that a test asks for.
class Direct : public orrery::CollectiveAlgorithm {
 public:
  bool runs(orrery::Collective, std::uint32_t members) const override { return members != 5; }

  orrery::SendList sends(orrery::Collective kind, std::uint32_t n) const override {
    orrery::SendList list{.chunks = n};
    const bool reduces = kind == orrery::Collective::all_reduce || kind == orrery::Collective::reduce_scatter;
    for (std::uint32_t step = 1; step < n; ++step)
      for (std::uint32_t from = 0; from < n; ++from) {
        const std::uint32_t to = (from + step) % n;
        if (kind == orrery::Collective::all_to_all)
          list.sends.push_back({.from = from, .to = to, .chunk = to, .into = from});
        else if (reduces)
          list.sends.push_back({.from = from, .to = to, .chunk = to, .into = to, .reduces = true});
        else
          list.sends.push_back({.from = from, .to = to, .chunk = from, .into = from});
      }
    if (kind == orrery::Collective::all_reduce)
      for (std::uint32_t step = 1; step < n; ++step)
        for (std::uint32_t from = 0; from < n; ++from)
          list.sends.push_back({.from = from, .to = (from + step) % n, .chunk = from, .into = from});
    return list;
  }
};

Document with_algorithm(int npus, const std::string& collective, const Document& algorithm) {
  Document document = with_network(ring_of(npus));
  document["workload"]["layers"][0]["weight-gradient"]["collective"] = collective;
  document["system"]["collectives"][collective] = algorithm;
  return document;
}

TEST(Plugins, ListsOfSendsRunEveryKindOfCollective) {
  Registry registry;
  registry.add<Direct>("mine");
  for (const std::string kind : {"all-reduce", "reduce-scatter", "all-gather", "all-to-all"})
    for (const int npus : {2, 3, 4, 7}) {
      const std::string took = outcome(with_algorithm(npus, kind, "mine"), registry);
      EXPECT_TRUE(std::isdigit(static_cast<unsigned char>(took[0]))) << kind << ' ' << npus << ' ' << took;
    }
  // Nobody has lists for five members, unless another algorithm runs what remains.
  EXPECT_NE(outcome(with_algorithm(5, "all-reduce", "mine"), registry).find("`otherwise`"),
            std::string::npos);
  EXPECT_EQ(
      outcome(with_algorithm(5, "all-reduce", {{"algorithm", "mine"}, {"otherwise", "ring"}}), registry),
      outcome(with_algorithm(5, "all-reduce", "ring"), {}));
  EXPECT_NE(outcome(with_algorithm(4, "all-reduce", "mine"), {}).find("`algorithm`"), std::string::npos);
}

// A gather by two members is one message of each: a preparation, the message, a preparation.
TEST(Plugins, ASendTakesWhatItsMessageTakes) {
  Registry registry;
  registry.add<Direct>("mine");
  Document document = with_algorithm(2, "all-gather", "mine");
  document["network-model"] = "analytical";
  document["system"]["endpoint-delay"] = "10 ns";
  const std::int64_t compute = 1'000'000, delays = 2 * 10'000, latency = 1'000'000,
                     bytes = 10'000'000;  // on two links
  EXPECT_EQ(outcome(document, registry), std::to_string(compute + delays + latency + bytes));
}

class ListOf : public orrery::CollectiveAlgorithm {
 public:
  explicit ListOf(orrery::SendList list) : list_(std::move(list)) {}
  bool runs(orrery::Collective, std::uint32_t) const override { return true; }
  orrery::SendList sends(orrery::Collective, std::uint32_t) const override { return list_; }

 private:
  orrery::SendList list_;
};

TEST(Plugins, ListsThatDoNotComputeTheCollectiveAreRefused) {
  const std::vector<std::pair<orrery::SendList, std::string>> cases{
      {{.chunks = 0}, "1 to 1000000"},
      {{.chunks = 1}, "lacks what GPU 1 contributes"},
      {{.chunks = 1, .sends = {{.from = 0, .to = 0}}}, "have to differ"},
      {{.chunks = 1, .sends = {{.from = 0, .to = 2}}}, "members are 0 to 1"},
      {{.chunks = 1, .sends = {{.from = 0, .to = 1, .chunk = 1}}}, "chunks are 0 to 0"},
      {{.chunks = 1, .sends = {{.from = 0, .to = 1, .count = 0}}}, "at least one"},
      {{.chunks = 1, .sends = {{.from = 0, .to = 1, .reduces = true}, {.from = 0, .to = 1, .reduces = true}}},
       "a second time"},
  };
  for (const auto& [list, why] : cases) {
    Registry registry;
    registry.add<ListOf>("odd", list);
    const std::string told = outcome(with_algorithm(2, "all-reduce", "odd"), registry);
    EXPECT_NE(told.find(why), std::string::npos) << told;
    EXPECT_NE(told.find("the algorithm `odd` of a plug-in"), std::string::npos) << told;
  }
}

// Two leaves under several spines, between which messages choose.
Document spines(const std::string& model) {
  Document document = with_network({{"build", "fat-tree"},
                                    {"link", {{"bandwidth", "100 Gbit/s"}, {"latency", "500 ns"}}},
                                    {"levels", Document::List{{{"size", 4}}, {{"size", 2}}}}});
  document["network-model"] = model;
  document["system"]["collectives"]["all-reduce"] = {{"algorithm", "direct"}, {"span", "machine"}};
  return document;
}

class Pick : public orrery::Routing {
 public:
  using Choose = std::function<std::size_t(const orrery::RoutingPoint&)>;
  explicit Pick(Choose choose, bool loads = false) : choose_(std::move(choose)), loads_(loads) {}
  bool looks_at_loads() const override { return loads_; }
  std::size_t choose(const orrery::RoutingPoint& at) const override { return choose_(at); }

 private:
  Choose choose_;
  bool loads_;
};

TEST(Plugins, ARoutingChoosesAsOrrerysOwnDo) {
  Registry registry;
  registry.add<Pick>("first", [](const orrery::RoutingPoint&) { return std::size_t{0}; });
  registry.add<Pick>("hashed", [](const orrery::RoutingPoint& at) { return at.hash % at.links.size(); });
  registry.add<Pick>(
      "idle",
      [](const orrery::RoutingPoint& at) {
        std::size_t best = 0;
        for (std::size_t i = 0; i < at.links.size(); ++i)
          if (at.links[i].load < at.links[best].load) best = i;
        return best;
      },
      true);
  registry.add<Pick>("beyond", [](const orrery::RoutingPoint& at) { return at.links.size(); });
  registry.add<Pick>("failing",
                     [](const orrery::RoutingPoint&) -> std::size_t { throw std::runtime_error("no map"); });
  for (const std::string model : {"fluid", "packet"}) {
    const auto by = [&](const char* routing) {
      Document document = spines(model);
      document["routing"] = routing;
      return outcome(document, registry);
    };
    EXPECT_EQ(by("first"), by("shortest")) << model;
    EXPECT_TRUE(std::isdigit(static_cast<unsigned char>(by("hashed")[0]))) << by("hashed");
    if (model == "fluid") {
      EXPECT_LE(std::stoll(by("idle")), std::stoll(by("first")));
    }
    EXPECT_NE(by("beyond").find("chooses link"), std::string::npos) << by("beyond");
    EXPECT_NE(by("failing").find("the routing `failing` of a plug-in says: no map"), std::string::npos);
    EXPECT_NE(by("frist").find("`first`"), std::string::npos) << by("frist");
  }
}

class RateOf : public orrery::CongestionControl {
 public:
  explicit RateOf(double share) : share_(share) {}
  std::unique_ptr<orrery::CongestionFlow> begin(const orrery::FlowStart& flow) const override {
    return std::make_unique<Flow>(share_ * flow.line_rate);
  }

 private:
  class Flow : public orrery::CongestionFlow {
   public:
    explicit Flow(double rate) : rate_(rate) {}
    double acknowledged(const orrery::FlowAcknowledgement& ack) override {
      EXPECT_GT(ack.round_trip, orrery::Time());
      EXPECT_GT(ack.rate, 0);
      return rate_;
    }
    double lost(orrery::Time, double) override { return rate_; }

   private:
    double rate_;
  };

  double share_;
};

class NoFlows : public orrery::CongestionControl {
 public:
  std::unique_ptr<orrery::CongestionFlow> begin(const orrery::FlowStart&) const override { return nullptr; }
};

TEST(Plugins, ACongestionControlSaysAtWhichRateFlowsSend) {
  Registry registry;
  registry.add<RateOf>("line", 1.0);
  registry.add<RateOf>("above", 5.0);
  registry.add<RateOf>("slow", 0.03);  // seven flows leave an NPU at a time
  registry.add<RateOf>("backwards", -1.0);
  registry.add<NoFlows>("nothing");
  const auto by = [&](const char* control) {
    Document document = spines("packet");
    document["packets"]["congestion-control"] = control;
    return outcome(document, registry);
  };
  EXPECT_EQ(by("line"), by("none"));
  EXPECT_EQ(by("above"), by("none"));
  EXPECT_GT(std::stoll(by("slow")), 2 * std::stoll(by("line")));
  EXPECT_NE(by("backwards").find("bytes per second"), std::string::npos) << by("backwards");
  EXPECT_NE(by("nothing").find("returned null"), std::string::npos) << by("nothing");
  EXPECT_NE(by("lime").find("`line`"), std::string::npos) << by("lime");
}

class Fixed : public orrery::ComputeModel {
 public:
  explicit Fixed(double seconds) : seconds_(seconds) {}
  double seconds(const orrery::Operator& op, const orrery::DeviceFacts& device) const override {
    if (device.matrix_peak.empty() || op.format.empty()) throw std::runtime_error("knows no peaks");
    return seconds_;
  }

 private:
  double seconds_;
};

Document on_device(const Document& device) {
  Document document = with_network(ring_of(4));
  document["device"] = device;
  document["workload"] = {{"model", "resnet50"}};
  return document;
}

TEST(Plugins, AComputeModelSaysHowLongOperatorsTake) {
  Registry registry;
  registry.add<Fixed>("slow", 1.0);
  registry.add<Fixed>("impossible", 1e-12);
  registry.add<Fixed>("negative", -1.0);
  const Document slow = {{"base", "a100"}, {"compute-model", "slow"}};
  const auto experiment = Api::from(on_device(slow), {.registry = registry});
  ASSERT_TRUE(experiment) << experiment.problems().front();
  const auto runs = experiment->simulate();
  ASSERT_TRUE(runs.ok()) << runs.problems().front();
  EXPECT_GT(runs[0].breakdown().compute.seconds(), 100);  // more than a hundred operators of a second each
  const auto told = [&](const char* model, const Registry& known) {
    return outcome(on_device({{"base", "a100"}, {"compute-model", model}}), known);
  };
  EXPECT_NE(told("impossible", registry).find("at its peak"), std::string::npos);
  EXPECT_NE(told("negative", registry).find("which cannot be"), std::string::npos);
  EXPECT_NE(told("slwo", registry).find("use "), std::string::npos);
  EXPECT_NE(told("slow", {}).find("--plugin"), std::string::npos);
}

class Exported : public orrery::Exporter {
 public:
  using Write = std::function<std::vector<orrery::ExportedFile>(const orrery::ExportedRun&)>;
  explicit Exported(Write write) : write_(std::move(write)) {}
  std::vector<orrery::ExportedFile> files(const orrery::ExportedRun& run) const override {
    return write_(run);
  }

 private:
  Write write_;
};

std::string written(const Registry& registry, const TemporaryFolder& folder) {
  const auto runs = Api::from(with_network(ring_of(4)), {.registry = registry})
                        .value()
                        .simulate({.keep = orrery::Keep::everything, .output = folder.path()});
  return runs.ok() ? "" : runs.problems().front().text();
}

TEST(Plugins, ExportersSeeTheTablesOfARun) {
  const TemporaryFolder folder;
  Registry registry;
  registry.add<Exported>("first", [](const orrery::ExportedRun& run) {
    const orrery::ExportedTable layers = run.table("layers");
    EXPECT_EQ(layers.rows(), 1u);
    EXPECT_EQ(layers.columns.size(), layers.values.size());
    EXPECT_FALSE(layers.columns[0].meaning.empty());
    EXPECT_THROW(run.table("nothing"), std::out_of_range);
    EXPECT_NE(run.json().find("\"total_us\""), std::string::npos) << run.json();
    std::string text = run.name() + '\n';
    for (const std::string& table : run.tables()) text += table + '\n';
    return std::vector<orrery::ExportedFile>{{"tables.txt", text}};
  });
  EXPECT_EQ(written(registry, folder), "");
  const std::string file = (folder.path() / "experiment/experiment/exports/tables.txt").string();
  const std::string text = read_file_of_any_kind(file);
  EXPECT_EQ(text.find("experiment\n"), 0u);
  EXPECT_NE(text.find("\nlayers\n"), std::string::npos);
  // What an earlier run has left is gone when the plug-in is.
  EXPECT_EQ(written({}, folder), "");
  EXPECT_FALSE(std::filesystem::exists(file));
}

TEST(Plugins, ExportersThatCannotBeAreRefused) {
  const TemporaryFolder folder;
  const auto of_name = [](const std::string& name) {
    return [name](const orrery::ExportedRun&) { return std::vector<orrery::ExportedFile>{{name, "text"}}; };
  };
  for (const std::string name : {"", "../outside.txt", "/tmp/outside.txt", ".hidden", "a/b"}) {
    Registry registry;
    registry.add<Exported>("odd", of_name(name));
    EXPECT_NE(written(registry, folder).find("is no plain name of a file"), std::string::npos) << name;
  }
  Registry registry;
  registry.add<Exported>("one", of_name("a.txt"));
  registry.add<Exported>("two", of_name("a.txt"));
  EXPECT_NE(written(registry, folder).find("writes `a.txt`, too"), std::string::npos);
  Registry throwing;
  throwing.add<Exported>("odd", [](const orrery::ExportedRun&) -> std::vector<orrery::ExportedFile> {
    throw std::runtime_error("disk of mine is full");
  });
  EXPECT_NE(written(throwing, folder).find("the exporter `odd` of a plug-in says: disk of mine is full"),
            std::string::npos);
}

}  // namespace
}  // namespace orrery::core::test::plugins_test
