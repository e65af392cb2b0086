#include "orrery/workload.hpp"

#include <filesystem>
#include <nlohmann/json.hpp>
#include <vector>

#include "api/studies/findings_state.hpp"
#include "base/files/input_log.hpp"
#include "report/catalogue.hpp"
#include "workload/transformer/catalogue/transformer_catalogue.hpp"

namespace orrery {

namespace {

// A file may have any name, as for the program, which looks into it.
core::Transformer find_any_transformer(const std::string& name_or_file, core::Warnings& warnings) {
  const core::InputLog inputs(core::InputLog::Holds::paths);
  if (std::filesystem::is_regular_file(name_or_file))
    return core::read_transformer(inputs.read(name_or_file), name_or_file, warnings);
  return core::find_transformer(name_or_file, {"name_or_file"}, inputs, warnings);
}

}  // namespace

Table models() {
  return core::table_of(core::catalogue_rows("models"));
}

Table transformers() {
  return core::table_of(core::catalogue_rows("transformers"));
}

Result<Findings> describe_transformer(const std::string& name_or_file) {
  return core::found_by([&] {
    core::Warnings warnings;
    const std::vector<core::ListedTransformer> found{
        {name_or_file, find_any_transformer(name_or_file, warnings)}};
    return core::findings_of({{"transformers.csv", {core::transformer_table, found}}},
                             core::transformer_list_to_json(found),
                             core::text_of(core::transformer_table, found), warnings);
  });
}

}  // namespace orrery
