#include "compute/device_file.hpp"

#include <gtest/gtest.h>

#include <regex>
#include <sstream>
#include <utility>

#include "base/diagnostics/diagnostics.hpp"
#include "base/files/embedded_file.hpp"

namespace orrery::core::device_file_test {
namespace {

const std::string least =
    "name: mine\nprocessors: 4\nmemory: {bandwidth: 100 GB/s}\nmatrix-peak: {fp16: 8 TFLOP/s}\n";

std::string error_of(const std::string& text) {
  try {
    read_device_file(text, "d.yaml");
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

TEST(DeviceFile, MayBeChanged) {
  const InputNode changes = parse_yaml("{ base: h100, memory: { bandwidth: 4 TB/s } }", "e.yaml");
  const Device changed = read_device(device_map(changes, {}, no_files())),
               h100 = find_device("h100", {}, no_files());
  EXPECT_EQ(changed.memory_bandwidth.bytes_per_ns(), 4000);
  EXPECT_EQ(changed.memory_size, h100.memory_size);
  EXPECT_EQ(changed.product_peak(Datatype::fp16), h100.product_peak(Datatype::fp16));
  const InputNode without_base = parse_yaml("{ memory: { bandwidth: 4 TB/s } }", "e.yaml");
  EXPECT_THROW(device_map(without_base, {}, no_files()), InputError);
  const InputNode unknown = parse_yaml("{ base: h100, speed: 3 }", "e.yaml");
  EXPECT_THROW(read_device(device_map(unknown, {}, no_files())), InputError);
}

TEST(DeviceFile, Facts) {
  const Device device = read_device_file(
      least +
          "vector-peak: {fp32: 1 TFLOP/s}\ncache: 4 MiB\nclock: 1.5 GHz\nlink-bandwidth: 50 GB/s\n"
          "systolic: {rows: 8, columns: 16, count: 2}\n"
          "roofline: {launch: 2 us, matrix-efficiency: 0.5, memory-efficiency: 0.25, load-bandwidth: 10 "
          "GB/s,\n"
          "  tile-time: 300 ns, exposed-share: 0.125, structured-speedup: 2, zero-skipping: 0.75,\n"
          "  unaligned-slowdown: 3, tiles: [[8, 16], [32, 64]]}\n",
      "d.yaml");
  EXPECT_EQ(device.name, "mine");
  EXPECT_EQ(device.product_peak(Datatype::fp16), 8e12);
  EXPECT_EQ(device.product_peak(Datatype::fp32), 1e12) << "vector units multiply where nothing else does";
  EXPECT_EQ(device.product_peak(Datatype::fp8), 0);
  EXPECT_EQ(device.memory_bandwidth.bytes_per_ns(), 100);
  EXPECT_EQ(device.cache_size.count(), 4u << 20);
  EXPECT_EQ(device.clock_hz, 1.5e9);
  ASSERT_TRUE(device.systolic);
  EXPECT_EQ(device.systolic->columns, 16);
  EXPECT_DOUBLE_EQ(device.roofline.launch_seconds, 2e-6);
  EXPECT_EQ(device.roofline.memory_efficiency, 0.25);
  EXPECT_EQ(device.roofline.load_bandwidth, 10e9);
  EXPECT_DOUBLE_EQ(device.roofline.tile_seconds, 3e-7);
  EXPECT_EQ(device.roofline.exposed_share, 0.125);
  EXPECT_EQ(device.roofline.zero_skipping, 0.75);
  EXPECT_EQ(device.roofline.unaligned_slowdown, 3);
  ASSERT_EQ(device.roofline.tiles.size(), 2u);
  EXPECT_EQ(device.roofline.tiles[1].columns, 64);
}

TEST(DeviceFile, Errors) {
  EXPECT_EQ(error_of(least + "procesors: 5\n"),
            "d.yaml:5:1: error: unknown key `procesors`, did you mean `processors`?");
  EXPECT_EQ(error_of("processors: 4\n"), "d.yaml:1:1: error: a device needs the key `name`");
  EXPECT_EQ(error_of("name: x\nprocessors: 4\nmemory: {bandwidth: 1 GB/s}\n"),
            "d.yaml:1:1: error: a device needs a peak in `matrix-peak` or `vector-peak`, such as `fp16`");
  EXPECT_EQ(error_of(least + "clock: 3\n"),
            "d.yaml:5:8: error: `3` has no unit; write a frequency such as `1 GHz`, in Hz, kHz, MHz or GHz");
  EXPECT_EQ(error_of(least + "vector-peak: {fp61: 1 TFLOP/s}\n"),
            "d.yaml:5:15: error: unknown key `fp61`, did you mean `fp64`?");
  EXPECT_EQ(error_of(least + "roofline: {matrix-efficiency: 1.5}\n"),
            "d.yaml:5:31: error: `matrix-efficiency` has to be a number from 1e-06 to 1, not `1.5`");
  EXPECT_EQ(error_of(least + "roofline: {tiles: [[64]]}\n"),
            "d.yaml:5:20: error: `tiles` has to be a list of pairs of rows and columns such as [128, 256], "
            "not a list");
  EXPECT_EQ(error_of(least + "systolic: {rows: 1, columns: 1}\n"),
            "d.yaml:5:11: error: systolic arrays needs the key `count`");
}

TEST(DeviceFile, UnknownDevice) {
  try {
    find_device("h10", {"--device"}, no_files());
    FAIL();
  } catch (const InputError& error) {
    EXPECT_EQ(
        std::string(error.what()),
        "--device: error: there is no device `h10`; you may mean `h100`, `a100` or `h200` (`orrery list "
        "devices` shows all); a device file ends in .yaml");
  }
}

// Published numbers (data sheets), independent of the files' spelling.
TEST(DeviceFile, KnownDevices) {
  EXPECT_EQ(device_names().size(), 18u);
  for (const auto name : device_names())
    EXPECT_FALSE(find_device(std::string(name), {}, no_files()).name.empty()) << name;
  EXPECT_EQ(find_device("a100", {}, no_files()).product_peak(Datatype::bf16), 312e12);
  EXPECT_EQ(find_device("v100", {}, no_files()).memory_bandwidth.bytes_per_ns(), 900);
  EXPECT_EQ(find_device("h100", {}, no_files()).processors, 132);
}

// The same chip with other memory has the same constants: a fit of one has to be copied to the other.
TEST(DeviceFile, SameChipSameConstants) {
  for (const auto& [one, other] : {std::pair{"a100", "a100-40gb"}, {"h100", "h200"}, {"v100", "v100-16gb"}}) {
    const RooflineConstants a = find_device(one, {}, no_files()).roofline,
                            b = find_device(other, {}, no_files()).roofline;
    EXPECT_EQ(a.launch_seconds, b.launch_seconds) << other;
    EXPECT_EQ(a.matrix_efficiency, b.matrix_efficiency) << other;
    EXPECT_EQ(a.memory_efficiency, b.memory_efficiency) << other;
    EXPECT_EQ(a.load_bandwidth, b.load_bandwidth) << other;
    EXPECT_EQ(a.tile_seconds, b.tile_seconds) << other;
    EXPECT_EQ(a.exposed_share, b.exposed_share) << other;
  }
}

// Peaks of systolic arrays follow from their size and clock: two operations per cell and cycle.
TEST(DeviceFile, PeaksOfSystolicArrays) {
  for (const auto name : device_names()) {
    const Device device = find_device(std::string(name), {}, no_files());
    if (!device.systolic) continue;
    const auto& array = *device.systolic;
    const double peak = 2.0 * array.rows * array.columns * array.count * device.clock_hz;
    EXPECT_NEAR(device.product_peak(Datatype::bf16) / peak, 1, 0.005) << name;
  }
}

// Every number of the files names where it comes from, by a name among the file's sources.
TEST(DeviceFile, NumbersHaveSources) {
  const std::regex number("^ *[a-z0-9-]+: *[0-9\\[].*"), source("# ([a-z]+)[^#]*$"), title("^  ([a-z]+): .*");
  for (const EmbeddedFile& file : embedded_files()) {
    if (!file.name.starts_with("devices/")) continue;
    std::istringstream lines{std::string(file.text)};
    std::vector<std::string> known;
    std::smatch match;
    bool among_sources = false;
    for (std::string line; std::getline(lines, line);) {
      if (!line.starts_with(' ')) among_sources = line == "sources:";
      if (among_sources && std::regex_match(line, match, title)) known.push_back(match[1]);
      if (among_sources || !std::regex_match(line, number)) continue;
      ASSERT_TRUE(std::regex_search(line, match, source)) << file.name << ": " << line;
      EXPECT_NE(std::find(known.begin(), known.end(), match[1]), known.end()) << file.name << ": " << line;
    }
    EXPECT_FALSE(known.empty()) << file.name;
  }
}

}  // namespace
}  // namespace orrery::core::device_file_test
