#include "report/profile/files/device_activities.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cstdlib>
#include <limits>

#include "report/profile/kernel_kinds.hpp"

namespace orrery::core {

namespace {

using Field = EventField;

constexpr std::string_view step_mark = "ProfilerStep#";
constexpr std::int64_t ps_per_us = 1'000'000;
constexpr std::uint64_t max_of_32_bits = std::numeric_limits<std::uint32_t>::max();

// Bytes of an element, by what PyTorch calls it.
constexpr std::array<EnumName<std::uint64_t>, 18> datatype_bytes{{
    {"Byte", 1},
    {"Char", 1},
    {"Bool", 1},
    {"Short", 2},
    {"Half", 2},
    {"BFloat16", 2},
    {"Int", 4},
    {"Float", 4},
    {"Long", 8},
    {"Double", 8},
    {"UInt16", 2},
    {"UInt32", 4},
    {"UInt64", 8},
    {"Float8_e4m3fn", 1},
    {"Float8_e5m2", 1},
    {"ComplexHalf", 4},
    {"ComplexFloat", 8},
    {"ComplexDouble", 16},
}};

// The role that an event's category gives it. Older profilers write some categories with capitals.
enum class EventRole : std::uint8_t { none, kernel, copy, memset, device_mark, host_mark, launch };
constexpr std::array<EnumName<EventRole>, 9> category_words{{
    {"kernel", EventRole::kernel},
    {"gpu_memcpy", EventRole::copy},
    {"memcpy", EventRole::copy},
    {"gpu_memset", EventRole::memset},
    {"memset", EventRole::memset},
    {"gpu_user_annotation", EventRole::device_mark},
    {"user_annotation", EventRole::host_mark},
    {"cuda_runtime", EventRole::launch},
    {"cuda_driver", EventRole::launch},
}};

EventRole role_of(std::string_view category) {
  if (category.size() > 40) return EventRole::none;
  std::string small(category);
  std::ranges::transform(small, small.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  if (const auto role = value_of(category_words, small)) return *role;
  if (small.ends_with("runtime") || small.ends_with("driver")) return EventRole::launch;
  return small.ends_with("kernel") ? EventRole::kernel : EventRole::none;
}

// Returns the number of a step that a mark names.
std::optional<std::int64_t> marked_step(std::string_view name) {
  if (!name.starts_with(step_mark)) return std::nullopt;
  name.remove_prefix(step_mark.size());
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), number);
  return error == std::errc() ? std::optional(number) : std::nullopt;
}

// Returns the number behind `rank` in the name of a file, as in `rank3.pt.trace.json`.
std::optional<RankId> rank_in_name(const std::string& file) {
  const std::string name = file.substr(file.find_last_of('/') + 1);
  std::size_t at = name.find("rank");
  if (at == std::string::npos) return std::nullopt;
  at = std::min(name.find_first_not_of("_-.", at + 4), name.size());
  std::uint32_t rank = 0;
  const auto [end, error] = std::from_chars(name.data() + at, name.data() + name.size(), rank);
  return error == std::errc() ? std::optional(RankId(rank)) : std::nullopt;
}

void widen(std::map<std::int64_t, Interval>& steps, std::int64_t number, const Interval& interval) {
  const auto [step, is_new] = steps.try_emplace(number, interval);
  step->second = {std::min(step->second.start, interval.start), std::max(step->second.end, interval.end)};
}

// A step of the device lasts until the next one begins. One that none follows goes on with what the next one
// would hide, such as an exchange of gradients, and so does not tell how long it is. It is taken to be no
// longer than the step before it, or else than that of its number of the host.
std::vector<MarkedStep> one_after_another(const std::map<std::int64_t, Interval>& steps,
                                          const std::map<std::int64_t, Interval>& host_steps) {
  std::vector<MarkedStep> marked;
  for (const auto& [number, interval] : steps)
    marked.push_back({number, interval.start, interval.end, false});
  std::ranges::stable_sort(marked, {}, &MarkedStep::start);
  for (std::size_t i = 0; i < marked.size(); ++i) {
    MarkedStep& step = marked[i];
    step.end_is_known = i + 1 < marked.size() && marked[i + 1].number == step.number + 1;
    if (step.end_is_known)
      step.end = marked[i + 1].start;
    else if (i > 0 && marked[i - 1].number == step.number - 1)
      step.end = std::min(step.end, step.start + (marked[i - 1].end - marked[i - 1].start));
    else if (const auto of_host = host_steps.find(step.number); of_host != host_steps.end())
      step.end = std::min(step.end, step.start + (of_host->second.end - of_host->second.start));
  }
  return marked;
}

}  // namespace

