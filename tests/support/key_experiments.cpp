#include "support/key_experiments.hpp"

#include "support/trace_text.hpp"
#include "support/written_ring.hpp"

namespace orrery::core::test {
namespace {

std::string ring_and_switch() {
  return R"(
network:
  - { name: inner, topology: ring, size: 4, bandwidth: 50 GB/s, latency: 500 ns }
  - { name: outer, topology: switch, size: 4, bandwidth: 10 GB/s, latency: 1 us, memory: { bandwidth: 20 GB/s } }
)";
}
std::string three_dimensions() {
  return R"(
network:
  - { name: inner, topology: switch, size: 4, bandwidth: 50 GB/s, latency: 500 ns }
  - { name: middle, topology: switch, size: 2, bandwidth: 50 GB/s, latency: 500 ns }
  - { name: outer, topology: switch, size: 2, bandwidth: 10 GB/s, latency: 1 us }
)";
}
std::string in_chunks() {
  return "system: { chunks: 8, active-chunks-per-dimension: 2 }\n";
}
std::string unequal_ranks() {
  return R"(
stragglers: { ranks: [1], slowdown: 1.5 }
compute-jitter: { spread: 0.1, seed: 1 }
slow-links: [ { dimension: outer, ranks: [2], slowdown: 2 } ]
)";
}
std::string small_model() {
  return "workload: { model: lenet5, batch: 8, ";
}
std::string on_gpus() {
  return "platform: { base: dgx-a100, inside: { base: nvlink3 }, between: { base: ib-hdr }, stack: { base: "
         "megatron-core } }\n";
}

// Gradients alone are exchanged, as under the policy `data`.
std::string gradients() {
  return R"(
  layers:
    - { name: a, forward: { compute: 5 us }, input-gradient: { compute: 6 us },
        weight-gradient: { compute: 7 us, collective: all-reduce, size: 3 MiB } }
    - { name: b, forward: { compute: 4 us }, input-gradient: { compute: 5 us },
        weight-gradient: { compute: 6 us, collective: reduce-scatter, size: 4 MiB } }
    - { name: c, forward: { compute: 4 us }, input-gradient: { compute: 5 us },
        weight-gradient: { compute: 6 us, collective: all-gather, size: 1 MiB } }
    - { name: d, forward: { compute: 4 us }, input-gradient: { compute: 5 us },
        weight-gradient: { compute: 6 us, collective: all-reduce, size: 1 MiB } }
)";
}
// Activations alone, as under the policy `model`.
std::string activations() {
  return R"(
  layers:
    - { name: a, forward: { compute: 5 us, collective: all-gather, size: 1 MiB } }
    - { name: r, forward: { compute: 5 us, collective: all-reduce, size: 1 MiB } }
    - { name: b, forward: { compute: 5 us, collective: all-to-all, size: 1 MiB },
        input-gradient: { compute: 6 us, collective: reduce-scatter, size: 2 MiB },
        weight-gradient: { compute: 7 us } }
)";
}
std::string both() {
  return R"(
  layers:
    - { name: a, forward: { compute: 5 us, collective: all-gather, size: 1 MiB },
        weight-gradient: { compute: 7 us, collective: all-reduce, size: 3 MiB } }
    - { name: b, forward: { compute: 5 us, collective: all-to-all, size: 1 MiB },
        input-gradient: { compute: 6 us, collective: reduce-scatter, size: 2 MiB },
        weight-gradient: { compute: 7 us, collective: all-reduce, size: 3 MiB } }
    - { name: c, forward: { compute: 5 us }, input-gradient: { compute: 6 us },
        weight-gradient: { compute: 7 us, collective: all-reduce, size: 1 MiB } }
)";
}
std::string stages() {
  return R"(
workload:
  pipeline: { micro-batches: 4, schedule: interleaved, virtual-stages: 2 }
  layers:
    - { name: a, forward: { compute: 5 us }, input-gradient: { compute: 5 us }, output: 1 MiB,
        weight-gradient: { compute: 5 us, collective: all-reduce, size: 5 MiB } }
    - { name: b, forward: { compute: 5 us }, input-gradient: { compute: 5 us }, output: 1 MiB,
        weight-gradient: { compute: 5 us, collective: all-reduce, size: 6 MiB } }
    - { name: c, forward: { compute: 5 us }, input-gradient: { compute: 5 us }, output: 1 MiB,
        weight-gradient: { compute: 5 us, collective: all-reduce, size: 1 MiB } }
    - { name: d, forward: { compute: 5 us }, input-gradient: { compute: 5 us }, output: 1 MiB,
        weight-gradient: { compute: 5 us, collective: reduce-scatter, size: 2 MiB } }
    - { name: e, forward: { compute: 5 us }, input-gradient: { compute: 5 us }, output: 1 MiB,
        weight-gradient: { compute: 5 us, collective: all-gather, size: 2 MiB } }
    - { name: f, forward: { compute: 5 us }, input-gradient: { compute: 5 us },
        weight-gradient: { compute: 5 us, collective: all-to-all, size: 2 MiB } }
)";
}

