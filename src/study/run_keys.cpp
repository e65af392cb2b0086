#include "study/run_keys.hpp"

#include <algorithm>
#include <cstdint>

#include <fmt/format.h>

namespace orrery {

namespace {

enum class RunKind : std::uint8_t { collectives, pipeline, parameter_server, platform };

RunKind kind_of(const RunSpec& spec) {
  if (spec.training) return RunKind::platform;
  if (spec.workload && spec.workload->pipeline) return RunKind::pipeline;
  if (spec.workload && spec.workload->parameter_server) return RunKind::parameter_server;
  return RunKind::collectives;
}

struct UnusedKey {
  RunKind kind;
  std::string_view key;
  std::string_view why;
  bool shared = false;  // the top of the file may have it for other runs
};

constexpr std::string_view on_platform = "a run on a `platform`", in_pipeline = "a pipeline",
                           with_server = "a run with a parameter server";

constexpr UnusedKey unused_keys[] = {
    {RunKind::platform, "network", "the platform says what its links are"},
    {RunKind::platform, "system", "the platform's library says how collectives run"},
    {RunKind::platform, "device", "the platform says what its device is"},
    {RunKind::platform, "dialect", "it follows Orrery's own rules"},
    {RunKind::platform, "passes", "all its steps are alike, and one is simulated"},
    {RunKind::platform, "compute-scale", "the factor on its operators is `platform.stack.kernel-slowdown`"},
    {RunKind::platform, "communication-scale",
     "the factors on its collectives are `platform.stack.exchange-efficiency` and `sharding-efficiency`"},
    {RunKind::platform, "injection-scale", "it has no endpoint delay"},
    {RunKind::platform, "stragglers", "all its devices are equally fast"},
    {RunKind::platform, "compute-jitter", "all its devices are equally fast"},
    {RunKind::platform, "slow-links", "all its links of a class are equally fast"},
    {RunKind::platform, "network-model", "its collectives are closed forms, without messages"},
    {RunKind::pipeline, "slow-links", "all ranks of a stage are equal"},
    {RunKind::parameter_server, "slow-links", "its messages know no slow links"},
    {RunKind::parameter_server, "system", "it has no collectives", true},
    {RunKind::parameter_server, "injection-scale", "it has no endpoint delay", true},
};

std::string_view named(RunKind kind) {
  return kind == RunKind::platform ? on_platform : kind == RunKind::pipeline ? in_pipeline : with_server;
}

const YamlName* key_of(const YamlNode& map, std::string_view key) {
  const auto found = std::ranges::find(map.names, key, &YamlName::text);
  return found == map.names.end() ? nullptr : &*found;
}

InputError unused_error(const YamlName& name, const UnusedKey& entry) {
  return InputError(name.where,
                    fmt::format("{} has no `{}`: {}; leave it out", named(entry.kind), entry.key, entry.why));
}

bool uses(RunKind kind, std::string_view key) {
  return std::ranges::none_of(unused_keys,
                              [&](const UnusedKey& entry) { return entry.kind == kind && entry.key == key; });
}

}  // namespace

void UnusedKeys::refuse(const RunSpec& spec, const YamlNode& run, const YamlNode& document) {
  const RunKind kind = kind_of(spec);
  for (const UnusedKey& entry : unused_keys) {
    const YamlName* own = key_of(run, entry.key);
    const YamlName* name = own ? own : key_of(document, entry.key);
    if (!name) continue;
    if (!own && uses(kind, entry.key)) used_.insert(entry.key);
    if (entry.kind != kind) continue;
    if (own || !entry.shared) throw unused_error(*name, entry);
    unused_.emplace(entry.key, unused_error(*name, entry));
  }
}

void UnusedKeys::refuse_unused() const {
  for (const auto& [key, error] : unused_)
    if (!used_.contains(key)) throw error;
}

}  // namespace orrery
