#include "support/trace_experiments.hpp"

#include <fmt/format.h>

#include <map>
#include <nlohmann/json.hpp>

#include "base/files/file.hpp"
#include "base/input/input_node.hpp"
#include "support/cases.hpp"

namespace orrery::core::test {

namespace {

using Json = nlohmann::json;

const std::map<std::string, std::string> collective_keys{{"all-reduce", "all-reduce-implementation"},
                                                         {"reduce-scatter", "reduce-scatter-implementation"},
                                                         {"all-gather", "all-gather-implementation"},
                                                         {"all-to-all", "all-to-all-implementation"}};

bool is_on(const Json& system, const char* key) {
  return system.contains(key) && system.at(key).get<int>() != 0;
}

std::string text_of(const Json& number) {
  return number.is_string() ? number.get<std::string>() : number.dump();
}

std::string network_of(const std::string& file) {
  const InputNode network = parse_yaml(read_file_of_any_kind(file), file);
  const std::map<std::string, std::string> blocks{
      {"Ring", "ring"}, {"FullyConnected", "fully-connected"}, {"Switch", "switch"}};
  std::string text = "network:\n";
  for (std::size_t d = 0; d < network.find("topology")->items.size(); ++d) {
    const auto value = [&](const char* key) { return network.find(key)->items[d].text; };
    text +=
        fmt::format("  - {{ topology: {}, size: {}, bandwidth: {} GiB/s, latency: {} ns }}\n",
                    blocks.at(value("topology")), value("npus_count"), value("bandwidth"), value("latency"));
  }
  return text;
}

std::string algorithm_of(const std::string& word) {
  if (word.starts_with("one")) {
    std::string rest = word.substr(3);
    rest[0] = static_cast<char>(rest[0] - 'A' + 'a');
    return "{ algorithm: " + algorithm_of(rest) + ", span: machine }";
  }
  if (word.starts_with("direct") && word.size() > 6) return "direct:" + word.substr(6);
  if (word == "halvingDoubling") return "halving-doubling";
  if (word == "doubleBinaryTree") return "double-binary-tree";
  return word;
}

std::string bus_of(const Json& system) {
  return fmt::format(
      "  shared-bus: {{ latency: {} ns, overhead: {} ns, gap: {} ns, gap-per-byte: {} ns/B, "
      "local-reduction-delay: {} }}\n",
      text_of(system.at("L")), text_of(system.at("o")), text_of(system.at("g")), text_of(system.at("G")),
      text_of(system.value("local-reduction-delay", Json(1))));
}

std::string system_of(const Json& system, const Flags& flags) {
  std::string text = fmt::format(
      "system:\n  active-chunks-per-dimension: {}\n  chunks: {}\n  all-reduce-shape: {}\n",
      text_of(system.value("active-chunks-per-dimension", Json(1))),
      text_of(system.at("preferred-dataset-splits")),
      system.value("collective-optimization", "") == "baseline" ? "baseline" : "local-bandwidth-aware");
  if (is_on(system, "model-shared-bus"))
    text += bus_of(system);
  else
    text += fmt::format("  endpoint-delay: {} ns\n", text_of(system.value("endpoint-delay", Json(10))));
  for (const std::string& flag : flags) {
    const std::string value = flag.substr(flag.find('=') + 1);
    if (flag.starts_with("--num-queues-per-dim=")) text += "  queues-per-dimension: " + value + "\n";
    if (flag.starts_with("--rendezvous-protocol=")) text += "  rendezvous: " + value + "\n";
  }
  std::string collectives;
  for (const auto& [kind, key] : collective_keys) {
    if (!system.contains(key)) continue;
    collectives += "    " + kind + ": [";
    for (const Json& word : system.at(key)) collectives += algorithm_of(word) + ", ";
    collectives += "]\n";
  }
  return collectives.empty() ? text : text + "  collectives:\n" + collectives;
}

std::string memory_of(const Json& memory) {
  const std::map<std::string, std::string> servers{
      {"PER_NPU_MEMORY_EXPANSION", "npu"}, {"PER_NODE_MEMORY_EXPANSION", "node"}, {"MEMORY_POOL", "machine"}};
  const auto server = servers.find(memory.at("memory-type").get<std::string>());
  if (server == servers.end()) return {};
  std::string text =
      fmt::format("  remote-memory: {{ server: {}, latency: {} ns, bandwidth: {} GB/s", server->second,
                  text_of(memory.at("remote-mem-latency")), text_of(memory.at("remote-mem-bw")));
  if (server->second == "node") text += ", npus-per-node: " + text_of(memory.at("num-npus-per-node"));
  return text + " }\n";
}

std::string workload_of(const Json& system, const Json& memory, const Flags& flags) {
  std::string text = "workload:\n  traces: trace\n";
  if (is_on(system, "replay-only")) return text + "  replay: true\n";
  text += fmt::format("  memory-bandwidth: {} GB/s\n", text_of(system.at("local-mem-bw")));
  if (is_on(system, "roofline-enabled"))
    text += fmt::format("  peak: {} TFLOP/s\n", text_of(system.at("peak-perf")));
  if (is_on(system, "track-local-mem")) text += "  track-memory: true\n";
  for (const std::string& flag : flags)
    if (flag.starts_with("--comm-group-configuration="))
      text += "  groups: " + flag.substr(flag.find('=') + 1) + "\n";
  if (system.contains("per-node-custom-implementation"))
    text += "  node-algorithms: " + text_of(system.at("per-node-custom-implementation")) + "\n";
  if (system.contains("all-reduce-implementation-custom"))
    text +=
        "  algorithms: { all-reduce: " + text_of(system.at("all-reduce-implementation-custom")[0]) + " }\n";
  return text + memory_of(memory);
}

}  // namespace

std::string experiment_of_case(const std::filesystem::path& folder) {
  const auto file = [&](const char* name) { return (folder / name).string(); };
  const Json system = Json::parse(read_file_of_any_kind(file("system.json")));
  const Json memory = Json::parse(read_file_of_any_kind(file("remote_memory.json")));
  Flags flags;  // one to a line
  for (const Flags& line : flags_of_case(folder)) flags.insert(flags.end(), line.begin(), line.end());
  return "dialect: astra-sim-2\n" + network_of(file("network.yml")) + system_of(system, flags) +
         workload_of(system, memory, flags);
}

}  // namespace orrery::core::test