// The same algorithm for every kind, written as maps.
std::string algorithms(const std::string& algorithm, const std::vector<std::string>& kinds) {
  std::string out = "system: { chunks: 2, collectives: {";
  for (const std::string& kind : kinds) out += " " + kind + ": " + algorithm + ",";
  return out + " } }\n";
}
std::string algorithms(const std::string& algorithm) {
  return algorithms(algorithm, {"all-reduce", "reduce-scatter", "all-gather", "all-to-all"});
}
std::string rooted_algorithms(const std::string& algorithm) {
  return algorithms(algorithm, {"broadcast", "reduce", "gather", "scatter", "barrier"});
}
// Returns one layer for each kind of collective with a root, and one for the barrier.
std::string rooted() {
  std::string out = "\n  layers:\n";
  for (const char* kind : {"broadcast", "reduce", "gather", "scatter"})
    out += std::string("    - { name: ") + kind +
           ", forward: { compute: 5 us }, weight-gradient: { compute: 7 us, " + "collective: " + kind +
           ", size: 1 MiB, root: 3 } }\n";
  return out +
         "    - { name: barrier, forward: { compute: 5 us }, weight-gradient: { collective: barrier } }\n";
}

// Switches that add up what passes them.
std::string switches() {
  return "network:\n"
         "  - { name: inner, topology: switch, size: 4, bandwidth: 50 GB/s, latency: 500 ns }\n"
         "  - { name: outer, topology: switch, size: 2, bandwidth: 25 GB/s, latency: 1 us }\n";
}
std::string in_switches() {
  const std::string sharp = "{ algorithm: sharp, switch-rate: 1 GB/s }";
  return algorithms(fmt::format("[ {0}, {0} ]", sharp), {"all-reduce", "reduce-scatter", "reduce"});
}

KeyExperiment experiment(const std::string& name, const std::string& text) {
  return {name, {{"experiment.yaml", text}}};
}

KeyExperiment recorded(const std::string& name, const std::string& layers) {
  KeyExperiment recorded = experiment(
      name, three_dimensions() + unequal_ranks() + in_chunks() + "workload: traces/recording.et\n");
  recorded.files["recording.yaml"] = three_dimensions() + "workload:" + layers;
  recorded.before = {"convert", "recording.yaml", "--output=traces"};
  return recorded;
}

std::vector<KeyExperiment> of_recordings() {
  return {recorded("recorded", "\n  policy: hybrid-data-model" + both()),
          recorded("recorded_with_roots", rooted())};
}

// Algorithms from files, which fit the inner dimension, and a file to try in the place of each.
KeyExperiment written() {
  std::string kinds;
  std::map<std::string, std::string> files;
  for (const auto& [kind, coll] : std::map<std::string, std::string>{{"all-reduce", "allreduce"},
                                                                     {"all-gather", "allgather"},
                                                                     {"reduce-scatter", "reducescatter"},
                                                                     {"all-to-all", "alltoall"}}) {
    const bool exchanges = coll == "alltoall";
    kinds += fmt::format(" {}: {{ algorithm: msccl, file: {}.xml, otherwise: {} }},", kind, coll,
                         exchanges ? "ring" : "direct");
    files[coll + ".xml"] = exchanges ? written_exchange(4) : written_ring(coll, 4);
    files[coll + "-of-5.xml"] = exchanges ? written_exchange(5) : written_ring(coll, 5);
  }
  KeyExperiment written = experiment("written", R"(
network:
  - { name: inner, topology: fully-connected, size: 4, bandwidth: 50 GB/s, latency: 500 ns }
  - { name: outer, topology: switch, size: 8, bandwidth: 10 GB/s, latency: 1 us }
)" + ("system: { all-reduce-shape: baseline, collectives: {" + kinds + " } }\nworkload:\n  policy: model" +
      activations()));
  written.files.merge(files);
  return written;
}

