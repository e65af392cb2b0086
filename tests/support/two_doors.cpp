#include "support/two_doors.hpp"

#include <fmt/format.h>

#include <bit>
#include <nlohmann/json.hpp>
#include <vector>

#include "base/random.hpp"
#include "support/random_graph_run.hpp"
#include "support/random_trace_files.hpp"
#include "topology/files/any_network.hpp"

namespace orrery::core::test {
namespace {

using OrderedJson = nlohmann::ordered_json;

constexpr int largest_machine = 32;

// A word of ASTRA-sim, and Orrery's for the same.
struct EnumName {
  std::string theirs, ours;
};

const std::vector<EnumName> blocks{
    {"Ring", "ring"}, {"Switch", "switch"}, {"FullyConnected", "fully-connected"}};
const std::vector<EnumName> shapes{{"baseline", "baseline"}, {"localBWAware", "local-bandwidth-aware"}};
const std::vector<EnumName> orders{{"LIFO", "lifo"}, {"FIFO", "fifo"}};
const std::vector<EnumName> dimension_orders{
    {"ascending", "ascending"}, {"roundRobin", "round-robin"}, {"offlineGreedy", "themis"}};
const std::vector<EnumName> queue_orders{
    {"FIFO", "fifo"}, {"RG", "alternate-kinds"}, {"smallestFirst", "smallest-first"}};
const std::vector<const char*> collectives{"all-reduce", "all-gather", "reduce-scatter", "all-to-all"};

// The settings of collectives that both doors describe.
struct SystemWords {
  int chunks = 1, active_chunks = 1, delay_ns = 10, queues = 1;
  EnumName order, shape;
  bool rendezvous = false;
  std::vector<std::vector<EnumName>> algorithms;  // by collective and dimension
};

class DoorWriter {
 public:
  explicit DoorWriter(std::uint64_t seed) : random_(seed) {}

 protected:
  int between(int least, int most) { return random_.between(least, most); }
  bool chance(int percent) { return random_.chance(percent); }
  EnumName word(const std::vector<EnumName>& words) { return random_.pick(words); }
  void flag(const std::string& name, const std::string& value) {
    made_.flags.push_back("--" + name + "=" + value);
  }
  void file(const std::string& name, const std::string& flag_that_names_it, const std::string& content) {
    made_.files[name] = content;
    flag(flag_that_names_it, name);
  }
  template <class... Arguments>
  void say(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
    made_.experiment += fmt::format(format, std::forward<Arguments>(arguments)...);
  }

  // Writes the experiment's network and returns that of ASTRA-sim 1.0. `several_links`: not every NPU has one
  // link to its dimension's block.
  OrderedJson write_dimensions(bool several_links) {
    OrderedJson network{{"topology-name", "Hierarchical"}, {"dimensions-count", 0}};
    say("network:\n");
    const int count = between(1, 3);
    for (int d = 0; d < count; ++d) {
      const int size = random_.pick<int>({2, 2, 3, 4, 4, 5, 8});
      if (npus_ * size > largest_machine) break;
      npus_ *= size;
      sizes_.push_back(size);
      const EnumName block = word(blocks);
      const int links = !several_links             ? 1
                        : block.theirs == "Switch" ? between(1, 3)
                        : block.theirs == "Ring"   ? 2 * between(1, 2)
                                                   : (size - 1) * between(1, 2);
      const double bandwidth = random_.pick<double>({1, 12.5, 25, 300}),
                   latency = random_.pick<double>({0, 100, 333, 1000});
      network["topologies-per-dim"].push_back(block.theirs);
      network["units-count"].push_back(size);
      network["links-count"].push_back(links);
      network["link-bandwidth"].push_back(bandwidth);
      network["link-latency"].push_back(latency);
      say("  - {{ topology: {}, size: {}, bandwidth: {} GiB/s, latency: {} ns", block.ours, size, bandwidth,
          latency);
      if (several_links) say(", links: {}", links);
      say(" }}\n");
    }
    network["dimensions-count"] = sizes_.size();
    return network;
  }

  EnumName algorithm(int size, bool all_to_all) {
    std::vector<EnumName> words{{"ring", "ring"}, {"direct", "direct"}, {"direct2", "'direct:2'"}};
    if (!all_to_all && std::has_single_bit(static_cast<unsigned>(size)))
      words.push_back({"halvingDoubling", "halving-doubling"});
    return word(words);
  }

