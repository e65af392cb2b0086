// Timelines say the same as the summary, and their files say what the timeline says.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>

#include "base/files/file.hpp"
#include "report/timeline/programs/program_timeline.hpp"
#include "report/timeline/programs/trace_timeline.hpp"
#include "study/experiment/experiment.hpp"
#include "study/run/run.hpp"
#include "support/cases.hpp"
#include "support/collected_timeline.hpp"
#include "support/csv_table.hpp"
#include "support/random_run.hpp"
#include "support/trace_runs.hpp"
#include "workload/chakra/files/wire_reader.hpp"

namespace orrery::core::test::timelines_test {
namespace {

namespace fs = std::filesystem;

constexpr const char* pipeline_text = R"(
name: pipeline
network:
  - { name: inner, topology: ring, size: 2, bandwidth: 50 GB/s, latency: 500 ns }
  - { name: outer, topology: switch, size: 3, bandwidth: 10 GB/s, latency: 1 us }
workload:
  pipeline: { micro-batches: 4 }
  layers:
    - { name: a, forward: { compute: 5 us }, input-gradient: { compute: 6 us }, output: 1 MiB,
        weight-gradient: { compute: 7 us, collective: all-reduce, size: 5 MiB } }
    - { name: b, forward: { compute: 4 us }, input-gradient: { compute: 5 us }, output: 2 MiB,
        weight-gradient: { compute: 3 us, collective: all-reduce, size: 6 MiB } }
    - { name: c, forward: { compute: 3 us }, input-gradient: { compute: 2 us },
        weight-gradient: { compute: 1 us, collective: reduce-scatter, size: 1 MiB } }
)";

struct Ran {
  RunSpec spec;
  RunResult result;
  Summary summary;
};

Ran run(const RunSpec& spec) {
  Warnings warnings;
  RunResult result = carry_out(spec, warnings);
  Summary summary = spec.workload->summary(spec, result);
  return {spec, std::move(result), std::move(summary)};
}

Ran run(const std::string& experiment) {
  Warnings warnings;
  return run(read_experiment(experiment, "experiment.yaml", {}, warnings, InputLog()).runs.at(0));
}

ProgramTimeline timeline_of(const Ran& ran) {
  return {ran.result.program, ran.result.recording, layer_passes};
}

// Sums of a stream's slices by layer.
std::map<std::string, Time> sums_of(const CollectedTimeline& timeline, Stream stream) {
  std::map<std::string, Time> sums;
  for (const auto& process : timeline.processes)
    for (const TimelineSlice& slice : process.slices) {
      if (slice.stream != stream) continue;
      for (const auto& [name, cell] : slice.facts)
        if (name == "layer")
          sums[std::string(std::get<std::string_view>(cell.value()))] +=
              slice.interval.end - slice.interval.start;
    }
  return sums;
}

TEST(Timelines, SlicesAddUpToTheSummaryOfRandomRuns) {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    const Ran ran = run(random_run(seed, seed % 2 == 0 ? astra_sim_1_dialect : native_dialect));
    SCOPED_TRACE(describe(ran.spec));
    const CollectedTimeline timeline(timeline_of(ran));
    ASSERT_EQ(timeline.processes.size(), 1u);
    const auto& process = timeline.processes[0];
    EXPECT_EQ(process.process.rank, RankId(0));
    EXPECT_EQ(process.process.ranks, static_cast<std::size_t>(ran.summary.npus));
    const TimeParts& rank_0 = ran.result.breakdown.classes.front().parts;
    EXPECT_EQ(process.sum_of(Stream::compute), rank_0.compute - rank_0.update);
    EXPECT_EQ(process.sum_of(Stream::wait) + process.sum_of(Stream::transition),
              rank_0.bubble + rank_0.exposed);
    if (ran.result.breakdown.classes.size() > 1) continue;  // layers are means over ranks
    std::map<std::string, Time> waits = sums_of(timeline, Stream::wait);
    for (const LayerSummary& layer : ran.summary.layers)
      EXPECT_EQ(waits[layer.name], layer.exposed) << layer.name;
  }
}