std::vector<KeyExperiment> of_layers() {
  const std::string data = "workload:" + gradients(), model = "workload:\n  policy: model" + activations();
  return {
      experiment("data", ring_and_switch() + unequal_ranks() + in_chunks() + data),
      experiment("model_parallel",
                 ring_and_switch() + "slow-links: [ { dimension: outer, group-of: 2, slowdown: 2 } ]\n" +
                     "stragglers: [ { ranks: [1], slowdown: 1.5 } ]\n" + in_chunks() + model),
      experiment("themis", three_dimensions() + "system: { chunks: 32, dimension-order: themis }\n" + data),
      experiment("maps", three_dimensions() + algorithms("{ algorithm: direct, window: 1 }") + data),
      experiment("lists",
                 ring_and_switch() + algorithms("[ { algorithm: direct }, { algorithm: direct } ]") + model),
      experiment("in_switches", switches() + in_switches() + data),
      experiment("rooted_in_switches", switches() + in_switches() + "workload:" + rooted()),
      experiment("all_kinds", three_dimensions() + algorithms("{ algorithm: direct, window: 1 }") + model),
      experiment("rooted_maps",
                 ring_and_switch() + rooted_algorithms("{ algorithm: direct }") + "workload:" + rooted()),
      experiment("rooted_lists",
                 three_dimensions() +
                     rooted_algorithms("[ { algorithm: tree }, { algorithm: tree }, { algorithm: tree } ]") +
                     "workload:" + rooted()),
      experiment("rooted_activations", ring_and_switch() + unequal_ranks() + R"(
workload:
  policy: model
  layers:
    - { name: a, forward: { compute: 5 us, collective: broadcast, size: 1 MiB, root: 3 } }
    - { name: b, forward: { compute: 5 us },
        input-gradient: { compute: 5 us, collective: reduce, size: 1 MiB, root: 3 } }
)"),
      written(),
      experiment("bus",
                 ring_and_switch() +
                     "slow-links: { dimension: outer, ranks: [2], slowdown: 2 }\n"
                     "system: { chunks: 4, shared-bus: { latency: 1 us, gap-per-byte: 0.01 ns/B } }\n" +
                     data),
      experiment("link",
                 ring_and_switch() +
                     "network-model: link\nslow-links: { dimension: outer, group-of: 2, slowdown: 2 }\n" +
                     in_chunks() + data),
      experiment("astra_sim_1", ring_and_switch() + "dialect: astra-sim-1.0\n" + in_chunks() +
                                    "workload:\n  policy: hybrid-transformer\n  model-parallel-group: 4" +
                                    both()),
      experiment("checkpoints", ring_and_switch() + in_chunks() +
                                    "workload:\n  policy: hybrid-transformer-fwd-in-bckwd\n  "
                                    "model-parallel-group: 4\n  checkpoints: [a]\n  recompute-at: [c]" +
                                    both()),
      experiment("bottom_layers", ring_and_switch() + in_chunks() +
                                      "workload:\n  policy: hybrid-dlrm\n  last-bottom-layer: b" +
                                      R"(
  layers:
    - { name: a, forward: { compute: 5 us, collective: all-to-all, size: 1 MiB } }
    - { name: b, forward: { compute: 5 us }, weight-gradient: { compute: 7 us, collective: all-reduce, size: 1 MiB } }
    - { name: c, forward: { compute: 5 us }, weight-gradient: { compute: 7 us, collective: all-reduce, size: 1 MiB } }
)"),
      experiment("customized", ring_and_switch() + in_chunks() + R"(workload:
  policy: hybrid-customized
  layers:
    - { name: a, policy: data, weight-gradient: { compute: 7 us, collective: all-reduce, size: 3 MiB } }
    - { name: b, policy: model, forward: { compute: 7 us, collective: all-reduce, size: 3 MiB } }
    - { name: c, policy: data, weight-gradient: { compute: 7 us, collective: all-reduce, size: 3 MiB } }
)"),
      experiment("buckets", ring_and_switch() + in_chunks() + R"(
workload:
  gradient-buckets: { size: 4 MiB }
  host:
    { npus: 4, batch-time: 1 us, sample-time: 1 us, kernel-time: 3 us, call-time: 1 us, exchange-time: 1 us, metric-time: 1 us }
  layers:
    - { name: a, forward: { compute: 5 us }, weight-gradient: { compute: 7 us, collective: all-reduce, size: 3 MiB } }
    - { name: b, forward: { compute: 5 us }, weight-gradient: { compute: 7 us, collective: all-reduce, size: 3 MiB } }
    - { name: c, forward: { compute: 5 us }, weight-gradient: { compute: 7 us, collective: all-reduce, size: 3 MiB } }
)"),
      experiment("epoch", ring_and_switch() + in_chunks() + "device: a100\npasses: 3\n" + small_model() +
                              "epoch: 4096 }\n"),
      experiment("comparisons", ring_and_switch() + in_chunks() + data + R"(
runs: [ { name: a }, { name: b, compute-scale: 2 } ]
comparisons: [ { run: b, baseline: a } ]
)"),
  };
}

