#include "report/traces/local_memory.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <unordered_map>

namespace orrery::core {

namespace {

using Json = nlohmann::json;

struct Use {
  Interval when;
  std::uint64_t bytes = 0;
  std::string node_name;
  std::uint64_t node_id = 0;
};

struct TensorLife {
  std::string name;
  std::vector<Use> reads;
  std::optional<Use> write;

  Time start() const { return write->when.start; }
  std::optional<Time> end() const {
    std::optional<Time> last;
    for (const Use& read : reads) last = std::max(last.value_or(read.when.end), read.when.end);
    return last;
  }
};

struct Lives {
  std::vector<TensorLife> tensors;  // by first use; each has a write
  std::vector<std::string> repeated;
};

class LifeBuilder {
 public:
  LifeBuilder(const TraceView& traces, const Recording& recording, RankId rank)
      : facts_(traces.facts_of(rank)),
        graph_(traces.graph_of(rank)),
        operations_(recording.operations_of(rank)) {}

  Lives build() {
    std::vector<const chakra::Trace::NodeTensors*> by_end;
    for (const auto& of_node : facts_.tensors) by_end.push_back(&of_node);
    std::stable_sort(by_end.begin(), by_end.end(), [&](const auto* a, const auto* b) {
      return operations_[a->node].end < operations_[b->node].end;
    });
    for (const auto* of_node : by_end) {
      for (const chakra::Tensor& tensor : of_node->inputs) read(tensor, of_node->node);
      for (const chakra::Tensor& tensor : of_node->outputs) write(tensor, of_node->node);
    }
    return std::move(lives_);
  }

 private:
  void read(const chakra::Tensor& tensor, std::uint32_t node) {
    if (tensor.bytes == 0) return;
    TensorLife& life = life_of(tensor);
    if (!life.write) life.write = Use{{Time(), Time::from_ns(10)}, tensor.bytes, "UNDEFINED", UINT64_MAX};
    life.reads.push_back(use_by(node, tensor));
  }

  void write(const chakra::Tensor& tensor, std::uint32_t node) {
    if (tensor.bytes == 0) return;
    TensorLife& life = life_of(tensor);
    if (!life.write) {
      life.write = use_by(node, tensor);
      return;
    }
    lives_.repeated.push_back(fmt::format(
        "node {} writes tensor `{}`, which exists already; its first life is tracked, this write is left out",
        graph_.number(node), life.name));
  }

  Use use_by(std::uint32_t node, const chakra::Tensor& tensor) const {
    return {operations_[node], tensor.bytes, std::string(graph_.name(node)), graph_.number(node)};
  }

  TensorLife& life_of(const chakra::Tensor& tensor) {
    const auto [found, is_new] = index_.try_emplace(tensor.name, lives_.tensors.size());
    if (is_new) lives_.tensors.push_back({facts_.texts[tensor.name], {}, std::nullopt});
    return lives_.tensors[found->second];
  }

