#include "report/stored/stored_runs.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/input/keys.hpp"

namespace orrery::core {

namespace {

Time time_of_microseconds(const InputNode& node, std::string_view key) {
  constexpr double ps = 1e6, most = 2e18;  // of which a Time can hold sums
  return Time::from_ps(std::llround(std::clamp(number_of(node, key) * ps, -most, most)));
}
Time microseconds(const InputNode& node, const KeyFacts& key) {
  return time_of_microseconds(node, key.name);
}

double number(const InputNode& node, const KeyFacts& key) {
  constexpr double most = 1e300;
  return real_of(node, key.name, -most, most);
}

template <auto... path>
constexpr auto time_key(std::string_view name) {
  return key::declared<microseconds, KeyType::other, path...>(name, "", "");
}
template <auto... path>
constexpr auto number_key(std::string_view name) {
  return key::declared<number, KeyType::other, path...>(name, "", "");
}
template <auto... path>
constexpr auto text_key(std::string_view name) {
  return key::text<path...>(name, "", "");
}
template <auto... path>
constexpr auto count_key(std::string_view name) {
  return key::integer<path...>(name, 0, std::numeric_limits<std::int32_t>::max(), "", "");
}

// A list of maps, each of which is read by `keys`.
template <class Item, const auto& keys>
std::vector<Item> items(const InputNode& node, const KeyFacts& key) {
  std::vector<Item> read;
  for (const InputNode& item : items_of(node, key.name)) {
    require_map(item, key.name);
    read_known_keys(item, keys, read.emplace_back());
  }
  return read;
}
template <class Item, const auto& keys, auto... path>
constexpr auto list_key(std::string_view name) {
  return key::declared<items<Item, keys>, KeyType::other, path...>(name, "", "");
}

constexpr Key<LayerSummary> layer_keys[] = {
    text_key<&LayerSummary::name>("name"),
    time_key<&LayerSummary::compute>("compute_us"),
    time_key<&LayerSummary::communication>("communication_us"),
    time_key<&LayerSummary::exposed>("exposed_us"),
};
constexpr Key<DimensionSummary> dimension_keys[] = {
    text_key<&DimensionSummary::name>("name"),
    text_key<&DimensionSummary::kind>("topology"),
    number_key<&DimensionSummary::busy>("busy_share"),
};
constexpr Key<BusiestLinks> link_keys[] = {
    text_key<&BusiestLinks::from>("from"),
    text_key<&BusiestLinks::to>("to"),
    text_key<&BusiestLinks::dimension>("dimension"),
    number_key<&BusiestLinks::utilization>("utilization"),
};
constexpr Key<PartSummary> part_keys[] = {
    text_key<&PartSummary::name>("name"),
    count_key<&PartSummary::npus>("npus"),
    time_key<&PartSummary::time, &TimeParts::compute>("compute_us"),
    time_key<&PartSummary::time, &TimeParts::bubble>("bubble_us"),
    time_key<&PartSummary::time, &TimeParts::exposed>("exposed_us"),
    time_key<&PartSummary::time, &TimeParts::idle>("idle_us"),
};
constexpr Key<TrainingSummary> training_keys[] = {
    number_key<&TrainingSummary::tokens_per_second>("tokens_per_second"),
    number_key<&TrainingSummary::model_flop_utilization>("model_flop_utilization"),
    number_key<&TrainingSummary::hardware_flop_utilization>("hardware_flop_utilization"),
    number_key<&TrainingSummary::memory>("memory_bytes"),
};
constexpr Key<InputFile> input_keys[] = {
    text_key<&InputFile::path>("file"),
    text_key<&InputFile::sha256>("sha256"),
};

void read_varied(const InputNode& node, const KeyFacts& key, Summary& summary) {
  require_map(node, key.name);
  for (std::size_t i = 0; i < node.items.size(); ++i)
    summary.varied.emplace_back(node.names[i].text, scalar_of(node.items[i], node.names[i].text));
}

constexpr Key<Summary> summary_keys[] = {
    text_key<&Summary::name>("name"),
    text_key<&Summary::error>("error"),
    text_key<&Summary::dialect>("dialect"),
    text_key<&Summary::work>("work"),
    count_key<&Summary::npus>("npus"),
    count_key<&Summary::iterations>("iterations"),
    time_key<&Summary::total>("total_us"),
    time_key<&Summary::rank_0_total>("rank_0_total_us"),
    time_key<&Summary::time, &TimeParts::compute>("compute_us"),
    time_key<&Summary::time, &TimeParts::host>("host_us"),
    time_key<&Summary::time, &TimeParts::memory>("remote_memory_us"),
    time_key<&Summary::time, &TimeParts::update>("update_us"),
    time_key<&Summary::time, &TimeParts::contention>("contention_us"),
    time_key<&Summary::time, &TimeParts::bubble>("bubble_us"),
    time_key<&Summary::time, &TimeParts::exposed>("exposed_us"),
    time_key<&Summary::time, &TimeParts::idle>("idle_us"),
    list_key<LayerSummary, layer_keys, &Summary::layers>("layers"),
    list_key<DimensionSummary, dimension_keys, &Summary::dimensions>("dimensions"),
    list_key<BusiestLinks, link_keys, &Summary::busiest_links>("busiest_links"),
    list_key<PartSummary, part_keys, &Summary::parts>("parts"),
    key::custom<read_varied>("varied", "", "", ""),
};

constexpr Key<TrainingSummary> software_keys[] = {
    text_key<&TrainingSummary::device>("device"),
    text_key<&TrainingSummary::software>("software"),
    key::boolean<&TrainingSummary::software_is_named>("software_is_named", "", ""),
};

// Returns an interval, from a value and the ends between which it is expected; none where these are not
// known.
std::optional<ErrorInterval> read_interval(const InputNode& run, std::string_view value, std::string_view low,
                                           std::string_view high) {
  if (!run.find(low) || !run.find(high)) return std::nullopt;
  const double predicted = number_of(required(run, "a run", value), value);
  if (predicted <= 0) return std::nullopt;
  ErrorInterval interval;
  interval.low = number_of(*run.find(low), low) / predicted;
  interval.high = number_of(*run.find(high), high) / predicted;
  if (const InputNode* const share = run.find("interval_share"))
    interval.share = number_of(*share, "interval_share");
  return interval;
}

void read_accuracy(const InputNode& run, Summary& summary) {
  const auto time = read_interval(run, "step_us", "step_low_us", "step_high_us");
  if (!time) return;
  summary.accuracy = {*time, read_interval(run, "memory_bytes", "memory_low_bytes", "memory_high_bytes"), ""};
}

void read_training(const InputNode& run, Summary& summary) {
  if (!run.find("tokens_per_second")) return;
  TrainingSummary& training = summary.training.emplace();
  read_known_keys(run, training_keys, training);
  if (const InputNode* const of = run.find("training")) read_known_keys(*of, software_keys, training);
  const InputNode* const axes = run.find("exposed_by_axis_us");
  if (!axes) return;
  require_map(*axes, "exposed_by_axis_us");
  for (std::size_t i = 0; i < axes->items.size(); ++i)
    training.axes.push_back({axes->names[i].text, time_of_microseconds(axes->items[i], axes->names[i].text)});
}

Origin read_origin(const InputNode& node) {
  Origin origin;
  require_map(node, "origin");
  constexpr Key<Origin> origin_keys[] = {list_key<InputFile, input_keys, &Origin::inputs>("inputs")};
  read_known_keys(node, origin_keys, origin);
  for (const InputNode& text : items_of(required(node, "origin", "overrides"), "overrides"))
    origin.overrides.push_back(scalar_of(text, "overrides"));
  return origin;
}

StoredRun read_run(const InputNode& node, const Origin& origin) {
  StoredRun run;
  require_map(node, "a run");
  run.run = scalar_of(required(node, "a run", "name"), "name");
  read_known_keys(node, summary_keys, run.summary);
  if (run.summary.error.empty()) required(node, "a run", "total_us");
  read_training(node, run.summary);
  read_accuracy(node, run.summary);
  if (run.summary.work.empty())  // results of earlier versions, whose layers have to tell
    for (const LayerSummary& layer : run.summary.layers) run.summary.work += layer.name + ' ';
  if (const InputNode* const model = node.find("network_model"))
    run.network_model = scalar_of(*model, "network_model");
  run.origin = origin;
  return run;
}

}  // namespace

std::vector<StoredRun> read_stored_runs(std::string_view text, const std::string& file) {
  const InputNode document = parse_json(text, file);
  require_map(document, "a summary");
  const Origin origin = read_origin(required(document, "a summary", "origin"));
  const InputNode* const list = document.find("runs");
  if (!list) return {read_run(document, origin)};
  std::vector<StoredRun> runs;
  for (const InputNode& run : items_of(*list, "runs")) runs.push_back(read_run(run, origin));
  return runs;
}

}  // namespace orrery::core