// Collectives in closed form.
std::vector<KeyExperiment> of_libraries() {
  const std::string library = "system: { library: nccl }\n";
  const std::string two_switches = R"(
network:
  - { name: inner, topology: switch, size: 4, bandwidth: 200 GB/s, latency: 500 ns }
  - { name: outer, topology: switch, size: 2, bandwidth: 25 GB/s, latency: 1 us }
)";
  return {
      experiment("library", two_switches + library + "stragglers: { ranks: [1], slowdown: 1.5 }\n" +
                                "workload:" + gradients()),
      experiment("library_of_hosts",
                 two_switches + "system: { library: gloo, buffers: cpu }\nworkload:" + gradients()),
      experiment("library_for_stages", two_switches + library + stages()),
  };
}

std::vector<KeyExperiment> of_pipelines() {
  return {
      experiment("stages", three_dimensions() + in_chunks() + stages()),
      experiment("stages_on_links", three_dimensions() + "network-model: link\n" + in_chunks() + stages()),
      experiment("pipeline", three_dimensions() + in_chunks() + "device: a100\n" + small_model() +
                                 "pipeline: { micro-batches: 4 } }\n"),
  };
}

std::vector<KeyExperiment> of_servers() {
  return {
      experiment("server", three_dimensions() + "device: a100\nstragglers: { ranks: [1], slowdown: 1.5 }\n" +
                               small_model() + "parameter-server: { rank: 2 } }\n"),
      experiment("sharded_servers", three_dimensions() + R"(
network-model: link
passes: 6
compute-jitter: { spread: 0.5, seed: 1 }
stragglers: { ranks: [0], slowdown: 9 }
workload:
  parameter-server: { servers: sharded, synchronization: asynchronous, staleness: 3, update-bandwidth: 1 GB/s,
                      convergence: { steps: 1000 } }
  layers:
    - { name: a, forward: { compute: 5 us }, weight-gradient: { compute: 7 us, collective: all-reduce, size: 3 MiB } }
    - { name: b, forward: { compute: 4 us }, weight-gradient: { compute: 6 us, collective: all-reduce, size: 4 MiB } }
)"),
      experiment("servers_that_diverge", three_dimensions() + R"(
passes: 3
workload:
  parameter-server: { synchronization: asynchronous, staleness: 3, convergence: { steps: 1000, diverges-at: 0.1 } }
  layers:
    - { name: a, forward: { compute: 5 us }, weight-gradient: { compute: 7 us, collective: all-reduce, size: 3 MiB } }
)"),
  };
}