std::optional<Interval> DeviceActivities::interval_of(const KinetoEvent& event) {
  const auto start = event.number(Field::start), duration = event.number(Field::duration);
  for (const auto& [field, number] : {std::pair("ts", start), std::pair("dur", duration)})
    if (!number)
      throw InputError(event.where,
                       fmt::format("an event lacks the number `{}`; record the trace again", field));
  if (!origin_) origin_ = start->whole;
  constexpr std::int64_t longest = Time::longest_input().ps() / ps_per_us;
  std::int64_t whole = 0;
  if (__builtin_sub_overflow(start->whole, *origin_, &whole) || std::abs(whole) > longest ||
      std::abs(duration->whole) > longest)
    throw InputError(event.where, "an event is more than 30 days away from the first one");
  Time begin = Time::from_ps(whole * ps_per_us + start->millionths);
  Time takes = Time::from_ps(duration->whole * ps_per_us + duration->millionths);
  // Orrery's own files have both in picoseconds, too.
  const auto exact = [](const std::optional<ExactNumber>& ps, std::int64_t from, Time& time) {
    std::int64_t value = 0;
    if (!ps || __builtin_sub_overflow(ps->whole, from, &value)) return;
    std::int64_t distance = 0;
    if (!__builtin_sub_overflow(value, time.ps(), &distance) && std::abs(distance) <= ps_per_us)
      time = Time::from_ps(value);
  };
  if (std::abs(*origin_) <= longest) exact(event.number(Field::start_ps), *origin_ * ps_per_us, begin);
  exact(event.number(Field::duration_ps), 0, takes);
  if (takes >= Time()) return Interval{begin, begin + takes};
  if (ends_before_it_begins_++ == 0) first_such_ = event.where;
  return std::nullopt;
}

std::uint32_t DeviceActivities::name_in(Device& device, std::string_view name) {
  constexpr std::size_t longest = 400;
  std::vector<std::string>& names = device.activities.names;
  const auto [known, is_new] = device.names.try_emplace(std::string(name.substr(0, longest)),
                                                        static_cast<std::uint32_t>(names.size()));
  if (is_new) names.push_back(known->first);
  return known->second;
}

void DeviceActivities::add(const KinetoEvent& event) {
  ++events_;
  if (event.text(Field::phase) != "X") return;
  const EventRole role = role_of(event.text(Field::category));
  const std::string_view name = event.text(Field::name);
  switch (role) {
    case EventRole::none:
      return;
    case EventRole::launch:
      if (const auto correlation = event.count(Field::correlation, max_of_32_bits))
        if (const auto interval = interval_of(event)) launches_.emplace_back(*correlation, interval->start);
      return;
    case EventRole::host_mark:
    case EventRole::device_mark: {
      const auto number = marked_step(name);
      const auto interval = number ? interval_of(event) : std::nullopt;
      if (!interval) return;
      if (role == EventRole::host_mark) return widen(host_steps_, *number, *interval);
      return widen(devices_[std::string(event.text(Field::process))].steps, *number, *interval);
    }
    case EventRole::copy:
    case EventRole::memset:
    case EventRole::kernel:
      break;
  }
  const auto interval = interval_of(event);
  if (!interval) return;
  ActivityKind kind = role == EventRole::copy     ? ActivityKind::copy
                      : role == EventRole::memset ? ActivityKind::memset
                                                  : kind_of_kernel(name);
  if (role == EventRole::kernel && !is_communication(kind)) {
    if (event.has(Field::collective)) kind = ActivityKind::other_communication;
    if (event.has(Field::layer)) kind = ActivityKind::layer;
    if (const auto told = value_of(activity_kinds, event.text(Field::kernel_kind))) kind = *told;
  }
  add_activity(event, kind, *interval);
}

