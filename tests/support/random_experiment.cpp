#include "support/random_experiment.hpp"

#include <fmt/format.h>

#include <vector>

#include "base/random.hpp"
#include "support/random_graph_run.hpp"
#include "support/random_trace_files.hpp"
#include "topology/files/any_network.hpp"
#include "topology/graph/network_graph.hpp"

namespace orrery::core::test {
namespace {

constexpr int largest_network = 32;

enum class WorkloadKind { one_collective, layers, pipeline, transformer, parameter_server, traces };

// Writes an experiment line by line. Every draw is a statement of its own, so that compilers agree on the
// order.
class Writer {
 public:
  explicit Writer(std::uint64_t seed) : random_(seed) {}

  RandomExperiment write() {
    kind_ = pick<WorkloadKind>({WorkloadKind::one_collective, WorkloadKind::layers, WorkloadKind::layers,
                                WorkloadKind::pipeline, WorkloadKind::pipeline, WorkloadKind::transformer,
                                WorkloadKind::transformer, WorkloadKind::parameter_server,
                                WorkloadKind::traces, WorkloadKind::traces});
    on_graph_ = chance(50);
    if (on_graph_)
      write_graph();
    else
      write_dimensions();
    write_model();
    write_system();
    write_differences();
    write_workload();
    return std::move(made_);
  }

 private:
  bool chance(int percent) { return random_.chance(percent); }
  int between(int least, int most) { return random_.between(least, most); }
  template <class T>
  T pick(const std::vector<T>& from) {
    return random_.pick(from);
  }
  std::string word(const std::vector<std::string>& words) { return random_.pick(words); }
  template <class... Arguments>
  void add(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
    made_.text += fmt::format(format, std::forward<Arguments>(arguments)...);
  }

  void write_graph() {
    const std::string network = random_graph_text(random_);
    graph_ = read_graph_network(parse_yaml(network, "net.yaml"));
    npus_ = graph_.npus();
    add("network: {}\n", network);
  }

  void write_dimensions() {
    const int count = between(1, 3);
    add("network:\n");
    for (int d = 0; d < count; ++d) {
      int size = pick<int>({2, 2, 3, 4, 4, 5, 8, 8});
      if (npus_ * size > largest_network) size = 2;
      if (npus_ * size > largest_network) break;
      npus_ *= size;
      sizes_.push_back(size);
      const std::string form = word({"ring", "switch", "fully-connected"});
      const double bandwidth = pick<double>({1, 3.3, 12.5, 25, 300});
      const int latency = pick<int>({0, 100, 333, 1000});
      add("  - {{ topology: {}, size: {}, bandwidth: {} GB/s, latency: {} ns }}\n", form, size, bandwidth,
          latency);
    }
  }

  void write_model() {
    by_library_ = kind_ != WorkloadKind::parameter_server && chance(20);
    channels_ = on_graph_ && !by_library_ && chance(15);
    if (!on_graph_) {
      dialect_ = kind_ == WorkloadKind::traces ? word({"native", "native", "astra-sim-2"})
                 : kind_ == WorkloadKind::layers || kind_ == WorkloadKind::one_collective ||
                         kind_ == WorkloadKind::pipeline
                     ? word({"native", "native", "native", "native", "astra-sim-1.0"})
                     : "native";
      if (dialect_ != "native") add("dialect: {}\n", dialect_);
      model_ = word({"analytical", "analytical", "fluid", "fluid", "link"});
    } else {
      model_ =
          by_library_ ? word({"analytical", "fluid"}) : word({"fluid", "fluid", "fluid", "fluid", "packet"});
    }
    add("network-model: {}\n", model_);
    if (on_graph_ && model_ != "analytical") {
      const std::string routing = word({"ecmp", "ecmp", "shortest", "spray"});
      const int seed = between(0, 9);
      add("routing: {}\nroute-seed: {}\n", routing, seed);
    }
  }