// Returns an experiment with one trace for all NPUs.
KeyExperiment of_trace(const std::string& name, const std::string& workload) {
  KeyExperiment traces =
      experiment(name, three_dimensions() + in_chunks() + "workload: { traces: trace" + workload + " }\n");
  traces.files["trace.et"] = trace_of_text(
      "compute 1 name=a duration=5 num_ops=1000000000 tensor_size=1000000\n"
      "collective 2 name=b after=1 comm_type=0 comm_size=3145728\n"
      "compute 3 name=c after=1 duration=7 num_ops=2000000000 tensor_size=1000000\n" +
      std::string(
          workload.find("remote") == std::string::npos ? "" : "load 4 name=d after=2 tensor_size=1000000\n") +
      "collective 5 name=e after=3 comm_type=2 comm_size=262144\n");
  return traces;
}

std::vector<KeyExperiment> of_traces() {
  KeyExperiment on_device = of_trace("traces_on_a_device", "");
  on_device.files["experiment.yaml"] += "device: a100\n";
  KeyExperiment all_kinds = of_trace("traces_of_all_kinds", "");
  std::string nodes;
  for (const int type : {0, 1, 2, 3, 4, 5, 6, 7, 9})
    nodes += fmt::format("collective {0} name=c{0} {1}comm_type={0} comm_size=1048576\n", type,
                         type > 0 ? fmt::format("after={} ", type == 9 ? 7 : type - 1) : "");
  all_kinds.files["trace.et"] = trace_of_text(nodes);
  return {
      of_trace("traces", ""),
      all_kinds,
      on_device,
      of_trace("traces_on_a_roofline", ", peak: 100 TFLOP/s, memory-bandwidth: 100 GB/s"),
      of_trace("traces_with_remote_memory",
               ", remote-memory: { server: node, bandwidth: 64 GB/s, latency: 2 us, npus-per-node: 4 }"),
      of_trace("traces_with_a_pool_of_memory", ", remote-memory: { server: machine, bandwidth: 64 GB/s }"),
  };
}

std::vector<KeyExperiment> of_models() {
  const auto model = [](const std::string& name) {
    return experiment(
        name, ring_and_switch() + in_chunks() + "workload: { model: " + name + ", peak: 1 TFLOP/s }\n");
  };
  return {
      model("vgg16"),
      experiment("dlrm", ring_and_switch() + in_chunks() + "device: a100\nworkload: { model: dlrm }\n"),
      experiment("gpt3",
                 ring_and_switch() + in_chunks() +
                     "device: h100\nworkload: { model: gpt3, transformer-layers: 2, tensor-parallel: 4 }\n"),
      experiment("hybrid", ring_and_switch() + in_chunks() + small_model() +
                               "peak: 1 TFLOP/s, strategy: hybrid-data-model }\n"),
      experiment("on_device",
                 ring_and_switch() + in_chunks() + "device: a100\n" + small_model() + "optimizer: adam }\n"),
      experiment("sparse", ring_and_switch() + in_chunks() + "device: a100\n" + small_model() +
                               "sparsity: { weights: 2:4 } }\n"),
      experiment("inferred",
                 ring_and_switch() + in_chunks() + "device: a100\n" + small_model() + "inference: true }\n"),
  };
}

