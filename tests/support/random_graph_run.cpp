#include "support/random_graph_run.hpp"

#include <fmt/format.h>

#include "study/experiment/experiment.hpp"
#include "topology/files/any_network.hpp"

namespace orrery::core::test {
namespace {

// Arguments in braces are evaluated in their order, and those of a function in any. So `Filled{...}` draws
// the same random numbers whatever the compiler.
struct Filled : std::string {
  template <class... Arguments>
  explicit Filled(fmt::format_string<Arguments...> format, Arguments&&... arguments)
      : std::string(fmt::format(format, std::forward<Arguments>(arguments)...)) {}
};

std::string link_text(Random& random) {
  return Filled{"{{ bandwidth: {} GB/s, latency: {} ns, count: {} }}",
                random.pick<double>({12.5, 25, 46.4, 50, 100, 450}), random.pick<int>({0, 100, 500, 2000}),
                random.pick<int>({1, 1, 1, 2})};
}

std::string grid_text(Random& random) {
  std::string dimensions;
  for (int d = random.between(1, 3); d > 0; --d)
    dimensions += Filled{"{{ size: {}, link: {} }}, ", random.pick<int>({2, 3, 3, 4, 5}), link_text(random)};
  return Filled{"{{ build: {}, dimensions: [ {} ] }}", random.chance(70) ? "torus" : "mesh", dimensions};
}

std::string star_text(Random& random) {
  return Filled{"{{ build: {}, size: {}, link: {} }}",
                random.pick<std::string>({"ring", "switch", "fully-connected"}), random.between(2, 16),
                link_text(random)};
}

std::string box_text(Random& random) {
  if (random.chance(20))
    return Filled{"{{ build: dgx-1v, nvlink: {}, pcie: {}, cpus: {} }}", link_text(random), link_text(random),
                  link_text(random)};
  const int size = random.pick<int>({2, 4, 8}), switches = random.pick<int>({1, 2});
  return Filled{
      "{{ build: nvlink, size: {}, switches: {}, links: {}, link: {}, nics: {{ count: {}, link: {} }} }}",
      size,
      switches,
      switches * random.between(1, 2),
      link_text(random),
      size,
      link_text(random)};
}

std::string tree_text(Random& random) {
  std::string levels = Filled{"{{ size: {} }}", random.pick<int>({2, 3, 4, 8})};
  for (int more = random.between(0, 2); more > 0; --more)
    levels += Filled{", {{ size: {}, oversubscription: {} }}", random.pick<int>({2, 2, 3, 4}),
                     random.pick<int>({1, 1, 2, 4})};
  const std::string inside = random.chance(50) ? "inside: " + box_text(random) + ", " : "";
  return Filled{"{{ build: {}, {}link: {}, levels: [ {} ] }}",
                random.pick<std::string>({"fat-tree", "rail-optimized", "rail-only"}), inside,
                link_text(random), levels};
}

std::string dragonfly_text(Random& random) {
  return Filled{
      "{{ build: dragonfly, groups: {}, routers: {}, hosts: {}, global-links: {}, host-link: {}, local-link: "
      "{}, global-link: {} }}",
      random.between(2, 4),
      random.between(1, 4),
      random.between(1, 3),
      random.between(1, 3),
      link_text(random),
      link_text(random),
      link_text(random)};
}

// Switches on a random tree with some links more, and NPUs with one or two links to them.
std::string mess_text(Random& random) {
  const int npus = random.between(2, 16), switches = random.between(1, 6);
  std::string links;
  const auto join = [&](const std::string& a, const std::string& b) {
    links += Filled{"{{ from: {}, to: {}, bandwidth: {} GB/s, latency: {} ns }}, ", a, b,
                    random.pick<int>({10, 25, 40, 100}), random.between(0, 1000)};
  };
  for (int i = 1; i < switches; ++i) join(fmt::format("sw{}", i), Filled{"sw{}", random.between(0, i - 1)});
  for (int more = switches > 2 ? random.between(0, 4) : 0; more > 0; --more) {
    const int from = random.between(0, switches - 1);
    join(fmt::format("sw{}", from), Filled{"sw{}", (from + random.between(1, switches - 1)) % switches});
  }
  for (int npu = 0; npu < npus; ++npu)
    for (int port = random.pick<int>({1, 1, 2}); port > 0; --port)
      join(fmt::format("gpu{}", npu), Filled{"sw{}", random.between(0, switches - 1)});
  return fmt::format(
      "{{ nodes: [ {{ name: gpu, kind: npu, count: {} }}, {{ name: sw, kind: switch, count: {} }} ], links: "
      "[ {} ] }}",
      npus, switches, links);
}

}  // namespace

// Forms cannot be built of all numbers, and only such networks count as have some NPUs, but not many.
std::string random_graph_text(Random& random) {
  constexpr int max_npus = 32;
  using Form = std::string (*)(Random&);
  for (;;) {
    const Form form =
        random.pick<Form>({grid_text, star_text, box_text, tree_text, tree_text, dragonfly_text, mess_text});
    const std::string text = form(random);
    try {
      const int npus = read_graph_network(parse_yaml(text, "net.yaml")).npus();
      if (npus >= 2 && npus <= max_npus) return text;
    } catch (const InputError&) {
    }
  }
}

namespace {

std::string system_text(Random& random, GraphWorkload workload, GraphCollectives collectives) {
  if (collectives == GraphCollectives::channels) return "system: { channels: true }\n";
  if (collectives == GraphCollectives::library) return "system: { library: nccl }\n";
  if (workload == GraphWorkload::one_collective) return "system: { endpoint-delay: 0 ns }\n";
  const auto pick = [&](const std::vector<std::string>& words) { return random.pick(words); };
  const std::string algorithm = pick({"ring", "direct", "direct", "'direct:2'"});
  return Filled{
      "system: {{ chunks: {}, active-chunks-per-dimension: {}, queues-per-dimension: {}, scheduling: {}, "
      "dimension-order: {}, endpoint-delay: {} ns, collectives: {{ all-reduce: {}, all-to-all: {} }} }}\n",
      random.pick<int>({1, 2, 4}),
      random.between(1, 3),
      random.pick<int>({1, 1, 2}),
      pick({"lifo", "fifo"}),
      pick({"ascending", "round-robin", "themis"}),
      random.pick<int>({0, 10}),
      algorithm,
      pick({"ring", "direct"})};
}

std::string collective_text(Random& random) {
  return Filled{"collective: {}, size: {} KiB",
                random.pick<std::string>(
                    {"all-reduce", "all-reduce", "reduce-scatter", "all-gather", "all-to-all", "broadcast"}),
                random.pick<int>({1, 100, 1000, 5000, random.between(1, 9000)})};
}

// Returns what a layer does in a pass: its collective, if there is one, and the key of another thing.
std::string pass_text(Random& random, const std::string& name, int percent) {
  const std::string collective = random.chance(percent) ? ", " + collective_text(random) : "";
  return Filled{"{}: {{ compute: {} us{} }}", name, random.between(0, 100), collective};
}

std::string layers_text(Random& random, int count, bool pipeline) {
  std::string layers = "  layers:\n";
  const bool forward = !pipeline && random.chance(50);
  for (int i = 0; i < count; ++i) {
    layers += Filled{"    - {{ name: l{}, {}, {}, {}", i, pass_text(random, "forward", forward ? 60 : 0),
                     pass_text(random, "input-gradient", forward ? 30 : 0),
                     pass_text(random, "weight-gradient", 80)};
    if (pipeline && i + 1 < count) layers += Filled{", output: {} KiB", random.between(1, 4000)};
    layers += " }\n";
  }
  const std::string policy = pipeline ? "" : forward ? "  policy: hybrid-data-model\n" : "  policy: data\n";
  return policy + layers;
}

std::string transformer_text(Random& random, int npus) {
  for (;;) {
    const int tensor = random.pick<int>({1, 2, 2, 4, 3, 6}), pipeline = random.pick<int>({1, 1, 2, 3, 4});
    if (npus % (tensor * pipeline) != 0) continue;
    const int data = npus / tensor / pipeline;
    return Filled{
        "platform: dgx-a100\nworkload: {{ model: gpt3-125m, sequence: 256, batch: {{ global: {}, micro: 1 "
        "}}, "
        "parallelism: {{ tensor: {}, pipeline: {}, data: {}, zero: {} }} }}\n",
        data * random.pick<int>({2, 4}),
        tensor,
        pipeline,
        data,
        random.between(0, 1)};
  }
}

std::string workload_text(Random& random, GraphWorkload workload, int npus) {
  switch (workload) {
    case GraphWorkload::one_collective:
      return "workload:\n  layers: [ { name: l, weight-gradient: { " + collective_text(random) + " } } ]\n";
    case GraphWorkload::layers:
      return "workload:\n" + layers_text(random, random.between(2, 5), false);
    case GraphWorkload::pipeline:
      return Filled{"workload:\n  pipeline: {{ micro-batches: {}, schedule: {} }}\n{}", random.between(1, 6),
                    random.chance(50) ? "gpipe" : "1f1b", layers_text(random, 16, true)};
    case GraphWorkload::transformer:
      break;
  }
  return transformer_text(random, npus);
}

}  // namespace

RandomGraphRun random_graph_run(std::uint64_t seed, GraphWorkload workload, GraphCollectives collectives) {
  Random random(seed);
  const std::string network = random_graph_text(random);
  const int npus = read_graph_network(parse_yaml(network, "net.yaml")).npus();
  std::string keys = system_text(random, workload, collectives);
  // Ways do not matter to closed forms.
  const std::string routing = random.pick<std::string>({"ecmp", "shortest", "spray"});
  const int route_seed = random.between(0, 9);
  if (collectives != GraphCollectives::library)
    keys += fmt::format("routing: {}\nroute-seed: {}\n", routing, route_seed);
  RandomGraphRun run;
  run.text = "network: " + network + "\n" + keys + workload_text(random, workload, npus);
  Warnings warnings;
  run.spec =
      read_experiment(run.text, fmt::format("seed-{}.yaml", seed), {}, warnings, InputLog()).runs.at(0);
  return run;
}

RunSpec with_links(const RunSpec& spec, const std::function<void(LinkId, LinkProperties&)>& change) {
  const NetworkGraph& before = *spec.topology->graph;
  NetworkGraph graph;
  for (const NodeId node : before.all_nodes()) graph.add(before.node(node));
  for (const LinkId link : before.all_links()) {
    LinkProperties properties = before.link(link);
    change(link, properties);
    graph.connect(before.link(link).from, before.link(link).to, properties);
  }
  BuiltNetwork built{std::move(graph), {}};
  for (const Dimension& dimension : spec.topology->dimensions) built.groups.push_back(dimension.size);
  Topology topology = topology_of(std::move(built));
  topology.routing = spec.topology->routing;
  topology.route_seed = spec.topology->route_seed;
  RunSpec changed = spec;
  changed.topology = topology;
  return changed;
}

LinkId used_link(const NetworkGraph& graph, const std::vector<LinkUse>& used, Random& random) {
  const LinkUse& use = used[random.chance(50) ? 0 : random.next() % used.size()];
  std::vector<LinkId> links;
  for (const LinkId link : graph.all_links())
    if (graph.node(graph.link(link).from).name == use.from && graph.node(graph.link(link).to).name == use.to)
      links.push_back(link);
  return random.pick(links);
}

}  // namespace orrery::core::test