  SystemWords random_system() {
    SystemWords system;
    system.chunks = between(1, 6);
    system.active_chunks = between(1, 3);
    system.delay_ns = random_.pick<int>({0, 10, 100});
    system.queues = random_.pick<int>({1, 1, 2});
    system.order = word(orders);
    system.shape = word(shapes);
    system.rendezvous = chance(12);
    for (const char* collective : collectives) {
      system.algorithms.emplace_back();
      for (const int size : sizes_)
        system.algorithms.back().push_back(algorithm(size, collective == std::string("all-to-all")));
    }
    return system;
  }

  void say_system(const SystemWords& system, const std::string& more) {
    say("system:\n  chunks: {}\n  active-chunks-per-dimension: {}\n  endpoint-delay: {} ns\n"
        "  queues-per-dimension: {}\n  all-reduce-shape: {}\n  rendezvous: {}\n{}"
        "  collectives:\n",
        system.chunks, system.active_chunks, system.delay_ns, system.queues, system.shape.ours,
        system.rendezvous, more);
    for (std::size_t k = 0; k < collectives.size(); ++k) {
      say("    {}: [", collectives[k]);
      for (const EnumName& one : system.algorithms[k]) say("{}, ", one.ours);
      say("]\n");
    }
    flag("num-queues-per-dim", std::to_string(system.queues));
    flag("rendezvous-protocol", system.rendezvous ? "true" : "false");
  }

  Random random_;
  TwoDoors made_;
  int npus_ = 1;
  std::vector<int> sizes_;  // of dimensions
};

class LayerTableWriter : DoorWriter {
 public:
  using DoorWriter::DoorWriter;

  TwoDoors write() {
    say("dialect: astra-sim-1.0\n");
    OrderedJson network = write_dimensions(true);
    file("network.json", "network-configuration", network.dump());
    write_system();
    file("workload.txt", "workload-configuration", layers());
    say("workload: workload.txt\n");
    const int passes = between(1, 2);
    flag("num-passes", std::to_string(passes));
    say("passes: {}\n", passes);
    scale("compute-scale", "compute-scale");
    scale("comm-scale", "communication-scale");
    scale("injection-scale", "injection-scale");
    const std::string model = random_.pick<std::string>({"analytical", "analytical", "link", "fluid"});
    flag("network-model", model);
    say("network-model: {}\n", model);
    return std::move(made_);
  }

 private:
  void write_system() {
    const SystemWords system = random_system();
    const EnumName by_dimension = word(dimension_orders), in_queues = word(queue_orders);
    std::string text = fmt::format(
        "scheduling-policy: {}\nendpoint-delay: {}\nactive-chunks-per-dimension: {}\n"
        "preferred-dataset-splits: {}\ncollective-optimization: {}\ninter-dimension-scheduling: {}\n"
        "intra-dimension-scheduling: {}\n",
        system.order.theirs, system.delay_ns, system.active_chunks, system.chunks, system.shape.theirs,
        by_dimension.theirs, in_queues.theirs);
    for (std::size_t k = 0; k < collectives.size(); ++k) {
      text += fmt::format("{}-implementation: ", collectives[k]);
      for (std::size_t d = 0; d < sizes_.size(); ++d)
        text += (d == 0 ? "" : "_") + system.algorithms[k][d].theirs;
      text += "\n";
    }
    file("system.txt", "system-configuration", text);
    say_system(system, fmt::format("  scheduling: {}\n  dimension-order: {}\n  queue-order: {}\n",
                                   system.order.ours, by_dimension.ours, in_queues.ours));
  }

  void scale(const char* theirs, const char* ours) {
    if (!chance(30)) return;
    const auto factor = random_.pick<std::string>({"0.41", "2", "1.5"});
    flag(theirs, factor);
    say("{}: {}\n", ours, factor);
  }

  std::string pass() {
    const int compute = random_.pick<int>({1, 17, 3429, between(1, 60000)}),
              bytes = random_.pick<int>({100, 4096, 65536, 1 << 20, between(1, 1 << 20)});
    const auto kind =
        random_.pick<std::string>({"NONE", "ALLREDUCE", "ALLGATHER", "REDUCESCATTER", "ALLTOALL"});
    return fmt::format(" {} {} {}", compute, kind, kind == "NONE" ? 0 : bytes);
  }
  std::string layers() {
    const auto policy =
        random_.pick<std::string>({"DATA", "DATA_REORDER", "MODEL", "HYBRID_DATA_MODEL", "HYBRID_MODEL_DATA",
                                   "DISTRIBUTED_INFERENCE", "MICRO", "HYBRID_TRANSFORMER", "HYBRID_DLRM"});
    std::string text = policy;
    if (policy == "HYBRID_TRANSFORMER") text += fmt::format(" group: {}", sizes_[0]);
    if (policy == "HYBRID_DLRM") text += " 1";
    const int count = between(2, 5);
    text += fmt::format("\n{}\n", count);
    for (int i = 0; i < count; ++i) {
      text += fmt::format("layer{} -1", i);
      for (int p = 0; p < 3; ++p) text += pass();
      text += fmt::format(" {}\n", random_.pick<int>({0, 1, 777}));
    }
    return text;
  }
};

class TraceWriter : DoorWriter {
 public:
  using DoorWriter::DoorWriter;

