#include "orrery/calculators.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>

#include "api/document_nodes.hpp"
#include "api/studies/findings_state.hpp"
#include "api/studies/option_values.hpp"
#include "base/text/quantity.hpp"
#include "collective/library/library_file.hpp"
#include "compute/device_model.hpp"
#include "report/calculators/collective_report.hpp"
#include "report/calculators/roofline_report.hpp"
#include "study/machine/platform_links.hpp"

namespace orrery {

namespace {

constexpr std::int64_t most_gpus = 1 << 24, most_gpus_in_a_node = 4096,
                       largest_extent = std::int64_t{1} << 40;

core::LibraryMachine machine_of_question(const CollectiveQuestion& asked, const core::FileLoader& load) {
  if (asked.platform.kind() != Document::Kind::null)
    return core::links_of_platform(core::node_of(asked.platform, "platform"), load);
  const core::LibraryConstants constants = core::find_library_constants(asked.library, {"library"}, load);
  core::ClusterLinks links;
  links.inside =
      core::link_of_flag(asked.inside.empty() ? core::usual_link(constants) : asked.inside, "inside");
  links.between = core::link_of_flag(asked.between, "between");
  links.gpus_per_node =
      static_cast<int>(core::checked_option(asked.gpus_per_node, 1, most_gpus_in_a_node, "gpus_per_node"));
  links.nics_per_node =
      static_cast<int>(core::checked_option(asked.nics_per_node, 0, most_gpus_in_a_node, "nics_per_node"));
  if (!asked.buffers.empty())
    links.buffers = core::word_of_option(core::buffers_words, asked.buffers, "buffers");
  links.caller = core::word_of_option(core::caller_words, asked.caller, "caller");
  return {constants, links};
}

core::GroupRow row_of_question(const CollectiveQuestion& asked, const core::ClusterLinks& links) {
  core::GroupRow row;
  row.where = {"collective"};
  row.links = links;
  row.operation = core::word_of_option(core::library_operation_words, asked.collective, "collective");
  row.bytes = core::parse_bytes(asked.size, {"size"}).as_double();
  row.group.members = static_cast<int>(core::checked_option(asked.members, 1, most_gpus, "members"));
  row.group.per_node =
      static_cast<int>(core::checked_option(asked.per_node, 0, most_gpus_in_a_node, "per_node"));
  if (row.group.per_node == 0) row.group.per_node = core::most_per_node(links, row.group.members);
  if (!asked.algorithm.empty())
    row.algorithm = core::word_of_option(core::library_algorithm_words, asked.algorithm, "algorithm");
  row.timed_by = core::word_of_option(core::timed_by_words, asked.timed, "timed");
  return row;
}

core::Gemm product_of(const ProductQuestion& asked) {
  const auto extent = [](std::int64_t value, const char* option) {
    return static_cast<std::uint64_t>(core::checked_option(value, 1, largest_extent, option));
  };
  return {extent(asked.m, "m"), extent(asked.n, "n"), extent(asked.k, "k"), extent(asked.batch, "batch")};
}

core::ProductSparsity sparsity_of(const ProductQuestion& asked, const core::Device& device) {
  for (const auto& [share, option] : {std::pair(asked.weight_sparsity, "weight_sparsity"),
                                      std::pair(asked.activation_sparsity, "activation_sparsity")})
    if (!(share >= 0 && share <= 1))
      throw core::InputError({option}, fmt::format("{} is not a share from 0 to 1", share));
  return core::calculated_sparsity(
      asked.weight_sparsity, asked.activation_sparsity,
      core::word_of_option(core::sparsity_pattern_words, asked.sparsity_pattern, "sparsity_pattern"), device);
}

}  // namespace

Result<Findings> cost_collective(const CollectiveQuestion& asked) {
  return core::found_by([&] {
    const core::InputLog inputs(core::InputLog::Holds::paths);
    const core::LibraryMachine machine = machine_of_question(asked, inputs);
    core::Warnings warnings;
    const core::GroupRow row = row_of_question(asked, machine.links);
    const double share = core::checked_number(asked.interval, core::least_interval_share,
                                              core::most_interval_share, "interval");
    const core::CollectiveReport report = core::cost_groups({row}, machine.constants, share, warnings);
    return core::findings_of({{"costs.csv", {core::with_json_columns(core::group_cost_table), report.costs}}},
                             core::collective_to_json(report), core::collective_text(report), warnings);
  });
}

Result<Findings> cost_products(const ProductQuestion& asked) {
  return core::found_by([&] {
    const core::InputLog inputs(core::InputLog::Holds::paths);
    const auto roofline =
        std::make_shared<core::RooflineModel>(core::find_calculated_device(asked.device, {"device"}, inputs));
    const core::ProductSparsity sparsity = sparsity_of(asked, roofline->device());
    const core::Datatype type = asked.datatype.empty()
                                    ? core::usual_datatype(roofline->device())
                                    : core::word_of_option(core::datatype_words, asked.datatype, "datatype");
    std::shared_ptr<const core::ComputeModel> model = roofline;
    if (!asked.table.empty())
      model = std::make_shared<core::MeasuredModel>(
          core::read_shape_table(inputs.read(asked.table), asked.table), type, roofline);
    const std::vector<core::ShapeRow> shapes =
        asked.shapes.empty() ? std::vector{core::ShapeRow{product_of(asked), {}, {}, {}}}
                             : core::read_shape_table(inputs.read(asked.shapes), asked.shapes);
    const core::RooflineReport report =
        core::cost_products(shapes, type, {"datatype"}, *roofline, *model, sparsity);
    return core::findings_of({{"products.csv", {core::with_json_columns(core::product_table), report.gemms}}},
                             core::roofline_to_json(report), core::roofline_text(report), {});
  });
}

}  // namespace orrery