TEST(Timelines, SlicesAddUpToTheStagesOfAPipeline) {
  const Ran ran = run(pipeline_text);
  const CollectedTimeline timeline(timeline_of(ran));
  ASSERT_EQ(timeline.processes.size(), 3u);
  Time all, end;
  for (std::size_t i = 0; i < 3; ++i) {
    const auto& process = timeline.processes[i];
    EXPECT_EQ(process.process.name, ran.summary.parts[i].name);
    EXPECT_EQ(process.process.rank, RankId(2 * i));
    EXPECT_EQ(process.process.ranks, 2u);
    EXPECT_EQ(process.sum_of(Stream::compute), ran.summary.parts[i].time.compute);
    EXPECT_EQ(process.sum_of(Stream::receive) + process.sum_of(Stream::wait),
              ran.summary.parts[i].awaits_messages + ran.summary.parts[i].awaits_collectives);
    all += process.sum_of(Stream::compute);
    for (const TimelineSlice& slice : process.slices) end = std::max(end, slice.interval.end);
  }
  EXPECT_EQ(Time::from_ps(all.ps() / 3), ran.summary.time.compute);
  EXPECT_EQ(end, ran.summary.total);
}

TEST(Timelines, ArrowsLeadFromSendsToReceivesAndToCollectivesAndBack) {
  const Ran ran = run(pipeline_text);
  const CollectedTimeline timeline(timeline_of(ran));
  std::map<std::uint64_t, const TimelineSlice*> sent;
  std::size_t received = 0;
  std::map<std::uint64_t, std::set<Stream>> touched;
  for (const auto& process : timeline.processes)
    for (const TimelineSlice& slice : process.slices) {
      for (const std::uint64_t arrow : slice.arrows) touched[arrow].insert(slice.stream);
      if (slice.stream == Stream::send) sent[slice.message.value()] = &slice;
    }
  for (const auto& process : timeline.processes)
    for (const TimelineSlice& slice : process.slices) {
      if (slice.stream != Stream::receive) continue;
      ++received;
      ASSERT_TRUE(sent.contains(slice.message.value()));
      EXPECT_LE(sent[*slice.message]->interval.start, slice.interval.end);
      EXPECT_EQ(sent[*slice.message]->name, slice.name);
    }
  EXPECT_EQ(received, 16u);  // four micro-batches over two borders, forth and back
  EXPECT_EQ(sent.size(), 16u);
  EXPECT_TRUE(std::ranges::any_of(touched, [](const auto& arrow) {
    return arrow.second == std::set{Stream::compute, Stream::collective};
  }));
}

TEST(Timelines, HaveTheMemoryOfStages) {
  const Ran ran =
      run("platform: dgx-a100\nworkload: { model: gpt3-1.3b, batch: { global: 16, micro: 1 }, "
          "parallelism: { pipeline: 2, data: 4 } }\n");
  const std::vector<PartMemory> memory = ran.spec.workload->memory_history(ran.result);
  const CollectedTimeline timeline(
      ProgramTimeline(ran.result.program, ran.result.recording, whole_passes, [&] { return memory; }));
  ASSERT_EQ(memory.size(), 2u);
  ASSERT_GE(timeline.processes.size(), 2u);
  for (std::size_t i = 0; i < 2; ++i) {
    std::map<std::string, double> most;
    for (const TimelineCounter& counter : timeline.processes[i].counters)
      for (const auto& [time, value] : counter.values)
        most[counter.name] = std::max(most[counter.name], value);
    EXPECT_EQ(most.size(), 5u);
    EXPECT_GT(most["memory of activations"], 0);
    EXPECT_LE(most["memory of weights"], memory[i].peak());
  }
  EXPECT_EQ(std::max(memory[0].peak(), memory[1].peak()), ran.summary.training->memory);
}