  const TraceFacts& facts_;
  const ExecutionGraph& graph_;
  const std::vector<Interval>& operations_;
  Lives lives_;
  std::unordered_map<std::uint32_t, std::size_t> index_;  // of tensors, by name
};

Lives lives_of(const TraceView& traces, const Recording& recording, RankId rank) {
  return LifeBuilder(traces, recording, rank).build();
}

// Bytes from each time on at which a tensor's life begins or ends.
std::map<Time, std::uint64_t> usage_of(const Lives& lives) {
  std::map<Time, std::uint64_t> usage;  // changes first; they wrap around
  for (const TensorLife& life : lives.tensors) {
    usage[life.start()] += life.write->bytes;
    if (const auto end = life.end()) usage[*end] -= life.write->bytes;
  }
  std::uint64_t now = 0;
  for (auto& [time, bytes] : usage) bytes = now += bytes;
  return usage;
}

double us(Time time) {
  return time.ns() * 0.001;
}
double mebibytes(std::uint64_t bytes) {
  return static_cast<double>(bytes) / 1048576.0;
}

void add_uses(Json& events, const TensorLife& life, const std::vector<Use>& uses, const char* category,
              RankId rank, std::size_t tid) {
  for (const Use& use : uses) {
    for (const bool begins : {true, false}) {
      events.push_back(
          {{"cat", category},
           {"ph", begins ? "B" : "E"},
           {"pid", rank.value()},
           {"name", life.name},
           {"ts", us(begins ? use.when.start : use.when.end)},
           {"tid", tid},
           {"args", {{"size", use.bytes}, {"node_name", use.node_name}, {"node_id", use.node_id}}}});
    }
  }
}

void add_heatmap(Json& events, const Lives& lives, Time last, std::uint64_t pid) {
  events.push_back({{"ph", "M"},
                    {"pid", pid},
                    {"name", "process_name"},
                    {"args", Json::object({{"name", "Tensor Lifetime Heap"}})}});
  events.push_back({{"ph", "M"},
                    {"pid", pid},
                    {"tid", 0},
                    {"name", "thread_name"},
                    {"args", Json::object({{"name", "Longest Lifetime → Shortest Lifetime"}})}});
  struct Row {
    const TensorLife* life;
    Time length;
  };
  std::vector<Row> rows;
  std::uint64_t largest = 0;
  for (const TensorLife& life : lives.tensors) {
    rows.push_back({&life, life.end().value_or(last) - life.start()});
    largest = std::max(largest, life.write->bytes);
  }
  std::stable_sort(rows.begin(), rows.end(), [](const Row& a, const Row& b) { return a.length > b.length; });
  for (const auto& [life, length] : rows) {
    const Time least = rows.back().length, range = rows.front().length - least;
    const std::uint64_t bytes = life->write->bytes;
    const auto position = range == Time() ? 0
                                          : static_cast<std::int64_t>((length - least).ns() / range.ns() *
                                                                      static_cast<double>(rows.size() - 1));
    const int red = static_cast<int>(static_cast<double>(bytes) / static_cast<double>(largest) * 255);
    const std::string shown = life->name.size() > 20 ? life->name.substr(0, 17) + "..." : life->name;
    events.push_back(
        {{"cat", "tensorHeatmap"},
         {"ph", "X"},
         {"pid", pid},
         {"tid", position},
         {"name", fmt::format("{} ({} MB)", shown, fmt::format("{:.6f}", mebibytes(bytes)).substr(0, 5))},
         {"ts", us(life->start())},
         {"dur", us(length)},
         {"cname", fmt::format("#{:02X}64{:02X}", red, 255 - red)},
         {"args",
          {{"tensor_name", life->name},
           {"size_bytes", bytes},
           {"size_mb", mebibytes(bytes)},
           {"lifetime_ns", length.whole_ns()},
           {"position", position}}}});
  }
  events.push_back({{"cat", "tensorHeatmap"},
                    {"ph", "i"},
                    {"pid", pid},
                    {"name", "Tensor Lifetime Heatmap"},
                    {"ts", 0},
                    {"s", "p"},
                    {"args",
                     {{"description", "Tensors arranged by lifetime duration (longest at bottom)"},
                      {"total_tensors", rows.size()},
                      {"displayed_tensors", rows.size()}}}});
}

}  // namespace

std::map<Time, std::uint64_t> local_memory_use(const TraceView& traces, const Recording& recording,
                                               RankId rank) {
  return usage_of(lives_of(traces, recording, rank));
}

std::uint64_t peak_local_memory(const TraceView& traces, const Recording& recording, RankId rank) {
  std::uint64_t peak = 0;
  for (const auto& [time, bytes] : local_memory_use(traces, recording, rank)) peak = std::max(peak, bytes);
  return peak;
}

std::string memory_words(std::uint64_t bytes) {
  constexpr std::array<const char*, 5> units{"B", "KB", "MB", "GB", "TB"};
  double amount = static_cast<double>(bytes);
  std::size_t unit = 0;
  for (; amount >= 1024 && unit + 1 < units.size(); ++unit) amount /= 1024;
  return fmt::format("{:.2f} {}", amount, units[unit]);
}

std::string local_memory_json(const TraceView& traces, const Recording& recording, RankId rank) {
  const Lives lives = lives_of(traces, recording, rank);
  const std::vector<TensorLife>& tensors = lives.tensors;
  const std::size_t count = tensors.size();
  const std::uint64_t pid = rank.value();
  Json events = Json::array();
  for (std::size_t t = 0; t < count; ++t)
    add_uses(events, tensors[t], tensors[t].reads, "tensorRead", rank, count - 1 - t);
  for (std::size_t t = 0; t < count; ++t)
    add_uses(events, tensors[t], {*tensors[t].write}, "tensorWrite", rank, count - 1 - t);
  for (const bool begins : {true, false}) {
    for (std::size_t tid = 0; tid < count; ++tid) {
      const TensorLife& life = tensors[count - 1 - tid];
      const auto time = begins ? std::optional<Time>(life.start()) : life.end();
      if (!time) continue;
      events.push_back({{"cat", "tensorLifetime"},
                        {"ph", begins ? "B" : "E"},
                        {"pid", pid + 1'000'000},
                        {"name", life.name},
                        {"ts", us(*time)},
                        {"tid", tid},
                        {"args", Json::object({{"size", life.write->bytes}})}});
    }
  }
  const auto usage = usage_of(lives);
  for (const auto& [time, bytes] : usage) {
    events.push_back({{"cat", "GPU Memory"},
                      {"ph", "C"},
                      {"pid", pid + 2'000'000},
                      {"name", "GPU Memory Usage (MB)"},
                      {"ts", us(time)},
                      {"args", Json::object({{"Memory_MB", mebibytes(bytes)}})}});
  }
  add_heatmap(events, lives, usage.empty() ? Time() : usage.rbegin()->first, pid + 3'000'000);
  return Json::object({{"traceEvents", std::move(events)}})
      .dump(2, ' ', false, Json::error_handler_t::replace);
}

std::vector<std::string> repeated_writes(const TraceView& traces, const Recording& recording, RankId rank) {
  return lives_of(traces, recording, rank).repeated;
}

}  // namespace orrery::core