std::vector<KeyExperiment> of_platforms() {
  return {
      experiment("many_gpus", R"(
platform: { base: dgx-a100, inside: { base: nvlink3 }, between: { base: ib-hdr } }
workload: { model: gpt-neo-125m, batch: { global: 64, micro: 1 }, sequence: 1001, parallelism: { data: 16, zero: 1 } }
)"),
      experiment("hosts_on_platform", R"(
platform: { device: a100, inside: { base: xeon-ice-lake }, between: { base: ib-hdr }, library: mpi, stack: megatron-2022 }
workload: { model: gpt3-125m, batch: { global: 32, micro: 1 }, sequence: 1004, parallelism: { data: 16 } }
)"),
      experiment("stages_on_platform", on_gpus() + R"(
workload:
  model: gpt3-125m
  batch: { global: 32, micro: 1 }
  parallelism: { tensor: 4, pipeline: 4, data: 2, schedule: interleaved, virtual-stages: 3, zero: 1 }
)"),
      experiment("sparse_on_platform", on_gpus() + R"(
workload:
  model: gpt3-125m
  batch: { global: 8, micro: 1 }
  parallelism: { tensor: 4, data: 2 }
  sparsity: { weights: 2:4 }
)"),
      experiment("encoder_on_platform", on_gpus() + R"(
workload: { model: bert-base, batch: { global: 8, micro: 1 }, lengths: [100, 300], parallelism: { tensor: 4, data: 2 } }
)"),
      experiment("decoding_on_platform", on_gpus() + R"(
workload:
  model: gpt3-125m
  batch: { global: 8, micro: 4 }
  parallelism: { tensor: 4, pipeline: 2 }
  inference: { phase: decode }
)"),
      experiment("experts_on_platform", on_gpus() + R"(
workload:
  model: qwen3-30b-a3b
  batch: { global: 64, micro: 1 }
  parallelism: { tensor: 2, sequence: true, context: 2, expert: 4, data: 16, zero: 3, shard: 8 }
  recompute: selective
)"),
      experiment("switches_on_platform", R"(
platform: { base: dgx-h100, inside: { base: nvlink4 }, between: { base: ib-ndr-sharp } }
workload: { model: gpt3-1.3b, batch: { global: 64, micro: 1 }, parallelism: { tensor: 8, data: 4 } }
)"),
      experiment("short_messages_on_platform", R"(
platform: { base: gh200, inside: { base: nvlink4 }, between: { base: slingshot, eager: 2 KiB } }
workload: { model: gpt3-125m, batch: { global: 8, micro: 1 }, sequence: 3, parallelism: { tensor: 4, pipeline: 2 } }
)"),
  };
}

// Platforms whose messages go over a network of one's own.
std::vector<KeyExperiment> of_own_networks() {
  const auto network = [](const std::string& platform, int nodes) {
    return fmt::format(
        "platform: {}\nnetwork:\n"
        "  - {{ name: inner, topology: switch, size: 4, bandwidth: 200 GB/s, latency: 500 ns }}\n"
        "  - {{ name: outer, topology: switch, size: {}, bandwidth: 25 GB/s, latency: 1 us }}\n",
        platform, nodes);
  };
  return {
      experiment("own_network", network("{ base: dgx-a100, stack: megatron-2022 }", 4) + R"(
workload: { model: gpt3-125m, batch: { global: 32, micro: 1 }, parallelism: { tensor: 4, pipeline: 2, data: 2, zero: 1 } }
)"),
      experiment("experts_on_own_network",
                 network("{ base: dgx-a100, stack: { base: megatron-core } }", 4) + in_chunks() + R"(
workload:
  model: qwen3-30b-a3b
  batch: { global: 16, micro: 1 }
  parallelism: { tensor: 2, sequence: true, context: 2, expert: 4, data: 4, zero: 3 }
  recompute: selective
)"),
      experiment("replicas_on_own_network",
                 network("{ base: dgx-a100, stack: megatron-2022 }", 4) + in_chunks() + R"(
workload: { model: gpt-neo-125m, batch: { global: 64, micro: 1 }, sequence: 1001, parallelism: { data: 16 } }
)"),
  };
}

// Flit by flit. Other keys of the network's file are those of tests/property/flit_keys_test.cpp.
std::vector<KeyExperiment> of_flits() {
  const auto torus = [](const std::string& name, const std::string& scale, const std::string& workload) {
    KeyExperiment made =
        experiment(name, "network: torus.txt\nnetwork-model: packet\ncommunication-scale: " + scale + "\n" +
                             in_chunks() + workload);
    made.files["torus.txt"] =
        "num-npus: 8 topology: Torus sizes: 4,2 flit-width: 512 package-link-width: 256 package-packet-size: "
        "512 local-link-latency: 5 package-link-latency: 50 vcs-per-vnet: 8 ";
    return made;
  };
  return {torus("a torus of flits", "0.01", "workload:\n  policy: hybrid-data-model" + both()),
          torus("a torus of flits with gradients", "0.1", "workload:" + gradients()),
          torus("a torus of flits with roots", "0.01", "workload:" + rooted())};
}

}  // namespace