TEST(Timelines, CsvNumbersMessagesAtBothEnds) {
  const TemporaryFolder folder;
  const std::string file = (folder.path() / "timeline.csv").string();
  const Ran ran = run(pipeline_text);
  FileWriter writer(file);
  RowSink sink(writer);
  timeline_of(ran).write_rows(sink);
  writer.finish();
  std::map<std::string, std::map<std::string, int>> ends;  // by message and operation
  for (const CsvRow& row : read_csv(file)) {
    const std::string& operation = row.text("operation");
    EXPECT_EQ(row.text("message").empty(), operation == "compute" || operation == "collective");
    EXPECT_EQ(row.text("collective").empty(), operation != "collective");
    if (!row.text("message").empty()) ++ends[row.text("message")][operation];
  }
  EXPECT_EQ(ends.size(), 16u);
  for (const auto& [message, operations] : ends)
    EXPECT_EQ(operations, (std::map<std::string, int>{{"receive", 1}, {"send", 1}})) << message;
}

TEST(Timelines, HaveTheHistoryOfLinks) {
  const Ran ran = run(R"(
network: { build: fat-tree, link: { bandwidth: 10 GB/s, latency: 1 us }, levels: [ { size: 4 } ] }
link-history: true
workload:
  layers: [ { name: a, weight-gradient: { compute: 10 us, collective: all-reduce, size: 1 MB } } ]
)");
  const CollectedTimeline timeline(timeline_of(ran));
  ASSERT_EQ(timeline.processes.size(), 2u);
  EXPECT_FALSE(timeline.processes[1].process.rank);
  const auto& links = ran.result.recording.link_history.links;
  ASSERT_EQ(timeline.processes[1].counters.size(), links.size());
  const TimelineCounter& counter = timeline.processes[1].counters[0];
  EXPECT_EQ(counter.name, links[0].from + " to " + links[0].to + ", use");
  ASSERT_EQ(counter.values.size(), links[0].bytes.size() + 1);
  EXPECT_EQ(counter.values.back().second, 0);
  for (std::size_t i = 0; i < links[0].bytes.size(); ++i)
    EXPECT_NEAR(counter.values[i].second / 100 * ran.result.recording.link_history.interval.ns() *
                    links[0].bytes_per_ns,
                links[0].bytes[i], 1e-3);
}

TEST(Timelines, OfTracesAddUpToTheStatisticsOfRanks) {
  TraceMachine machine = switched_machine({4}, &ring_algorithm);
  machine.system.algorithms.fill({{&ring_algorithm}});
  const std::vector<RankTrace> traces(4, trace_of({{chakra::CommType::all_reduce, 4000, {}, {}, {}, 3},
                                                   {chakra::CommType::all_gather, 500}}));
  const TraceProgram made = program_of(traces, machine);
  const Recording recording = simulate(made.program, machine, plan_simulation(made.program, machine));
  const TraceTimeline of_traces(made, machine.rules, recording);
  const CollectedTimeline timeline(of_traces);
  ASSERT_EQ(timeline.processes.size(), recording.finish.size());
  const auto& process = timeline.processes[0];
  EXPECT_EQ(process.process.ranks * timeline.processes.size(), 4u);
  EXPECT_EQ(process.sum_of(Stream::compute), made.facts_of(RankId(0)).gpu_time);
  EXPECT_EQ(process.sum_of(Stream::compute) + process.sum_of(Stream::collective),
            recording.finish_of(RankId(0)));
  const TimelineSlice& first = process.slices.at(1);
  EXPECT_EQ(first.communication->kind, "all-reduce");
  EXPECT_EQ(first.communication->bytes, Bytes(4000));
  EXPECT_EQ(first.communication->group_size, 4u);
  EXPECT_EQ(first.arrows.front(), process.slices.at(0).arrows.front());
}

