// orrery topology: prints what a network is made of and what it can carry.
#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "base/files/file_loader.hpp"
#include "cli/commands.hpp"
#include "cli/console.hpp"
#include "cli/flags/plugin_flags.hpp"
#include "cli/flags/result_outputs.hpp"
#include "cli/progress_line.hpp"
#include "report/network/channels_report.hpp"
#include "report/network/graph_dot.hpp"
#include "report/network/graph_svg.hpp"
#include "report/network/topology_report.hpp"

namespace orrery::core {

namespace {

struct TopologyOptions {
  PluginFlags plugins;
  std::string file, dot, svg;
  bool json = false, collectives = false;
};

// Throws InputError where a drawing would replace the network, or two outputs have one name.
void check_drawings(const TopologyOptions& options, const InputLog& inputs) {
  OutputFiles outputs;
  if (options.json) outputs.add_named({"--json"}, standard_output);
  outputs.add_named({"--dot"}, options.dot);
  outputs.add_named({"--svg"}, options.svg);
  outputs.refuse_inputs(inputs);
}

int topology(const TopologyOptions& options) {
  Warnings warnings;
  const InputLog inputs(InputLog::Holds::paths);
  const BuiltNetwork network = with_progress(options.file, "reading the network", [&] {
    return read_network_as_graph(inputs.read(options.file), options.file, warnings,
                                 options.plugins.loader(inputs).extensions());
  });
  check_drawings(options, inputs);
  if (!options.svg.empty() && network.graph.nodes() > max_readable_nodes)
    warnings.add({options.svg},
                 fmt::format("the network has {} nodes, and drawings of more than {} are hard to read",
                             network.graph.nodes(), max_readable_nodes));
  std::optional<ChannelsReport> channels;
  if (options.collectives)
    with_progress(options.file, "looking for channels", [&] {
      warn_of_missing_rings(network.graph, {options.file}, warnings);
      print_warnings(warnings);
      channels.emplace(network.graph, options.file);
    });
  else
    print_warnings(warnings);
  const TopologyReport report = with_progress(options.file, "measuring the network",
                                              [&] { return describe_network(network, options.file); });
  if (!options.dot.empty()) write_output(options.dot, graph_dot(network.graph));
  if (!options.svg.empty()) write_output(options.svg, graph_svg(network.graph));
  if (options.dot == standard_output || options.svg == standard_output) {
    // The drawing stands in the place of the text.
  } else if (options.json) {
    nlohmann::ordered_json json = topology_to_json(report);
    if (channels) json["channels"] = channels->json();
    print_json(json.dump(2) + "\n");
  } else {
    print(topology_text(report) + (channels ? "\n" + channels->text() : ""));
  }
  return report.cuts.empty() ? success : bad_input;
}

}  // namespace

Command add_topology_command(CLI::App& command) {
  auto options = std::make_shared<TopologyOptions>();
  command.add_option("file", options->file, "A network file")->required();
  options->plugins.add_to(command);
  command.add_flag("--json", options->json, "Print everything as JSON");
  command.add_flag("--collectives", options->collectives,
                   "Add the channels by which NCCL would carry out collectives of all NPUs");
  command.add_option(
      "--dot", options->dot,
      "Write the network to this file for Graphviz; -: to standard output, in place of the text");
  command.add_option("--svg", options->svg, "Draw the network into this file, likewise");
  return [options](const CommandLine&) { return topology(*options); };
}

}  // namespace orrery::core