void DeviceActivities::add_activity(const KinetoEvent& event, ActivityKind kind, const Interval& interval) {
  Device& device = devices_[std::string(event.text(Field::process))];
  Activity activity{kind, 0, interval};
  if (is_communication(kind)) add_communication(event, device, activity);
  // An event that takes no time is no kernel. Simulated layers without work have such events.
  else if (interval.end == interval.start)
    return;
  else
    activity.name = name_in(device, event.text(Field::name));
  if (const auto correlation = event.count(Field::correlation, max_of_32_bits))
    device.launched.emplace_back(*correlation, interval);
  device.activities.activities.push_back(activity);
}

void DeviceActivities::add_communication(const KinetoEvent& event, Device& device, Activity& activity) const {
  const std::string_view collective = event.text(Field::collective);
  activity.kind = kind_of_collective(collective).value_or(activity.kind);
  const auto most = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
  const auto in = event.count(Field::elements_in, most), out = event.count(Field::elements_out, most);
  const auto size = value_of(datatype_bytes, event.text(Field::datatype));
  const std::uint64_t elements = std::max(in.value_or(0), out.value_or(0));
  if (elements > 0 && size && elements <= Bytes::largest_input().count())
    activity.bytes = Bytes(elements * *size);
  activity.group_size =
      static_cast<std::uint32_t>(event.count(Field::group_size, max_of_32_bits).value_or(0));
  if (activity.kind >= ActivityKind::send) activity.group_size = 0;  // a message has two ends
  if (const auto rank = event.count(Field::rank, max_of_32_bits)) device.rank = RankId(*rank);
  const std::string_view ranks = event.text(Field::group_ranks), group = event.text(Field::group_name);
  if (!ranks.empty())
    activity.group = name_in(device, fmt::format("ranks {}", ranks));
  else if (activity.group_size > 0 && activity.group_size == ranks_)
    activity.group = name_in(device, fmt::format("all {}", group));
}

// The device's own marks count first, then those of the host with what it launched while they lasted.
std::vector<MarkedStep> DeviceActivities::steps_of(const Device& device) const {
  if (!device.steps.empty()) return one_after_another(device.steps, host_steps_);
  if (host_steps_.empty()) return {};
  std::vector<MarkedStep> of_host;
  for (const auto& [number, interval] : host_steps_)
    of_host.push_back({number, interval.start, interval.end, true});
  std::ranges::stable_sort(of_host, {}, &MarkedStep::start);
  std::map<std::int64_t, Interval> of_device;
  for (const auto& [correlation, interval] : device.launched) {
    const auto launch =
        std::ranges::lower_bound(launches_, correlation, {}, [](const auto& l) { return l.first; });
    if (launch == launches_.end() || launch->first != correlation) continue;
    const auto behind = std::ranges::upper_bound(of_host, launch->second, {}, &MarkedStep::start);
    if (behind != of_host.begin() && launch->second < std::prev(behind)->end)
      widen(of_device, std::prev(behind)->number, interval);
  }
  return of_device.empty() ? of_host : one_after_another(of_device, host_steps_);
}

std::vector<RankActivities> DeviceActivities::take(Warnings& warnings) {
  if (ends_before_it_begins_ > 0)
    warnings.add(first_such_,
                 fmt::format("{} events end before they begin, this one first; they are left out",
                             ends_before_it_begins_));
  std::ranges::sort(launches_);
  std::vector<RankActivities> ranks;
  std::erase_if(devices_, [](const auto& device) { return device.second.activities.activities.empty(); });
  for (auto& [process, device] : devices_) {
    RankActivities& rank = device.activities;
    rank.source = file_;
    rank.ranks_of_run = ranks_;
    rank.rank = devices_.size() > 1 || !rank_ ? device.rank : rank_;
    if (!rank.rank && devices_.size() == 1) rank.rank = rank_in_name(file_);
    std::ranges::stable_sort(rank.activities, {},
                             [](const Activity& activity) { return activity.interval.start; });
    rank.steps = steps_of(device);
    ranks.push_back(std::move(rank));
  }
  if (ranks.empty())
    throw InputError({file_}, fmt::format("none of its {} events is a kernel of a device; record it with "
                                          "ProfilerActivity.CUDA, and name the profiler's own file",
                                          events_));
  return ranks;
}

}  // namespace orrery::core