// The content of a Perfetto file, as far as it is looked at here.
struct PerfettoFile {
  explicit PerfettoFile(const std::string& text) {
    using chakra::WireReader;
    for (WireReader file(text); file.next();) {
      EXPECT_EQ(file.field(), 1u);
      std::uint64_t time = 0;
      for (WireReader packet(file.bytes()); packet.next();) {
        if (packet.field() == 60) ++tracks;
        if (packet.field() == 8)
          time = packet.varint();
        else if (packet.field() == 11)
          add_event(time, packet.bytes());
        else
          packet.skip();
      }
    }
  }

  void add_event(std::uint64_t time, std::string_view event) {
    std::uint64_t type = 0, track = 0;
    for (chakra::WireReader fields(event); fields.next();) {
      if (fields.field() == 9)
        type = fields.varint();
      else if (fields.field() == 11)
        track = fields.varint();
      else if (fields.field() == 47)
        ++ends_of_arrows[fields.fixed64()];
      else
        fields.skip();
    }
    if (type == 1) {
      EXPECT_FALSE(open.contains(track)) << "slices overlap";
      open[track] = time;
    } else {
      EXPECT_EQ(type, 2u);
      ASSERT_TRUE(open.contains(track));
      ns_by_track[track] += time - open[track];
      open.erase(track);
    }
  }

  std::size_t tracks = 0;
  std::map<std::uint64_t, std::uint64_t> open, ns_by_track, ends_of_arrows;
};

TEST(Timelines, PerfettoFilesHoldATrackPerStreamWhoseSlicesDoNotOverlap) {
  const TemporaryFolder folder;
  const std::string file = (folder.path() / "pipeline.yaml").string();
  write_file_atomically(file, pipeline_text);
  const std::string output = (folder.path() / "results").string();
  ASSERT_EQ(run_orrery({file, "--output=" + output, "--timeline=perfetto"}).exit_code, 0);
  const PerfettoFile perfetto(read_file_of_any_kind(output + "/pipeline/pipeline/timeline.pftrace"));
  EXPECT_TRUE(perfetto.open.empty());
  const Ran ran = run(pipeline_text);
  const CollectedTimeline timeline(timeline_of(ran));
  Time collected;
  for (const auto& process : timeline.processes)
    for (std::size_t stream = 0; stream < stream_words.size(); ++stream)
      collected += process.sum_of(static_cast<Stream>(stream));
  std::uint64_t ns = 0;
  for (const auto& [track, sum] : perfetto.ns_by_track) ns += sum;
  EXPECT_NEAR(static_cast<double>(ns), collected.ns(), 100);  // each begin and end is cut to nanoseconds
  EXPECT_EQ(perfetto.tracks, perfetto.ns_by_track.size() + timeline.processes.size());
  for (const auto& [arrow, ends] : perfetto.ends_of_arrows) EXPECT_EQ(ends, 2u);
}

TEST(Timelines, KinetoFilesHoldWhatEachRankDoes) {
  const TemporaryFolder folder;
  const std::string file = (folder.path() / "pipeline.yaml").string();
  write_file_atomically(file, pipeline_text);
  const std::string output = (folder.path() / "results").string();
  ASSERT_EQ(run_orrery({file, "--output=" + output, "--timeline=kineto"}).exit_code, 0);
  const Ran ran = run(pipeline_text);
  const CollectedTimeline timeline(timeline_of(ran));
  for (const auto& process : timeline.processes) {
    const std::string path = fmt::format("{}/pipeline/pipeline/timeline.kineto/rank{}.pt.trace.json", output,
                                         process.process.rank->value());
    const auto trace = nlohmann::json::parse(read_file_of_any_kind(path));
    EXPECT_EQ(trace["distributedInfo"]["rank"], process.process.rank->value());
    EXPECT_EQ(trace["distributedInfo"]["world_size"], 6);
    Time computes, collectives;
    std::map<std::uint64_t, double> begun;  // arrows
    std::map<std::int64_t, double> end;     // of each stream, so far
    for (const auto& event : trace["traceEvents"]) {
      if (event["ph"] == "s") begun[event["id"]] = event["ts"];
      if (event["ph"] == "f") {
        EXPECT_LE(begun.at(event["id"]), event["ts"]);
      }
      if (event["ph"] != "X") continue;
      if (event["cat"] == "user_annotation") continue;  // steps
      if (event["cat"] == "cpu_op") continue;           // waits
      EXPECT_EQ(event["cat"], "kernel");
      EXPECT_GE(event["ts"], end[event["tid"]]);
      end[event["tid"]] = event["ts"].get<double>() + event["dur"].get<double>() - 1e-6;
      const Time duration = Time::from_ps(event["args"]["duration_ps"]);
      EXPECT_EQ(event["dur"], duration.us());
      const std::string name = event["name"];
      if (!name.starts_with("nccl")) computes += duration;
      if (name == "ncclDevKernel_AllReduce" || name == "ncclDevKernel_ReduceScatter") collectives += duration;
    }
    EXPECT_EQ(computes, process.sum_of(Stream::compute));
    EXPECT_EQ(collectives, process.sum_of(Stream::collective));
  }
}