  TwoDoors write() {
    say("dialect: astra-sim-2\n");
    on_graph_ = chance(30);
    if (on_graph_)
      write_graph();
    else
      write_topology();
    write_system();
    write_traces();
    write_model();
    return std::move(made_);
  }

 private:
  void write_topology() {
    const OrderedJson network = write_dimensions(false);
    file("network.yml", "network-configuration",
         OrderedJson{{"topology", network.at("topologies-per-dim")},
                     {"npus_count", network.at("units-count")},
                     {"bandwidth", network.at("link-bandwidth")},
                     {"latency", network.at("link-latency")}}
             .dump());
  }
  void write_graph() {
    const std::string text = random_graph_text(random_);
    const Topology graph = read_graph_network(parse_yaml(text, "net.yaml"));
    npus_ = graph.npus();
    for (const Dimension& dimension : graph.dimensions) sizes_.push_back(dimension.size);
    file("net.yaml", "network-configuration", text);
    say("network: net.yaml\n");
  }

  void write_system() {
    const SystemWords system = random_system();
    OrderedJson json{{"scheduling-policy", system.order.theirs},
                     {"endpoint-delay", system.delay_ns},
                     {"active-chunks-per-dimension", system.active_chunks},
                     {"preferred-dataset-splits", system.chunks},
                     {"collective-optimization", system.shape.theirs},
                     {"local-mem-bw", 100}};
    for (std::size_t k = 0; k < collectives.size(); ++k)
      for (const EnumName& one : system.algorithms[k])
        json[std::string(collectives[k]) + "-implementation"].push_back(one.theirs);
    roofline_ = chance(25);
    if (roofline_) {
      json["roofline-enabled"] = 1;
      json["peak-perf"] = 10;
    }
    file("system.json", "system-configuration", json.dump());
    say_system(system, "");
  }

  void write_traces() {
    const RandomTraceFiles traces = random_trace_files(random_, npus_);
    made_.files.insert(traces.files.begin(), traces.files.end());
    flag("workload-configuration", "t");
    made_.flags.push_back("--real-collectives");
    say("workload:\n  traces: t\n  memory-bandwidth: 100 GB/s\n");
    if (roofline_) say("  peak: 10 TFLOP/s\n");
    if (!traces.groups.empty()) {
      flag("comm-group-configuration", traces.groups);
      say("  groups: {}\n", traces.groups);
    }
    const int memory = between(0, 2);
    OrderedJson remote{{"memory-type", "NO_MEMORY_EXPANSION"}};
    if (memory > 0) {
      remote = OrderedJson{{"memory-type", memory == 1 ? "PER_NPU_MEMORY_EXPANSION" : "MEMORY_POOL"},
                           {"remote-mem-latency", 100},
                           {"remote-mem-bw", 50}};
      say("  remote-memory: {{ server: {}, latency: 100 ns, bandwidth: 50 GB/s }}\n",
          memory == 1 ? "npu" : "machine");
    }
    file("memory.json", "remote-memory-configuration", remote.dump());
  }

  void write_model() {
    const auto model = on_graph_ ? random_.pick<std::string>({"fluid", "fluid", "packet"})
                                 : random_.pick<std::string>({"analytical", "analytical", "link", "fluid"});
    flag("network-model", model);
    say("network-model: {}\n", model);
    if (!on_graph_) return;
    const auto routing = random_.pick<std::string>({"ecmp", "shortest", "spray"});
    const int seed = between(0, 9);
    flag("routing", routing);
    flag("route-seed", std::to_string(seed));
    say("routing: {}\nroute-seed: {}\n", routing, seed);
  }

  bool on_graph_ = false, roofline_ = false;
};

}  // namespace

TwoDoors layer_table_by_two_doors(std::uint64_t seed) {
  return LayerTableWriter(seed).write();
}

TwoDoors traces_by_two_doors(std::uint64_t seed) {
  return TraceWriter(seed).write();
}

}  // namespace orrery::core::test
