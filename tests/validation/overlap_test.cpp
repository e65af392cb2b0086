// Compares the law of docs/models/contention.md with kernels that were measured alone and beside collectives.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "compute/contention.hpp"
#include "compute/device_file.hpp"
#include "support/csv_table.hpp"
#include "support/source_dir.hpp"

namespace orrery::core::test::overlap_test {
namespace {

constexpr double giga = 1e9;

Operator work_of(const CsvRow& row) {
  const Datatype type = *value_of(datatype_words, row.text("datatype"));
  if (row.text("m").empty()) {
    const std::uint64_t elements = 1 << 28;  // what memory bounds takes as much longer at any size
    return {"kernel", Elementwise{double(elements), elements, elements}, type};
  }
  return {"kernel", Gemm{row.count("m"), row.count("n"), row.count("k"), 1}, type};
}

// A device of whose processors computation may use so many, alone, too.
ComputingDevice device_of(int processors) {
  Device device = find_device("h100", {}, no_files());
  const double share = double(processors) / device.processors;
  for (const auto& [word, type] : datatype_words) {
    device.matrix_peak[type] *= share;
    device.vector_peak[type] *= share;
  }
  device.processors = processors;
  return computing_device(device);
}

TEST(Overlap, KernelsAreSlowedDownAsMeasured) {
  std::vector<double> errors;
  for (const CsvRow& row : read_csv(source_dir() + "/tests/validation/overlap.csv")) {
    const ComputingDevice device = device_of(static_cast<int>(row.number("processors")));
    const EndpointLoad load{static_cast<int>(row.number("taken")),
                            row.number("received_gb_per_s") * giga * row.number("passes")};
    const Operator op = work_of(row);
    const OperatorCost alone = device.model->cost(op);
    const double slowdown = 1 + ContendedDevice(device, load).more_seconds(op, alone) / alone.seconds;
    EXPECT_GT(slowdown, 1) << row.text("kernel");
    errors.push_back(std::abs(slowdown - row.number("slowdown")));
    RecordProperty("row" + std::to_string(errors.size()), std::to_string(slowdown));
  }
  ASSERT_EQ(errors.size(), 13u);
  std::ranges::sort(errors);
  EXPECT_LE(errors[errors.size() / 2], 0.1);
}

}  // namespace
}  // namespace orrery::core::test::overlap_test