std::vector<KeyExperiment> of_graphs() {
  const std::string tree =
      "network: { build: fat-tree, link: { bandwidth: 50 GB/s, latency: 500 ns },\n"
      "           levels: [ { size: 4 }, { size: 4, link: { bandwidth: 50 GB/s, latency: 500 ns, count: 2 } "
      "} ] "
      "}\n";
  const std::string breaks = "{ link: leaf0-spine0, cables: 1, at: 60 us, until: 100 us, bandwidth: 40% }";
  const auto on_graph = [&](const std::string& name, const std::string& text) {
    KeyExperiment graph = experiment(name, tree + text + "workload:" + both());
    graph.files["flows.csv"] = "source,destination,bytes\n0,15,100000000\n";
    return graph;
  };
  // Flows in the background have other priorities than the collectives, so that lanes meet.
  KeyExperiment infiniband = on_graph(
      "a tree of InfiniBand",
      "network-model: packet\nbackground: flows.csv\ncommunication-scale: 0.02\npackets: { profile: "
      "infiniband, loss: 0.01, retries: 50, local-ack-timeout: 3, congestion-control: infiniband, credits: { "
      "buffer: 16 KiB, lanes: [1, 2, 3, 3, 3, 3, 3], high: [ { lane: 3, weight: 10 }, { lane: 2, weight: 5 } "
      "], low: [ { lane: 1, "
      "weight: 99 }, { lane: 2, weight: 5 }, { lane: 1 }, { lane: 3 } ], high-limit: 2 } }\n");
  std::string& flows = infiniband.files["flows.csv"] = "source,destination,bytes,priority\n";
  for (int npu = 0; npu < 16; ++npu)
    for (const int level : {1, 2})
      flows += fmt::format("{},{},100000,{}\n", npu, (npu + 4 + level) % 16, level);
  return {
      on_graph("a tree of switches", ""),
      on_graph("a tree with a slow link", "routing: ecmp\nlink-history: true\nfailures: " + breaks + "\n"),
      on_graph("a tree with traffic and slow links", "background: flows.csv\nfailures: [ " + breaks + " ]\n"),
      on_graph("a tree of packets with losses",
               "network-model: packet\nmessage-times: true\ncommunication-scale: 0.2\npackets: { loss: 0.01, "
               "retries: 5, buffer: "
               "400 KiB, flow-control: none, "
               "window: none }\n"),
      on_graph("a tree of packets that are sent again one by one",
               "network-model: packet\ncommunication-scale: 0.2\npackets: { reliability: selective-repeat, "
               "reordering: 10, queue: 40 KiB, flow-control: none, window: none, loss: 0.01 }\n"),
      on_graph("a tree of packets with fixed thresholds of pauses",
               "network-model: packet\nbackground: flows.csv\ncommunication-scale: 0.2\npackets: { "
               "pause-above: 20, "
               "resume-below: 10, "
               "window: none }\n"),
      on_graph("a tree of packets with small buffers",
               "network-model: packet\npackets: { buffer: 1 MiB, headroom: 70 KB, window: none }\n"),
      on_graph("a tree of packets with flowlets",
               "network-model: packet\ncommunication-scale: 0.2\nrouting: flowlets\npackets: { "
               "choice-interval: 300 "
               "ns, window: 60 KiB }\n"),
      on_graph("a tree of packets that are sprayed by labels",
               "network-model: packet\ncommunication-scale: 0.2\nrouting: spray-labels\npackets: { "
               "reliability: selective-repeat, labels: 4 }\n"),
      on_graph("a tree of packets that look at queues",
               "network-model: packet\ncommunication-scale: 0.2\nrouting: adaptive-packets\npackets: { "
               "reliability: selective-repeat, choice-interval: 1 us, choice-grade: 1 KB, window: none }\n"),
      infiniband,
      on_graph("a tree of packets under DCQCN",
               "network-model: packet\nbackground: flows.csv\npackets: { "
               "congestion-control: dcqcn, gain: "
               "0.1, increase: 1 Gbit/s, "
               "least-rate: 1 Gbit/s, "
               "marks: { rate: 100 Gbit/s, least: 5 KB, most: 50 KB, probability: 0.5 } }\n"),
      on_graph(
          "a tree of packets under TCP",
          "network-model: packet\ncommunication-scale: 0.2\npackets: { congestion-control: tcp-new-reno, "
          "initial-window: 3, window: none, flow-control: none }\n"),
      on_graph("a tree of packets whose control runs on cores",
               "network-model: packet\ncommunication-scale: 0.2\npackets: { congestion-control: swift, "
               "control-time: 2 us, control-cores: 1 }\n"),
      on_graph("a tree of packets under HPCC",
               "network-model: packet\ncommunication-scale: 0.2\npackets: { congestion-control: hpcc, "
               "utilization: 0.9 }\n"),
      on_graph("a tree with channels", "system: { channels: true }\n"),
      on_graph("a tree with a stack of hosts", "host-stack: rdma\n"),
      on_graph("a tree with a stack of hosts and changes",
               "host-stack: { base: pony-express, name: own, sources: { mine: 1 }, state: none, send: 2 us, "
               "receive: 3 us, cores: 2, packet: 4 KiB, per-packet: 100 ns, copy-bandwidth: 8 GB/s, "
               "card-bandwidth: 9 GB/s, staging-bandwidth: 7 GB/s, staging-latency: 5 us, npus-per-host: 2 "
               "}\n"),
      on_graph("a tree with a broken switch", "failures: { node: spine0, at: 60 us, until: 100 us }\n"),
      on_graph("a tree with broken switches", "failures: [ { node: spine0, at: 60 us, until: 100 us } ]\n"),
      experiment(
          "a mesh whose NPUs relay",
          "network: { build: dgx-1v, nvlink: { bandwidth: 24 GB/s, latency: 700 ns },\n"
          "           pcie: { bandwidth: 10 GB/s, latency: 500 ns }, cpus: { bandwidth: 19 GB/s, latency: "
          "500 ns }, gpus: 8, every-pair: false }\n"
          "workload: { layers: [ { name: a, weight-gradient: { compute: 1 us, collective: "
          "all-to-all, size: 1 MiB } } ] }\n")};
}