  std::string algorithm(bool all_reduce) {
    std::vector<std::string> words{"ring", "direct", "'direct:2'"};
    bool even = !on_graph_;
    for (const int size : sizes_) even = even && (size & (size - 1)) == 0;
    if (even) words.emplace_back("halving-doubling");
    if (even && all_reduce) words.emplace_back("double-binary-tree");
    return word(all_reduce || !even ? words : std::vector<std::string>{"ring", "direct", "'direct:1'"});
  }

  void write_system() {
    if (by_library_) return add("system: {{ library: {} }}\n", word({"nccl", "ideal"}));
    if (channels_) return add("system: {{ channels: true }}\n");
    const int chunks = pick<int>({1, 1, 2, 4}), active = between(1, 3), queues = pick<int>({1, 1, 2});
    const std::string order = word({"lifo", "fifo"}),
                      dimensions = word({"ascending", "round-robin", "themis"}), all_reduce = algorithm(true),
                      all_to_all = algorithm(false), shape = word({"baseline", "local-bandwidth-aware"});
    const int delay = pick<int>({0, 10, 100});
    add("system: {{ chunks: {}, active-chunks-per-dimension: {}, queues-per-dimension: {}, endpoint-delay: "
        "{} "
        "ns, all-reduce-shape: {}, ",
        chunks, active, queues, delay, shape);
    if (kind_ != WorkloadKind::traces) add("dimension-order: {}, ", dimensions);
    if (chance(50)) add("scheduling: {}, ", order);
    if (chance(8)) add("rendezvous: true, ");
    add("collectives: {{ all-reduce: {}, all-to-all: {} }} }}\n", all_reduce, all_to_all);
  }

  void write_differences() {
    if (chance(15)) {
      const int rank = between(0, npus_ - 1);
      const double slowdown = pick<double>({0.5, 1.5, 3});
      add("stragglers: {{ ranks: [{}], slowdown: {} }}\n", rank, slowdown);
    }
    if (chance(4)) add("compute-jitter: {{ spread: 0.1, seed: 1 }}\n");
    if (!on_graph_ && chance(20)) {
      const int dimension = between(0, static_cast<int>(sizes_.size()) - 1), rank = between(0, npus_ - 1);
      const bool group = chance(40);
      const double slowdown = pick<double>({1.5, 4});
      add("slow-links: [ {{ dimension: dim{}, {}, slowdown: {} }} ]\n", dimension,
          group ? fmt::format("group-of: {}", rank) : fmt::format("ranks: [{}]", rank), slowdown);
    }
    if (on_graph_ && model_ == "fluid" && chance(8)) {
      const NetworkGraph& graph = *graph_.graph;
      const NetworkLink& link = graph.link(LinkId(between(0, static_cast<int>(graph.links()) - 1)));
      add("failures: {{ link: {}-{}, bandwidth: 50% }}\n", graph.node(link.from).name,
          graph.node(link.to).name);
    }
  }

  std::string collective() {
    const std::string kind = word({"all-reduce", "all-reduce", "reduce-scatter", "all-gather", "all-to-all",
                                   "broadcast", "all-reduce"});
    const int size = pick<int>({1, 100, 1000, between(1, 9000)});
    return fmt::format("collective: {}, size: {} KiB", kind, size);
  }
  std::string pass(const std::string& name, int percent) {
    const int compute = between(0, 100);
    const std::string sends = chance(percent) ? ", " + collective() : "";
    return fmt::format("{}: {{ compute: {} us{} }}", name, compute, sends);
  }
  std::string layers(int count, int forward, int input, bool outputs) {
    std::string text = "  layers:\n";
    for (int i = 0; i < count; ++i) {
      text += fmt::format("    - {{ name: l{}, ", i);
      text += pass("forward", forward) + ", " + pass("input-gradient", input) + ", ";
      text += pass("weight-gradient", 80);
      if (outputs && i + 1 < count) text += fmt::format(", output: {} KiB", between(1, 4000));
      text += " }\n";
    }
    return text;
  }

