#include "report/timeline/kineto_writer.hpp"

#include <fmt/format.h>

#include <array>
#include <nlohmann/json.hpp>

#include "base/diagnostics/words.hpp"
#include "program/collective_request.hpp"

namespace orrery::core {

namespace {

using Json = nlohmann::ordered_json;

// The device and the host are processes of the trace.
constexpr int device_process = 0, host_process = 1;

int process_of(const KinetoWriter::Row& row) {
  return row.on_device ? device_process : host_process;
}

// PyTorch's name of a collective, and the name of NCCL's kernel for it. All-to-alls, and collectives with a
// root that NCCL lacks, are sends and receives.
struct CollectiveNames {
  std::string_view collective, kernel;
};
struct NamedCollective {
  std::string_view word;
  CollectiveNames value;
};
constexpr CollectiveNames message_names{"", "ncclDevKernel_SendRecv"};
constexpr std::array<NamedCollective, 10> collective_names{{
    {"all-reduce", {"allreduce", "ncclDevKernel_AllReduce"}},
    {"all-gather", {"allgather", "ncclDevKernel_AllGather"}},
    {"reduce-scatter", {"reduce_scatter", "ncclDevKernel_ReduceScatter"}},
    {"reduce-scatter-block", {"reduce_scatter", "ncclDevKernel_ReduceScatter"}},
    {"all-to-all", {"all_to_all", "ncclDevKernel_SendRecv"}},
    {"broadcast", {"broadcast", "ncclDevKernel_Broadcast"}},
    {"reduce", {"reduce", "ncclDevKernel_Reduce"}},
    {"gather", {"gather", "ncclDevKernel_SendRecv"}},
    {"scatter", {"scatter", "ncclDevKernel_SendRecv"}},
    {"barrier", {"barrier", "ncclDevKernel_AllReduce"}},
}};

CollectiveNames names_of(const TimelineSlice& slice) {
  if (slice.stream == Stream::send) return {"send", message_names.kernel};
  if (slice.stream == Stream::receive) return {"recv", message_names.kernel};
  return value_of(collective_names, slice.communication->kind).value_or(message_names);
}

// Returns the words by which readers recognize kinds of work: a category, and for communication and copies
// the name.
std::string_view category_of(const TimelineSlice& slice, const KinetoWriter::Row& row) {
  if (!row.on_device) return "cpu_op";
  return slice.stream == Stream::memory ? "gpu_memcpy" : "kernel";
}
std::string name_of(const TimelineSlice& slice) {
  if (slice.communication) return std::string(names_of(slice).kernel);
  return slice.stream == Stream::memory ? "Memcpy " + slice.name : slice.name;
}

// Returns the bytes that a rank has after a collective.
Bytes bytes_made(const TimelineCommunication& among) {
  const auto kind = value_of(collective_kind_words, among.kind);
  if (!kind || among.group_size == 0) return among.bytes;
  if (sizes_contributions(*kind)) return among.bytes * among.group_size;
  const bool scatters = *kind == CollectiveKind::reduce_scatter || *kind == CollectiveKind::scatter;
  return scatters ? among.bytes / among.group_size : among.bytes;
}

Json json_of(const Cell& cell) {
  return std::visit(JsonForm<Json>{}, cell.value());
}

}  // namespace

KinetoWriter::KinetoWriter(const std::string& path, const TimelineProcess& process)
    : file_(path), rank_(process.rank->value()), has_several_steps_(process.step_ends.size() > 1) {
  // Holistic Trace Analysis looks for a line with the rank.
  const Json distributed{{"backend", "nccl"}, {"rank", rank_}, {"world_size", process.all_ranks}};
  file_.append(
      fmt::format("{{\n\"schemaVersion\": 1,\n\"deviceProperties\": [],\n\"distributedInfo\": {},\n"
                  "\"displayTimeUnit\": \"ms\",\n\"baseTimeNanoseconds\": 0,\n\"traceEvents\": [",
                  distributed.dump(1)));
  const std::string part = process.name.empty() ? "" : ", " + process.name;
  for (const auto& [number, what] :
       {std::pair(device_process, "NPU"), std::pair(host_process, "host of NPU")})
    put({{"ph", "M"},
         {"name", "process_name"},
         {"pid", number},
         {"tid", 0},
         {"args", {{"name", fmt::format("{} {}{}", what, rank_, part)}}}});
  add_steps(process.step_ends);
}

// Marks the steps as torch.profiler does where the program says `profiler.step()`.
void KinetoWriter::add_steps(const std::vector<Time>& ends) {
  if (!ends.empty()) name(kineto_steps_row, "training steps");
  Time start;
  for (std::size_t i = 0; i < ends.size(); start = ends[i++])
    put({{"ph", "X"},
         {"cat", "user_annotation"},
         {"name", fmt::format("ProfilerStep#{}", i)},
         {"pid", process_of(kineto_steps_row)},
         {"tid", kineto_steps_row.number},
         {"ts", start.us()},
         {"dur", (ends[i] - start).us()},
         {"args", {{"start_ps", start.ps()}, {"duration_ps", (ends[i] - start).ps()}}}});
}

void KinetoWriter::name(const Row& row, const std::string& name) {
  put({{"ph", "M"},
       {"name", "thread_name"},
       {"pid", process_of(row)},
       {"tid", row.number},
       {"args", {{"name", row.on_device ? fmt::format("stream {}: {}", row.number, name) : name}}}});
}

// Where a file has several steps, readers drop all kernels that the host has launched in none of the steps.
void KinetoWriter::add_launch(Time start) {
  put({{"ph", "X"},
       {"cat", "cuda_runtime"},
       {"name", "cudaLaunchKernel"},
       {"pid", process_of(kineto_steps_row)},
       {"tid", kineto_steps_row.number},
       {"ts", start.us()},
       {"dur", 0},
       {"args", {{"correlation", launched_}, {"start_ps", start.ps()}, {"duration_ps", 0}}}});
}

void KinetoWriter::add(const Row& row, const TimelineSlice& slice) {
  if (row.on_device) {
    ++launched_;
    if (has_several_steps_) add_launch(slice.interval.start);
  }
  put({{"ph", "X"},
       {"cat", category_of(slice, row)},
       {"name", name_of(slice)},
       {"pid", process_of(row)},
       {"tid", row.number},
       {"ts", slice.interval.start.us()},
       {"dur", (slice.interval.end - slice.interval.start).us()},
       {"args", arguments_of(row, slice)}});
  for (const std::uint64_t arrow : slice.arrows) add_arrow(row, slice.interval.start, arrow);
}

Json KinetoWriter::arguments_of(const Row& row, const TimelineSlice& slice) {
  Json arguments;
  if (row.on_device)
    arguments = {{"device", device_process}, {"stream", row.number}, {"correlation", launched_}};
  if (slice.communication) {
    const TimelineCommunication& among = *slice.communication;
    const bool is_message = slice.stream != Stream::collective;
    arguments["Collective name"] = names_of(slice).collective;
    // The element type is one of a single byte, because the real type of elements is not known.
    arguments["dtype"] = "Byte";
    arguments["In msg nelems"] = among.bytes.count();
    arguments["Out msg nelems"] = bytes_made(among).count();
    if (!is_message) {
      arguments["Process Group Name"] = among.group;
      if (among.group_size > 0) arguments["Group size"] = among.group_size;
      arguments["Seq"] = collectives_[std::string(among.group)]++;
    }
    arguments["Rank"] = rank_;
  }
  arguments["what"] = slice.name;
  arguments["start_ps"] = slice.interval.start.ps();
  arguments["duration_ps"] = (slice.interval.end - slice.interval.start).ps();
  for (const auto& [name, cell] : slice.facts) arguments[std::string(name)] = json_of(cell);
  return arguments;
}

// The end that comes first is where the arrow begins.
void KinetoWriter::add_arrow(const Row& row, Time start, std::uint64_t arrow) {
  const bool begins = begun_.insert(arrow).second;
  if (!begins) begun_.erase(arrow);
  Json event{{"ph", begins ? "s" : "f"}, {"cat", "ac2g"},     {"name", "ac2g"},  {"id", arrow},
             {"pid", process_of(row)},   {"tid", row.number}, {"ts", start.us()}};
  if (!begins) event["bp"] = "e";
  put(event);
}

void KinetoWriter::add(const TimelineCounter& counter) {
  for (const auto& [time, value] : counter.values)
    put({{"ph", "C"},
         {"name", counter.name},
         {"pid", device_process},
         {"ts", time.us()},
         {"args", {{counter.unit == TimelineCounter::Unit::bytes ? "bytes" : "percent", value}}}});
}

void KinetoWriter::finish() {
  file_.append("\n]\n}\n");
  file_.finish();
}

void KinetoWriter::put(const Json& event) {
  file_.append(std::exchange(has_event_, true) ? ",\n" : "\n");
  file_.append(event.dump(-1, ' ', false, Json::error_handler_t::replace));
}

}  // namespace orrery::core
