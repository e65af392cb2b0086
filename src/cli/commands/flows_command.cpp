// orrery flows: prints when flows that share a network end.
#include <array>
#include <functional>
#include <memory>

#include "base/files/file.hpp"
#include "cli/commands.hpp"
#include "cli/console.hpp"
#include "cli/flags/flag_values.hpp"
#include "cli/flags/network_model_flag.hpp"
#include "cli/flags/option_flags.hpp"
#include "cli/flags/plugin_flags.hpp"
#include "cli/flags/result_outputs.hpp"
#include "cli/flags/route_flags.hpp"
#include "cli/progress_line.hpp"
#include "network/flows/flow_file.hpp"
#include "network/flows/run_flows.hpp"
#include "network/packet/ns3/ns3_config.hpp"
#include "network/packet/settings/packet_settings.hpp"
#include "report/network/flow_report.hpp"
#include "report/network/link_report.hpp"
#include "report/network/packet_report.hpp"
#include "topology/files/any_network.hpp"

namespace orrery::core {

namespace {

struct FlowOptions {
  PluginFlags plugins;
  std::string output = standard_output;
  std::string topology, flows, packets, config, links, switches, link_history, switch_history, latencies;
  std::array<std::string, network_option_kinds.size()> network_options;
  NetworkModelFlag model;
  bool json = false;
  RouteFlags routes;
};

// The settings of packets that the flags give.
struct PacketOptions {
  std::shared_ptr<const PacketSettings> settings;  // null: they say nothing
  Ns3Outputs outputs;                              // that ns-3's config.txt asks for
};

// A link that ns-3's config.txt cuts is cut in the topology.
PacketOptions packets_of(const FlowOptions& options, NetworkModel model, Topology& topology,
                         Warnings& warnings, const FileLoader& load) {
  if (!options.packets.empty())
    return {packets_of_flag(options.packets, topology, model, warnings, load), {}};
  if (options.config.empty()) return {};
  throw_if(fault_of_packets(topology, model, {"--config"}, "it"));
  Ns3Config config = read_ns3_config(load(options.config, ReadAs::ns3_config), options.config, warnings);
  require_folders(config.outputs);
  if (config.outputs.traces) {
    const std::string& list = config.outputs.trace_list.path;
    config.outputs.traced_nodes = read_traced_nodes(load(list), list, *topology.graph);
  }
  cut_links(config, topology);
  return {std::make_shared<const PacketSettings>(std::move(config.packets)), std::move(config.outputs)};
}

// Throws InputError where nobody follows packets into the buffers of switches.
void require_followed_packets(const Topology& topology, NetworkModel model,
                              const std::shared_ptr<const PacketSettings>& packets, const std::string& flag) {
  throw_if(fault_of_packets(topology, model, {flag}, "it"));
  if (packets && !packets->every_packet)
    throw InputError({flag},
                     "with `every-packet: false` packets are not followed, so that nothing is known of what "
                     "switches hold: leave one of the two out");
}

void set_options(const std::array<std::string, network_option_kinds.size()>& values, NetworkSetup& network,
                 const FileLoader& load) {
  for (std::size_t i = 0; i < network_option_kinds.size(); ++i)
    if (!values[i].empty())
      network.options.push_back(read_option_of_flag(*network_option_kinds[i], values[i], load));
}

void write_if_named(const std::string& file, const std::function<std::string()>& text) {
  if (!file.empty()) write_output(file, text());
}

// Throws InputError where the model does not know what a table is about.
void check_tables(const FlowOptions& options, const Topology& topology, NetworkModel model,
                  const std::shared_ptr<const PacketSettings>& packets) {
  if (!options.link_history.empty())
    throw_if(fault_of_link_history(topology, model, {"--link-history"}, "it"));
  if (!options.switch_history.empty()) require_followed_packets(topology, model, packets, "--switch-history");
  if (!options.latencies.empty() && !(model == &packet_model && topology.flits))
    throw InputError({"--latencies"},
                     "only a network of flits, with the network model `packet`, says for how long packets "
                     "are under way: leave it out");
  if (!options.switches.empty()) require_followed_packets(topology, model, packets, "--switches");
}

void warn_of_later_changes(const Topology& topology, const FlowsResult& result) {
  if (!topology.link_changes) return;
  Warnings warnings;
  warn_of_later(*topology.link_changes, result.end, warnings);
  print_warnings(warnings);
}

void write_tables(const FlowOptions& options, const Topology& topology, const FlowsResult& result) {
  write_if_named(options.link_history, [&] { return csv_text(link_history_rows(result.link_history)); });
  write_if_named(options.switch_history, [&] { return csv_text(switch_history_rows(result.link_history)); });
  write_if_named(options.links, [&] { return flow_links_csv(result, topology); });
  write_if_named(options.latencies, [&] { return csv_text(latencies_rows(result.latencies)); });
  write_if_named(options.switches, [&] { return csv_text(switches_rows(result.switches)); });
}

// Throws InputError where a table would replace an input, or two tables have one name.
void check_flow_outputs(const FlowOptions& options, const Ns3Outputs& of_ns3, const InputLog& inputs) {
  OutputFiles outputs;
  outputs.add_named({"--output"}, options.output);
  outputs.add_named({"--links"}, options.links);
  outputs.add_named({"--switches"}, options.switches);
  outputs.add_named({"--latencies"}, options.latencies);
  outputs.add_named({"--link-history"}, options.link_history);
  outputs.add_named({"--switch-history"}, options.switch_history);
  for (const Ns3Outputs::File* file : {&of_ns3.completions, &of_ns3.pauses, &of_ns3.queues})
    outputs.add_named(file->where, file->path);
  if (of_ns3.traces) outputs.add_named(of_ns3.trace.where, of_ns3.trace.path);
  outputs.refuse_inputs(inputs);
}

int run_flow_files(const FlowOptions& options) {
  Warnings warnings;
  const InputLog inputs(InputLog::Holds::paths);
  const FileLoader load = options.plugins.loader(inputs);
  Topology topology = with_progress("flows", "reading the network", [&] {
    return read_any_network(inputs.read(options.topology), options.topology, warnings, load.extensions());
  });
  const FlowFile file = with_progress("flows", "reading flows", [&] {
    return read_flows_on(topology, inputs.read(options.flows), options.flows);
  });
  const std::vector<Flow>& flows = file.flows;
  const NetworkModel model = options.model.model(load.extensions()).value_or(&fluid_model);
  if (model->check)
    with_place({options.model.given() ? "--network-model" : ""},
               [&] { model->check(topology, native_dialect); });
  options.routes.apply(topology, model, load);
  file.break_links(topology, model, "--failures");
  const PacketOptions packets = packets_of(options, model, topology, warnings, load);
  print_warnings(warnings);
  check_tables(options, topology, model, packets.settings);
  NetworkSetup network{.model = model,
                       .packets = packets.settings,
                       .link_history = !options.link_history.empty() || !options.switch_history.empty()};
  set_options(options.network_options, network, load);
  check_flow_outputs(options, packets.outputs, inputs);
  std::vector<std::shared_ptr<Ns3Log>> logs;
  if (!options.config.empty()) logs = make_ns3_logs(packets.outputs, *topology.graph, *packets.settings);
  network.packet_logs.assign(logs.begin(), logs.end());
  FlowsResult result;
  {
    ProgressLine progress("flows");
    result = run_flows(flows, topology, network, progress.listener());
  }
  warn_of_later_changes(topology, result);
  for (const auto& log : logs) log->finish();
  const std::string text = with_progress("flows", "writing tables", [&] {
    write_if_named(packets.outputs.completions.path,
                   [&] { return ns3_completions(flows, result, *topology.graph, *packets.settings); });
    write_tables(options, topology, result);
    return options.json ? flows_json(flows, result, topology) : flows_csv(flows, result);
  });
  if (options.output == standard_output)
    print(text);
  else
    write_file_atomically(options.output, text);
  return success;
}

}  // namespace

Command add_flows_command(CLI::App& command) {
  auto options = std::make_shared<FlowOptions>();
  command
      .add_option("--topology", options->topology,
                  "The network: a network file, of Orrery or another program")
      ->required();
  command
      .add_option(
          "--flows", options->flows,
          "A CSV with source,destination,bytes and, if need be, start_us,after,channel,priority; or a "
          "flow file of ns-3")
      ->required();
  options->plugins.add_to(command);
  options->model.add_to(command);
  CLI::Option* const packets = command.add_option("--packets", options->packets, packets_flag_meaning);
  command.add_option("--config", options->config, "The config.txt of ns-3's back end, for the model packet")
      ->excludes(packets);
  options->routes.add_to(command);
  for (std::size_t i = 0; i < network_option_kinds.size(); ++i)
    if (const NetworkOptionKind& kind = *network_option_kinds[i]; !kind.flag_of_flows.empty())
      command.add_option(flag_of(kind), options->network_options[i], std::string(kind.flag_of_flows));
  command.add_flag("--json", options->json,
                   "Print flows, links and switches as one JSON object instead of a CSV of flows");
  command.add_option("--output", options->output, "File for what is printed (default: -, standard output)");
  command.add_option("--links", options->links, "File for a table of what each link has carried");
  command.add_option("--switches", options->switches,
                     "File for a table of what switches have held, of the model packet");
  command.add_option("--latencies", options->latencies,
                     "File for a table of how long packets were under way, of a network of flits");
  command.add_option("--link-history", options->link_history,
                     "File for a table of what the busiest links have carried when");
  command.add_option("--switch-history", options->switch_history,
                     "File for a table of what the fullest switches have held when, of the model packet");
  return [options](const CommandLine&) { return run_flow_files(*options); };
}

}  // namespace orrery::core