  void write_workload() {
    switch (kind_) {
      case WorkloadKind::one_collective:
        return add("workload:\n  layers: [ {{ name: l, weight-gradient: {{ {} }} }} ]\n", collective());
      case WorkloadKind::layers:
        return write_layers();
      case WorkloadKind::pipeline: {
        const int batches = between(1, 5), stages = pick<int>({1, 1, 2});
        const std::string schedule = stages > 1 ? "interleaved" : word({"gpipe", "gpipe-reversed", "1f1b"});
        add("workload:\n  pipeline: {{ micro-batches: {}, schedule: {}", batches, schedule);
        if (stages > 1) add(", virtual-stages: {}", stages);
        add(" }}\n{}", layers(npus_ > 8 ? 32 : 16, 0, 0, true));
        return;
      }
      case WorkloadKind::transformer:
        return write_transformer();
      case WorkloadKind::parameter_server: {
        const int rank = between(0, npus_ - 1);
        const bool one = chance(60);
        const int count = between(1, 3);
        add("workload:\n  parameter-server: {{ {} }}\n{}",
            one ? fmt::format("rank: {}", rank) : "servers: sharded", layers(count, 0, 0, false));
        return;
      }
      case WorkloadKind::traces:
        return write_traces();
    }
  }

  void write_layers() {
    const std::string policy = word({"data", "hybrid-data-model", "hybrid-model-data", "model"});
    const bool model = policy != "data";
    const int count = between(1, 4);
    add("workload:\n  policy: {}\n{}", policy, layers(count, model ? 60 : 0, model ? 40 : 0, false));
  }

  void write_transformer() {
    made_.files["tiny.yaml"] =
        "name: tiny\nlayers: 4\nhidden: 256\nheads: 8\nvocabulary: 1024\nsequence: 512\n";
    int tensor = 1, pipeline = 1, context = 1;
    do {
      tensor = pick<int>({1, 2, 2, 4, 8});
      pipeline = pick<int>({1, 1, 2, 4});
      context = pick<int>({1, 1, 1, 2});
    } while (tensor * pipeline * context > npus_ ||
             (npus_ % (tensor * pipeline * context) != 0 && npus_ % 2 == 0));
    const int data = npus_ / (tensor * pipeline * context), micro = pick<int>({1, 2});
    const int batches = pick<int>({1, 2, 4}) * pipeline, sequence = pick<int>({128, 512, 2048});
    const int zero = pick<int>({0, 0, 1, 1, 2, 3}),
              virtual_stages = pipeline > 1 && pipeline < 4 && chance(40) ? 2 : 1;
    add("platform: {}\n", word({"dgx-a100", "dgx-h100"}));
    add("workload: {{ model: ./tiny.yaml, sequence: {}, batch: {{ global: {}, micro: {} }}, parallelism: {{ "
        "tensor: {}, context: {}, pipeline: {}, data: {}, zero: {}",
        sequence, batches * micro * data, micro, tensor, context, pipeline, data,
        pipeline > 1 && zero > 1 ? 1 : zero);
    if (virtual_stages > 1) add(", schedule: interleaved, virtual-stages: 2");
    if (tensor > 1 && chance(30)) add(", sequence: true");
    add(" }}");
    if (chance(30)) add(", overlap: {{ messages: {} }}", chance(50));
    add(" }}\n");
  }

  void write_traces() {
    const RandomTraceFiles traces = random_trace_files(random_, npus_);
    made_.files.insert(traces.files.begin(), traces.files.end());
    add("workload: {{ traces: t, memory-bandwidth: 100 GB/s{} }}\n",
        traces.groups.empty() ? "" : ", groups: " + traces.groups);
  }

  Random random_;
  RandomExperiment made_;
  WorkloadKind kind_ = WorkloadKind::layers;
  bool on_graph_ = false, by_library_ = false, channels_ = false;
  std::string model_, dialect_ = "native";
  Topology graph_;
  int npus_ = 1;
  std::vector<int> sizes_;  // of dimensions
};

}  // namespace

RandomExperiment random_experiment(std::uint64_t seed) {
  return Writer(seed).write();
}

}  // namespace orrery::core::test