// Holistic Trace Analysis drops kernels that no step has launched where there are several steps.
TEST(Timelines, KinetoFilesOfSeveralStepsLaunchEachKernel) {
  const TemporaryFolder folder;
  const std::string file = (folder.path() / "pipeline.yaml").string();
  write_file_atomically(file, pipeline_text);
  const std::string output = (folder.path() / "results").string();
  ASSERT_EQ(run_orrery({file, "--output=" + output, "--timeline=kineto", "--set=passes=2"}).exit_code, 0);
  const auto trace = nlohmann::json::parse(
      read_file_of_any_kind(output + "/pipeline/pipeline/timeline.kineto/rank0.pt.trace.json"));
  std::map<std::uint64_t, double> launched, started;  // by correlation
  int steps = 0;
  for (const auto& event : trace["traceEvents"]) {
    if (event["ph"] != "X") continue;
    if (event["cat"] == "user_annotation") ++steps;
    if (event["cat"] == "cuda_runtime") launched[event["args"]["correlation"]] = event["ts"];
    if (event["cat"] == "kernel") started[event["args"]["correlation"]] = event["ts"];
  }
  EXPECT_EQ(steps, 2);
  EXPECT_FALSE(started.empty());
  EXPECT_EQ(launched, started);
}

// A format that is no longer asked for would stand beside the new results; pages are made of csv.
TEST(Timelines, OfAnEarlierRunGoWhenOthersAreAskedFor) {
  const TemporaryFolder folder;
  const std::string file = (folder.path() / "pipeline.yaml").string();
  write_file_atomically(file, pipeline_text);
  const std::string output = (folder.path() / "results").string();
  const auto timelines_after = [&](const std::string& flag) {
    EXPECT_EQ(run_orrery({file, "--output=" + output, flag}).exit_code, 0);
    std::set<std::string> found;
    for (const std::string& name : files_below(output + "/pipeline/pipeline"))
      if (name.starts_with("timeline")) found.insert(name);
    return found;
  };
  EXPECT_EQ(timelines_after("--timeline=csv,perfetto"),
            (std::set<std::string>{"timeline.csv", "timeline.pftrace"}));
  EXPECT_EQ(timelines_after("--timeline=kineto"), timelines_after("--timeline=csv,kineto"));
  EXPECT_EQ(timelines_after("--timeline=perfetto"),
            (std::set<std::string>{"timeline.csv", "timeline.pftrace"}));
  EXPECT_EQ(
      timelines_after("--set=timeline=[kineto, csv]"),
      (std::set<std::string>{"timeline.csv", "timeline.kineto/rank0.pt.trace.json",
                             "timeline.kineto/rank2.pt.trace.json", "timeline.kineto/rank4.pt.trace.json"}));
  EXPECT_EQ(timelines_after("--timeline=csv"), (std::set<std::string>{"timeline.csv"}));
  EXPECT_FALSE(fs::exists(output + "/pipeline/pipeline/timeline.kineto"));
}

}  // namespace
}  // namespace orrery::core::test::timelines_test