std::vector<KeyExperiment> small_trainings() {
  const auto training = [](const std::string& name, const std::string& parallelism,
                           const std::string& platform = "{ base: dgx-a100, stack: megatron-2022 }",
                           const std::string& model = "gpt3-125m") {
    return experiment(
        name, fmt::format(
                  "platform: {}\nworkload: {{ model: {}, batch: {{ global: 16, micro: 1 }}, sequence: 1004, "
                  "parallelism: {} }}\n",
                  platform, model, parallelism));
  };
  const std::string alone = "{ base: dgx-a100, gpus-per-node: 1, stack: megatron-2022 }",
                    links = "{ base: dgx-a100, inside: nvlink3, stack: megatron-2022 }",
                    of_h100 = "{ base: dgx-h100, stack: megatron-core }";
  return {training("one rank", "{}"),
          training("data parallel", "{ data: 8 }", links),
          training("sharded", "{ data: 8, zero: 1 }"),
          training("fully sharded", "{ data: 8, zero: 3 }"),
          training("tensor parallel", "{ tensor: 4 }"),
          training("context parallel", "{ context: 4 }"),
          training("a pipeline", "{ pipeline: 4 }"),
          training("two nodes", "{ data: 16 }"),
          training("one rank on each node", "{ data: 4 }", alone),
          training("experts", "{ data: 16, expert: 8, zero: 1 }", of_h100, "qwen3-30b-a3b"),
          training("experts without parallelism", "{ tensor: 8 }", of_h100, "qwen3-30b-a3b")};
}

std::vector<KeyExperiments> key_experiments() {
  const std::vector<std::string> rooted = {"barrier", "broadcast", "gather", "reduce", "scatter"};
  return {{"layers", of_layers()},
          {"models", of_models(), rooted},
          {"collectives in closed form", of_libraries()},
          {"layers on graphs", of_graphs()},
          {"layers on flits", of_flits()},
          {"recorded", of_recordings()},
          {"traces", of_traces()},
          {"pipelines", of_pipelines(), rooted},
          {"parameter_servers", of_servers()},
          {"platforms", of_platforms()},
          {"platforms with networks of their own", of_own_networks(), rooted}};
}

}  // namespace orrery::core::test
