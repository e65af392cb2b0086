// Every key of a machine is a parameter that `orrery sensitivity` varies, or it is listed here with the
// reason why it is not.
#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>
#include <vector>

#include "compute/device_file.hpp"
#include "network/host/host_stack_file.hpp"
#include "study/experiment/run_keys.hpp"
#include "study/sensitivity/change_costs.hpp"
#include "study/sensitivity/improvement.hpp"
#include "topology/graph/builders/network_builders.hpp"
#include "topology/graph/formats/written_graph.hpp"

namespace orrery::core::test::varied_parameters_test {
namespace {

struct Reason {
  const char* why;
  std::vector<std::string> keys;  // `*` stands for any text
};

const std::vector<Reason>& reasons() {
  static const std::vector<Reason> all{
      {"it says how many NPUs, groups or levels there are, and how they are numbered",
       {"network *.size", "network *[].size", "network dragonfly.groups", "network dragonfly.hosts",
        "network dragonfly.routers", "network dgx-1v.gpus", "network nvlink.boards", "network.groups",
        "network.nodes[].count", "network[].size", "platform.gpus-per-node", "host-stack.npus-per-host",
        "workload.host.npus", "workload.remote-memory.npus-per-node", "workload.remote-memory.server"}},
      {"it says what form a network has",
       {"network *.build", "network *.inside", "network.links[].from", "network.links[].to",
        "network.links[].one-way", "network.links[].pattern", "network.nodes[].forwards",
        "network.nodes[].kind", "network.routes", "network[].topology"}},
      {"only switches that the network is described with can reduce", {"network.nodes[].reduces"}},
      {"it is for people, or changes a cost in money alone",
       {"*.name", "*.sources", "*.source", "host-stack.state", "network[].name", "network[].packaging",
        "network.nodes[].name"}},
      {"it names what the other keys change, which are varied",
       {"*.base", "packets.profile", "platform.device", "platform.library"}},
      {"plug-ins know what stands there", {"device.compute-model"}},
      {"it is how large memory is, not how fast", {"device.memory.size"}},
      {"it is the shape of what computes, whose number and rate are varied",
       {"device.systolic.rows", "device.systolic.columns", "device.roofline.tiles",
        "device.roofline.fp32.tiles", "device.roofline.structured-pattern"}},
      {"it holds fitted shares that belong together", {"platform.inside.ring-shares"}},
      {"it is what software of one version does, of which others are named by `stack`",
       {"platform.stack.attention", "platform.stack.batches-need-alignment", "*.pointwise.format"}},
      {"it says by which model messages or collectives are simulated, not what the machine is",
       {"packets.every-packet", "packets.completion", "packets.seed", "system.library", "system.channels",
        "system.rendezvous", "workload.replay", "workload.track-memory"}},
      {"collectives that are traces bring it along", {"workload.algorithms.*", "workload.node-algorithms"}},
      {"standards have it", {"packets.header", "packets.acknowledgement", "packets.local-ack-timeout"}},
      {"it ends a run that goes wrong", {"packets.retries"}},
      {"it is a fault that the user describes", {"packets.nic-pauses.*"}},
      {"it divides the links of a machine among priorities, and no run has but one",
       {"packets.credits.high[].*", "packets.credits.low[].*", "packets.credits.lanes"}},
      {"a size may stand there, but also words", {"packets.window"}},
      {"it is the rate that thresholds are for", {"packets.marks.rate"}},
      {"the whole list of algorithms is varied, one dimension after the other", {"system.collectives.*[].*"}},
      {"it is what is trained, or inferred",
       {"workload.model",      "workload.layers[].*",     "workload.batch*",
        "workload.sequence",   "workload.datatype",       "workload.bytes-per-element",
        "workload.classes",    "workload.dense-features", "workload.heads",
        "workload.hidden",     "workload.image-size",     "workload.pooling",
        "workload.rows",       "workload.tables",         "workload.transformer-layers",
        "workload.vocabulary", "workload.width",          "workload.optimizer",
        "workload.precision",  "workload.memory",         "workload.last-bottom-layer",
        "workload.attention",  "workload.traces",         "workload.groups",
        "workload.order",      "workload.sparsity.*",     "workload.epoch",
        "workload.inference*", "workload.lengths",        "workload.predictions"}},
      {"it is how ranks share what is trained, which `orrery search` varies",
       {"workload.parallelism.*", "workload.pipeline.*", "workload.policy", "workload.strategy",
        "workload.strategies", "workload.sharding", "workload.tensor-parallel",
        "workload.model-parallel-group", "workload.recompute-at", "workload.checkpoints",
        "workload.parameter-server.*"}},
      {"it is how a program trains and where it keeps what it exchanges",
       {"system.buffers", "platform.buffers", "workload.ddp.*"}},
      {"it is no more than the beginning of what `size` says", {"workload.gradient-buckets.first"}},
  };
  return all;
}

// A value that may stand at a key.
std::string sample_of(const KeyFacts& key) {
  switch (key.type) {
    case KeyType::integer:
      return std::to_string(static_cast<long>(key.least) + 2);
    case KeyType::real:
    case KeyType::share:
      return "0.5";
    case KeyType::boolean:
      return "true";
    case KeyType::time:
      return "5 us";
    case KeyType::size:
      return "16 MiB";
    case KeyType::bandwidth:
      return "50 GB/s";
    case KeyType::rate:
      return "5 TFLOP/s";
    default:
      return key.value == "frequency" ? "1 GHz" : std::string(key.sample.substr(0, key.sample.find('|')));
  }
}

bool is_varied(const KeyFacts& key) {
  const bool one_of_words = key.better == Better::either && (key.words || !key.sample.empty());
  return one_of_words || !Improvement::of(sample_of(key), &key).empty();
}

bool holds_others(const KeyFacts& key) {
  return key.below != nullptr || key.type == KeyType::map;
}

// Returns all keys of machines that are values, by path.
std::map<std::string, const KeyFacts*> machine_keys() {
  std::map<std::string, const KeyFacts*> keys;
  const auto add = [&](const std::string& prefix, const std::vector<KeyPath>& paths) {
    for (const KeyPath& key : paths)
      if (!holds_others(*key.facts) || key.facts->better != Better::as_unit)
        keys.emplace(prefix + key.path, key.facts);
  };
  for (const char* first :
       {"compute-scale", "routing", "packets", "network", "host-stack", "system", "platform", "workload"})
    add("", experiment_file_keys(first));
  add("device.", device_file_keys());
  add("host-stack.", host_stack_file_keys());
  for (const NetworkBuilder* builder : network_builders)
    add("network " + std::string(builder->name) + ".", builder->keys());
  add("network.", written_graph_keys());
  return keys;
}

TEST(VariedParameters, AreAllKeysOfMachinesButThoseWithAReason) {
  const std::map<std::string, const KeyFacts*> keys = machine_keys();
  std::set<std::string> with_reason;
  for (const Reason& reason : reasons()) {
    for (const std::string& pattern : reason.keys) {
      std::size_t count = 0;
      for (const auto& [path, key] : keys) {
        if (!fits_pattern(pattern, path) || is_varied(*key)) continue;
        with_reason.insert(path);
        ++count;
      }
      EXPECT_GT(count, 0u) << pattern << " is no key that is not varied, of which: " << reason.why;
    }
  }
  for (const auto& [path, key] : keys)
    EXPECT_TRUE(is_varied(*key) || with_reason.contains(path)) << path << " is not varied, for no reason";
}

// Whoever declares a parameter says whether somebody can buy a better one, lay it out, program it, or whether
// it is a constant of a fit. Other keys have no kind.
TEST(VariedParameters, HaveAKindAndOthersHaveNone) {
  for (const auto& [path, key] : machine_keys())
    EXPECT_EQ(is_varied(*key), key->kind != ParameterKind::none) << path;
}

TEST(VariedParameters, AreOfTheKindThatTheirDeclarationsSay) {
  const std::map<std::string, const KeyFacts*> keys = machine_keys();
  const auto kind_of = [&](const std::string& path) {
    EXPECT_TRUE(keys.contains(path)) << path;
    return keys.contains(path) ? word_of(parameter_kind_words, keys.at(path)->kind) : std::string_view();
  };
  for (const char* path : {"network[].bandwidth", "network[].latency", "platform.inside.bandwidth",
                           "platform.between.bandwidth", "platform.nics-per-node", "device.memory.bandwidth",
                           "device.matrix-peak.fp16", "network.links[].count"})
    EXPECT_EQ(kind_of(path), "hardware") << path;
  for (const char* path : {"workload.batch.micro", "workload.recompute", "workload.parallelism.schedule",
                           "workload.parallelism.order"})
    EXPECT_EQ(kind_of(path), "layout") << path;
  for (const char* path : {"workload.overlap.gradients", "system.collectives.all-reduce", "system.chunks",
                           "platform.inside.launch", "platform.inside.efficiency", "routing"})
    EXPECT_EQ(kind_of(path), "software") << path;
  for (const char* path :
       {"platform.inside.step", "platform.stack.kernel-slowdown", "device.roofline.exposed-share"})
    EXPECT_EQ(kind_of(path), "fitted") << path;
}

}  // namespace
}  // namespace orrery::core::test::varied_parameters_test
