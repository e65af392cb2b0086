// orrery compute collective: prints what collectives cost in a library on a machine of GPUs in nodes.

#include <memory>
#include <nlohmann/json.hpp>

#include "base/files/input_log.hpp"
#include "base/text/quantity.hpp"
#include "cli/commands.hpp"
#include "cli/console.hpp"
#include "cli/flags/flag_values.hpp"
#include "collective/library/group_table.hpp"
#include "collective/library/library_file.hpp"
#include "report/calculators/collective_report.hpp"

namespace orrery::core {

namespace {

GroupRow usual_row() {
  GroupRow row;
  row.group = {8, 0};
  row.where = {"compute collective"};
  return row;
}

struct CollectiveOptions {
  std::string library = "nccl", operation = "all-reduce", size = "64 MiB", algorithm, timed_by = "kernel";
  std::string inside, between, buffers, caller = "torch";
  GroupRow row = usual_row();
  std::string groups;
  double interval = usual_interval_share;
  bool json = false;
};

GroupRow row_of(const CollectiveOptions& options, const LibraryConstants& constants) {
  GroupRow row = options.row;
  row.links.inside = link_of_flag(options.inside.empty() ? usual_link(constants) : options.inside, "--link");
  row.links.between = link_of_flag(options.between, "--inter");
  row.operation = word_of_flag(library_operation_words, options.operation, "--kind");
  if (!options.algorithm.empty()) {
    row.algorithm = word_of_flag(library_algorithm_words, options.algorithm, "--algorithm");
    require_several_algorithms(row.operation, constants, {"--algorithm"});
  }
  if (!options.buffers.empty()) row.links.buffers = word_of_flag(buffers_words, options.buffers, "--buffers");
  row.links.caller = word_of_flag(caller_words, options.caller, "--caller");
  row.timed_by = word_of_flag(timed_by_words, options.timed_by, "--timed");
  row.bytes = parse_bytes(options.size, {"--size"}).as_double();
  if (row.group.per_node == 0) row.group.per_node = most_per_node(row.links, row.group.members);
  return row;
}

int cost_collectives(const CollectiveOptions& options) {
  const InputLog inputs(InputLog::Holds::paths);
  const LibraryConstants constants = find_library_constants(options.library, {"--library"}, inputs);
  const std::vector<GroupRow> rows = options.groups.empty()
                                         ? std::vector{row_of(options, constants)}
                                         : read_group_table(inputs.read(options.groups), options.groups);
  Warnings warnings;
  const CollectiveReport report = cost_groups(rows, constants, options.interval, warnings);
  print_warnings(warnings);
  if (options.json)
    print_json(collective_to_json(report).dump(2) + "\n");
  else
    print(collective_text(report));
  return success;
}

}  // namespace

Command add_compute_collective(CLI::App& command) {
  auto options = std::make_shared<CollectiveOptions>();
  GroupRow& row = options->row;
  const CLI::Validator members = from_to(1, 1 << 24);
  const CLI::Validator in_a_node = from_to(1, 4096);
  command.add_option("--library", options->library, "A library that comes with Orrery, or a library file")
      ->capture_default_str();
  const std::vector<CLI::Option*> one{
      command.add_option(
          "--link", options->inside,
          "Links inside a node: a class, a bandwidth, or as `{ base: nvlink4, bandwidth: 400 GB/s }`; "
          "nvlink4, or the library's first class"),
      command.add_option("--inter", options->between, "Links between nodes, likewise"),
      command.add_option("--kind", options->operation, "Which collective, or send")->capture_default_str(),
      command.add_option("--members", row.group.members, "GPUs of the group")
          ->check(members)
          ->capture_default_str(),
      command.add_option("--per-node", row.group.per_node, "Of them in each node; as many as can be")
          ->check(in_a_node),
      command.add_option("--size", options->size, "Of the whole tensor, such as `64 MiB`")
          ->capture_default_str(),
      command.add_option("--algorithm", options->algorithm, "Only this one of the library's"),
      command.add_option("--buffers", options->buffers,
                         "Memory of the buffers, cpu or gpu; that of the library"),
      command
          .add_option("--caller", options->caller,
                      "Who calls the library: PyTorch, which lacks some of it, or a program of its own")
          ->capture_default_str(),
      command.add_option("--timed", options->timed_by, "As a benchmark does: by the kernel or call by call")
          ->capture_default_str(),
      command.add_option("--gpus-per-node", row.links.gpus_per_node, "GPUs of a node")
          ->check(in_a_node)
          ->capture_default_str(),
      command.add_option("--nics-per-node", row.links.nics_per_node, "Network cards of a node; one per GPU")
          ->check(in_a_node),
  };
  auto* groups = command.add_option("--groups", options->groups, "CSV file of many groups, instead of one");
  for (CLI::Option* option : one) groups->excludes(option);
  command
      .add_option("--interval", options->interval, "Share of measurements that the interval of a time holds")
      ->check(from_to(least_interval_share, most_interval_share))
      ->capture_default_str();
  command.add_flag("--json", options->json, "Print everything as JSON");
  return [options](const CommandLine&) { return cost_collectives(*options); };
}

}  // namespace orrery::core
