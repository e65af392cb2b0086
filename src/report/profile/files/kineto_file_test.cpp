#include "report/profile/files/kineto_file.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <zlib.h>

#include <random>
#include <string>

#include "base/files/file.hpp"
#include "report/profile/files/measured_files.hpp"
#include "report/profile/step_profile.hpp"
#include "support/cases.hpp"

namespace orrery::core::kineto_file_test {
namespace {

std::vector<RankActivities> read(const std::string& text, Warnings& warnings) {
  chakra::MemorySource bytes(text);
  return read_kineto(bytes, "trace.json", warnings);
}
std::vector<RankActivities> read(const std::string& text) {
  Warnings warnings;
  return read(text, warnings);
}

std::string error_of(const std::string& text) {
  try {
    read(text);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

// This is a step on an H100 as torch.profiler writes it, cut to what matters. Times are in microseconds after
// 5735423000, and the kernels of a step come some 300 after the launches of the host:
//
//   host     0 [--------- ProfilerStep#3 ---------] 1000 [----- ProfilerStep#4 -----] 2000
//   stream 7   310 gemm 510 norm 550 flash 650     860 copy 870   1250 memset 1255 adam 1300 1310 gemm 1510
//   1600 my_op 1700 stream 20                600 all-reduce 850.5
constexpr const char* h100_step = R"json({
  "schemaVersion": 1,
  "deviceProperties": [ { "id": 0, "name": "NVIDIA H100 80GB HBM3", "totalGlobalMem": 85044363264, "numSms": 132 } ],
  "cuda_runtime_version": 12010,
  "with_flops": 0, "record_shapes": 1,
  "distributedInfo": {"backend": "nccl", "rank": 5, "world_size": 16, "pg_count": 1,
    "pg_config": [{"pg_name": "0", "pg_desc": "default_pg", "pg_size": 16, "ranks": [0, 1, 2]}], "nccl_version": "2.20.5"},
  "displayTimeUnit": "ms",
  "baseTimeNanoseconds": 1711497600000000000,
  "traceEvents": [
  {"ph": "X", "cat": "python_function", "name": "train.py(10): main", "pid": 41, "tid": 41, "ts": 5735422000.000, "dur": 9000.000, "args": {"Python id": 1}},
  {"ph": "X", "cat": "user_annotation", "name": "ProfilerStep#3", "pid": 41, "tid": 41, "ts": 5735423000.000, "dur": 1000.000, "args": {"External id": 1, "Ev Idx": 0}},
  {"ph": "X", "cat": "cpu_op", "name": "aten::mm", "pid": 41, "tid": 41, "ts": 5735423005.100, "dur": 30.250, "args": {"External id": 2, "Input Dims": [[4096, 4096], [4096, 4096]]}},
  {"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 41, "tid": 41, "ts": 5735423010.000, "dur": 5.000, "args": {"External id": 2, "cbid": 211, "correlation": 101}},
  {"ph": "X", "cat": "kernel", "name": "sm90_xmma_gemm_bf16bf16_bf16f32_f32_tn_n_tilesize128x128x64_execute_kernel__5x_cublas", "pid": 0, "tid": 7, "ts": 5735423310.000, "dur": 200.000,
   "args": {"External id": 2, "queued": 0, "device": 0, "context": 1, "stream": 7, "correlation": 101, "registers per thread": 168, "grid": [132, 1, 1], "block": [384, 1, 1], "est. achieved occupancy %": 19}},
  {"ph": "s", "id": 101, "pid": 41, "tid": 41, "ts": 5735423010.000, "cat": "ac2g", "name": "ac2g"},
  {"ph": "f", "id": 101, "pid": 0, "tid": 7, "ts": 5735423310.000, "cat": "ac2g", "name": "ac2g", "bp": "e"},
  {"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 41, "tid": 41, "ts": 5735423050.000, "dur": 5, "args": {"correlation": 102}},
  {"ph": "X", "cat": "kernel", "name": "void at::native::(anonymous namespace)::vectorized_layer_norm_kernel<c10::BFloat16, float>(int, float)", "pid": 0, "tid": 7, "ts": 5735423510.000, "dur": 40.000, "args": {"stream": 7, "correlation": 102}},
  {"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernelExC", "pid": 41, "tid": 41, "ts": 5735423100.000, "dur": 5, "args": {"correlation": 103}},
  {"ph": "X", "cat": "kernel", "name": "void flash_fwd_kernel<Flash_fwd_kernel_traits<128, 128, 64, 4>, true>(Flash_fwd_params)", "pid": 0, "tid": 7, "ts": 5735423550.000, "dur": 100.000, "args": {"stream": 7, "correlation": 103}},
  {"ph": "X", "cat": "cpu_op", "name": "record_param_comms", "pid": 41, "tid": 41, "ts": 5735423190.000, "dur": 30, "args": {"Collective name": "allreduce", "dtype": "BFloat16", "In msg nelems": 1048576, "Out msg nelems": 1048576, "Group size": 8}},
  {"ph": "X", "cat": "cuda_driver", "name": "cuLaunchKernelEx", "pid": 41, "tid": 41, "ts": 5735423200.000, "dur": 5, "args": {"correlation": 104}},
  {"ph": "X", "cat": "kernel", "name": "ncclDevKernel_AllReduce_Sum_bf16_RING_LL(ncclDevKernelArgsStorage<4096ul>)", "pid": 0, "tid": 20, "ts": 5735423600.000, "dur": 250.500,
   "args": {"device": 0, "stream": 20, "correlation": 104, "Collective name": "allreduce", "In msg nelems": 1048576, "Out msg nelems": 1048576, "Group size": 8, "dtype": "BFloat16",
            "In split size": "[]", "Process Group Name": "4", "Process Group Description": "tp", "Process Group Ranks": "[0, 1, 2, 3, 4, 5, 6, 7]", "Rank": 5, "Seq": 12}},
  {"ph": "X", "cat": "cuda_runtime", "name": "cudaMemcpyAsync", "pid": 41, "tid": 41, "ts": 5735423300.000, "dur": 5, "args": {"correlation": 105}},
  {"ph": "X", "cat": "gpu_memcpy", "name": "Memcpy HtoD (Pinned -> Device)", "pid": 0, "tid": 7, "ts": 5735423860.000, "dur": 10.000, "args": {"stream": 7, "correlation": 105, "bytes": 4194304}},
  {"ph": "X", "cat": "cuda_runtime", "name": "cudaMemsetAsync", "pid": 41, "tid": 41, "ts": 5735423900.000, "dur": 5, "args": {"correlation": 106}},
  {"ph": "X", "cat": "gpu_memset", "name": "Memset (Device)", "pid": 0, "tid": 7, "ts": 5735424250.000, "dur": 5.000, "args": {"stream": 7, "correlation": 106}},
  {"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 41, "tid": 41, "ts": 5735423950.000, "dur": 5, "args": {"correlation": 107}},
  {"ph": "X", "cat": "kernel", "name": "void at::native::(anonymous namespace)::multi_tensor_apply_kernel<FusedOptimizerTensorListMetadata<4>, FusedAdamMathFunctor<float, 4>>", "pid": 0, "tid": 7, "ts": 5735424255.000, "dur": 45.000, "args": {"stream": 7, "correlation": 107}},
  {"ph": "X", "cat": "user_annotation", "name": "ProfilerStep#4", "pid": 41, "tid": 41, "ts": 5735424000.000, "dur": 1000.000, "args": {"External id": 90}},
  {"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 41, "tid": 41, "ts": 5735424005.000, "dur": 5, "args": {"correlation": 201}},
  {"ph": "X", "cat": "kernel", "name": "sm90_xmma_gemm_bf16bf16_bf16f32_f32_tn_n_tilesize128x128x64_execute_kernel__5x_cublas", "pid": 0, "tid": 7, "ts": 5735424310.000, "dur": 200.000, "args": {"stream": 7, "correlation": 201}},
  {"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 41, "tid": 41, "ts": 5735424100.000, "dur": 5, "args": {"correlation": 202}},
  {"ph": "X", "cat": "kernel", "name": "my_op", "pid": 0, "tid": 7, "ts": 5735424600.000, "dur": 100.000, "args": {"stream": 7, "correlation": 202}},
  {"ph": "X", "cat": "overhead", "name": "Activity Buffer Request", "pid": -1, "tid": 0, "ts": 5735423000.000, "dur": 900.000},
  {"ph": "i", "cat": "cpu_instant_event", "name": "[memory]", "s": "t", "pid": 41, "tid": 41, "ts": 5735423001.000, "args": {"Total Allocated": 1}},
  {"ph": "M", "name": "process_name", "pid": 0, "tid": 0, "ts": 5735422000.000, "args": {"name": "python3"}}
  ],
  "traceName": "trace.json"
})json";

constexpr Time us(double count) {
  return Time::from_ps(static_cast<std::int64_t>(count * 1e6));
}

TEST(KinetoFile, AStepOfAnH100) {
  Warnings warnings;
  const std::vector<RankActivities> ranks = read(h100_step, warnings);
  EXPECT_TRUE(warnings.lines().empty());
  ASSERT_EQ(ranks.size(), 1u);
  const RankActivities& rank = ranks[0];
  EXPECT_EQ(rank.rank, RankId(5));
  EXPECT_EQ(rank.ranks_of_run, 16u);
  // A kernel belongs to the step that launched it, so the device's steps last from 310 to 1310 and to 1700.
  ASSERT_EQ(rank.steps.size(), 2u);
  EXPECT_EQ(rank.steps[0].number, 3);
  EXPECT_EQ(rank.steps[0].end - rank.steps[0].start, us(1000));
  EXPECT_EQ(rank.steps[1].end - rank.steps[1].start, us(390));
  const StepProfile step = profile_of(rank, 3);
  EXPECT_EQ(step.length, us(1000));
  EXPECT_EQ(step.share_of(ActivityGroup::compute), us(200 + 40 + 100 + 45));
  EXPECT_EQ(step.overlapped, us(50));
  EXPECT_EQ(step.share_of(ActivityGroup::communication), us(200.5));
  EXPECT_EQ(step.share_of(ActivityGroup::copy), us(10 + 5));
  EXPECT_EQ(step.share_of(ActivityGroup::none), us(1000 - 385 - 200.5 - 15));
  EXPECT_EQ(step.classes.at({ActivityKind::matrix_product}).busy, us(200));
  EXPECT_EQ(step.classes.at({ActivityKind::normalisation}).busy, us(40));
  EXPECT_EQ(step.classes.at({ActivityKind::attention}).busy, us(100));
  EXPECT_EQ(step.classes.at({ActivityKind::optimizer}).busy, us(45));
  EXPECT_EQ(step.classes.at({ActivityKind::copy}).count, 1);
  EXPECT_EQ(step.classes.at({ActivityKind::memset}).count, 1);
  // 2^20 elements of two bytes.
  EXPECT_EQ(step.classes.at({ActivityKind::all_reduce, Bytes(2 << 20), 8}).busy, us(250.5));
  const StepProfile last = profile_of(rank, 4);
  EXPECT_EQ(last.classes.at({ActivityKind::other}).busy, us(100));
  EXPECT_EQ(last.share_of(ActivityGroup::none), us(90));
  EXPECT_EQ(profile_of(rank).classes.at({ActivityKind::matrix_product}).count, 1);
  // No step follows step 4, so that its length is not known.
  EXPECT_EQ(steps_in(rank), 1u);
  EXPECT_EQ(profile_of(rank).length, us(1000));
}

// A step computes for 90 us and then reduces gradients, under what the next one computes. The host marks a
// step every 100 us.
std::string steps_with_a_tail(const std::vector<int>& numbers) {
  std::string events;
  int correlation = 0;
  const auto add = [&](const char* category, const std::string& name, int start, int duration, int number) {
    events += fmt::format(
        R"({}{{"ph": "X", "cat": "{}", "name": "{}", "pid": 0, "ts": {}, "dur": {}, "args": {{"correlation": {}}}}})",
        events.empty() ? "" : ",\n", category, name, start, duration, number);
  };
  for (const int number : numbers) {
    const int start = 100 * number;
    add("user_annotation", fmt::format("ProfilerStep#{}", number), start, 99, 0);
    for (const auto& [name, begin, takes] :
         {std::tuple("sm80_gemm", 1, 90), std::tuple("ncclDevKernel_AllReduce_Sum_bf16_RING_LL", 92, 80)}) {
      add("cuda_runtime", "cudaLaunchKernel", start + 1, 1, ++correlation);
      add("kernel", name, start + begin, takes, correlation);
    }
  }
  return "[" + events + "]";
}

TEST(KinetoFile, AStepThatNoneFollowsIsNoPartOfTheMean) {
  const RankActivities rank = read(steps_with_a_tail({10, 11, 12, 13})).at(0);
  const StepProfile mean = profile_of(rank);
  EXPECT_EQ(steps_in(rank), 3u);
  EXPECT_TRUE(guessed_steps(rank, {}).empty());
  EXPECT_EQ(mean.length, us(100));
  EXPECT_EQ(mean.share_of(ActivityGroup::compute), us(90));
  EXPECT_EQ(mean.classes.at({ActivityKind::all_reduce}).count, 1);
  EXPECT_EQ(mean.classes.at({ActivityKind::all_reduce}).busy, us(80));
  // By itself it is as long as the one before it.
  EXPECT_EQ(profile_of(rank, 13).length, us(100));
  ASSERT_EQ(guessed_steps(rank, 13).size(), 1u);
  EXPECT_TRUE(guessed_steps(rank, 12).empty());
}

TEST(KinetoFile, StepsThatDoNotFollowOneAnotherHaveNoEnd) {
  const RankActivities rank = read(steps_with_a_tail({3, 4, 7, 8})).at(0);
  EXPECT_EQ(steps_in(rank), 2u);
  EXPECT_EQ(profile_of(rank).length, us(100));
  const RankActivities alone = read(steps_with_a_tail({3})).at(0);
  EXPECT_EQ(steps_in(alone), 1u);
  EXPECT_EQ(guessed_steps(alone, {}).size(), 1u);
  // By itself it is as long as the host's, from its first kernel on, and not until its last activity ends.
  EXPECT_EQ(profile_of(alone).length, us(99));
}

TEST(KinetoFile, MayBeCompressed) {
  const test::TemporaryFolder folder;
  const std::string path = (folder.path() / "rank5.pt.trace.json.gz").string();
  const gzFile file = gzopen(path.c_str(), "wb");
  ASSERT_NE(file, nullptr);
  gzputs(file, h100_step);
  gzclose(file);
  Warnings warnings;
  const std::vector<RankActivities> ranks = read_measured_file(path, warnings);
  ASSERT_EQ(ranks.size(), 1u);
  EXPECT_EQ(profile_of(ranks[0], 3).length, us(1000));
}

TEST(KinetoFile, FilesOfAFolderComeByTheirNumbers) {
  const test::TemporaryFolder folder;
  for (const char* name :
       {"rank10.pt.trace.json", "rank9.pt.trace.json", "notes.txt", "rank1.pt.trace.json.gz"})
    write_file_atomically((folder.path() / name).string(), "");
  const std::vector<std::string> files = measured_files(folder.path().string());
  ASSERT_EQ(files.size(), 3u);
  EXPECT_TRUE(files[0].ends_with("rank1.pt.trace.json.gz"));
  EXPECT_TRUE(files[1].ends_with("rank9.pt.trace.json"));
  EXPECT_TRUE(files[2].ends_with("rank10.pt.trace.json"));
}

std::string with_events(const std::string& events) {
  return "{ \"traceEvents\": [\n" + events + "\n] }";
}

TEST(KinetoFile, DevicesAreToldApart) {
  const auto ranks = read(with_events(
      R"({"ph":"X","cat":"kernel","name":"gemm","pid":10,"tid":7,"ts":1,"dur":2},
{"ph":"X","cat":"kernel","name":"gemm","pid":9,"tid":7,"ts":1,"dur":3},
{"ph":"X","cat":"kernel","name":"ncclDevKernel_AllReduce","pid":9,"tid":8,"ts":5,"dur":3,"args":{"Rank":4}})"));
  ASSERT_EQ(ranks.size(), 2u);
  EXPECT_EQ(ranks[0].rank, RankId(4));
  EXPECT_EQ(profile_of(ranks[0]).length, us(7));
  EXPECT_FALSE(ranks[1].rank);
  EXPECT_EQ(profile_of(ranks[1]).length, us(2));
}

TEST(KinetoFile, AListOfEventsIsEnough) {
  const auto ranks = read(R"([{"ph":"X","cat":"Kernel","name":"gemm","pid":0,"ts":1.5,"dur":0.25}])");
  ASSERT_EQ(ranks.size(), 1u);
  EXPECT_EQ(profile_of(ranks[0]).length, us(0.25));
}

// A double has but a quarter of a microsecond there.
TEST(KinetoFile, TimesSince1970AreExact) {
  const auto ranks = read(with_events(
      R"({"ph":"X","cat":"kernel","name":"gemm","pid":0,"ts":1711497600123456.001,"dur":0.125},
{"ph":"X","cat":"kernel","name":"gemm","pid":0,"ts":1711497600123457.002,"dur":0.125})"));
  EXPECT_EQ(profile_of(ranks[0]).length, us(1.126));
}

TEST(KinetoFile, WhatEndsBeforeItBeginsIsLeftOut) {
  Warnings warnings;
  const auto ranks = read(with_events(R"({"ph":"X","cat":"kernel","name":"gemm","pid":0,"ts":1,"dur":2},
{"ph":"X","cat":"kernel","name":"gemm","pid":0,"ts":9,"dur":-1})"),
                          warnings);
  EXPECT_EQ(ranks[0].activities.size(), 1u);
  ASSERT_EQ(warnings.lines().size(), 1u);
  EXPECT_NE(warnings.lines()[0].find("trace.json:3:1: warning: 1 events end before they begin"),
            std::string::npos)
      << warnings.lines()[0];
}

TEST(KinetoFile, SaysWhereItIsSpoiled) {
  EXPECT_NE(error_of(with_events(R"({"ph":"X","cat":"kernel","name":"gemm","pid":0,"ts":1},)"))
                .find("trace.json:2:1: error: an event lacks the number `dur`"),
            std::string::npos);
  EXPECT_NE(error_of("{ \"traceEvents\": [\n{\"ph\": \"X\" \"cat\"").find("trace.json:2:"),
            std::string::npos);
  EXPECT_NE(error_of("{ \"traceEvents\": [").find("trace.json:1:18: error: the file ends too early"),
            std::string::npos);
  EXPECT_NE(error_of("{ \"events\": [] }").find("has no list `traceEvents`"), std::string::npos);
  EXPECT_NE(error_of(with_events(R"({"ph":"X","cat":"cpu_op","name":"aten::mm","pid":0,"ts":1,"dur":1})"))
                .find("none of its 1 events is a kernel of a device; record it with ProfilerActivity.CUDA"),
            std::string::npos);
  EXPECT_NE(error_of(with_events(R"({"ph":"X","cat":"kernel","name":"a","pid":0,"ts":1,"dur":1},
{"ph":"X","cat":"kernel","name":"a","pid":0,"ts":9e17,"dur":1})"))
                .find("trace.json:3:1: error: an event is more than 30 days away"),
            std::string::npos);
  EXPECT_NE(error_of(std::string("{ \"a\": \"\0\" }", 12)).find("a zero byte"), std::string::npos);
}

// Property: whatever happens to a file, it is read or refused with a reason.
TEST(KinetoFile, SpoiledFilesAreReadOrRefused) {
  const std::string whole = h100_step;
  for (unsigned seed = 1; seed <= 400; ++seed) {
    std::mt19937 random(seed);
    std::string text = whole;
    for (unsigned i = 0; i < 1 + random() % 3; ++i) {
      const std::size_t at = random() % text.size();
      switch (random() % 3) {
        case 0:
          text.resize(at + 1);
          break;
        case 1:
          text[at] = static_cast<char>("0-9e.,:{}[]\"x"[random() % 13]);
          break;
        default:
          text.erase(at, random() % 30);
      }
      if (text.empty()) text = " ";
    }
    try {
      for (const RankActivities& rank : read(text)) EXPECT_GE(profile_of(rank).length, Time()) << seed;
    } catch (const InputError&) {
    }
  }
}

}  // namespace
}  // namespace orrery::core::kineto_file_test
