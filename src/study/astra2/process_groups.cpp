#include "study/astra2/process_groups.hpp"

#include <string_view>

#include "base/diagnostics.hpp"
#include "base/located_json.hpp"
#include "base/token_reader.hpp"

namespace orrery {

namespace {

const JsonValue& member(const JsonValue& group, std::string_view key) {
  const JsonValue* value = group.find(key);
  if (value == nullptr) throw InputError(group.where(), "a process group needs pg_name and ranks");
  return *value;
}

}  // namespace

std::vector<ProcessGroup> read_process_groups(const std::string& text) {
  constexpr std::size_t around = 2;
  constexpr int largest_id = 1'000'000'000;
  const std::string what = "the process groups";
  if (text.size() <= 2 * around) throw InputError({what}, "are missing");
  const JsonValue root = parse_json(std::string_view(text).substr(around, text.size() - 2 * around), what);
  std::vector<ProcessGroup> groups;
  for (const JsonValue& entry : root.as_array(what)) {
    const JsonValue& name = member(entry, "pg_name");
    const auto id = parse_unsigned(name.as_string("pg_name"));
    if (!id || *id > largest_id) throw InputError(name.where(), "pg_name has to be a number in quotes");
    ProcessGroup group{static_cast<int>(*id), {}};
    for (const JsonValue& rank : member(entry, "ranks").as_array("ranks"))
      group.members.push_back(rank.as_int("ranks"));
    groups.push_back(std::move(group));
  }
  return groups;
}

}  // namespace orrery
