#include "report/roofline_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>

#include "base/words.hpp"

namespace orrery {

namespace {

using OrderedJson = nlohmann::ordered_json;

double tflops(const OperatorCost& cost) {
  return cost.flops / cost.seconds * 1e-12;
}

// Times to a picosecond.
double us(double seconds) {
  return std::round(seconds * 1e12) * 1e-6;
}

std::string one_gemm(const RooflineReport& report) {
  const auto& [gemm, type, cost, plan, measured] = report.gemms[0];
  std::string text = fmt::format("{} products of {} x {} with {} x {} in {} on {}\n", gemm.batch, gemm.m,
                                 gemm.k, gemm.k, gemm.n, word_of(datatype_words, type), report.device);
  text += fmt::format("  time         {:.3f} us, bound by {}\n", us(cost.seconds),
                      word_of(bound_words, cost.bound));
  text += fmt::format("  rate         {:.1f} TFLOP/s, {:.1f}% of the peak\n", tflops(cost),
                      100 * cost.utilization);
  text += fmt::format("  operations   {:.4g} GFLOP\n", cost.flops * 1e-9);
  text += fmt::format("  main memory  {:.4g} MB read, {:.4g} MB written\n", cost.bytes_read * 1e-6,
                      cost.bytes_written * 1e-6);
  text += fmt::format("  tiles        {} x {}, {} waves, K split in {}\n", plan.tile.rows, plan.tile.columns,
                      plan.waves, plan.split_k);
  return text;
}

std::string csv(const RooflineReport& report) {
  std::string text = "m,n,k,batch,datatype,time_us,tflops,bound,measured_us\n";
  for (const auto& [gemm, type, cost, plan, measured] : report.gemms)
    text += fmt::format("{},{},{},{},{},{:.3f},{:.3f},{},{}\n", gemm.m, gemm.n, gemm.k, gemm.batch,
                        word_of(datatype_words, type), us(cost.seconds), tflops(cost),
                        word_of(bound_words, cost.bound), measured ? fmt::format("{}", us(*measured)) : "");
  if (const auto error = report.mean_error()) text += fmt::format("# mean error {:.2f}%\n", 100 * *error);
  return text;
}

OrderedJson peaks_to_json(const Peaks& peaks) {
  OrderedJson json = OrderedJson::object();
  for (const auto& [word, type] : datatype_words)
    if (peaks[type] > 0) json[std::string(word)] = peaks[type] * 1e-12;
  return json;
}

double gb_per_s(Bandwidth bandwidth) {
  return bandwidth.bytes_per_ns();
}

// Returns the peak of 16-bit products, which everybody quotes; where there is none, that of fp32.
std::string usual_peak(const Device& device) {
  Datatype shown = Datatype::fp16;
  for (const Datatype type : {Datatype::fp16, Datatype::bf16, Datatype::fp32})
    if (device.product_peak(shown) == 0) shown = type;
  return fmt::format("{:.1f} {}", device.product_peak(shown) * 1e-12, word_of(datatype_words, shown));
}

}  // namespace

std::optional<double> RooflineReport::mean_error() const {
  double sum = 0;
  int count = 0;
  for (const CostedGemm& gemm : gemms) {
    if (!gemm.measured_seconds) continue;
    sum += std::abs(gemm.cost.seconds / *gemm.measured_seconds - 1);
    ++count;
  }
  return count > 0 ? std::optional(sum / count) : std::nullopt;
}

std::string roofline_text(const RooflineReport& report) {
  return report.gemms.size() == 1 ? one_gemm(report) : csv(report);
}

OrderedJson roofline_to_json(const RooflineReport& report) {
  OrderedJson json{{"device", report.device}};
  if (const auto error = report.mean_error()) json["mean_error"] = *error;
  for (const auto& [gemm, type, cost, plan, measured] : report.gemms) {
    OrderedJson row{{"m", gemm.m},
                    {"n", gemm.n},
                    {"k", gemm.k},
                    {"batch", gemm.batch},
                    {"datatype", word_of(datatype_words, type)},
                    {"time_us", us(cost.seconds)},
                    {"tflops", tflops(cost)},
                    {"utilization", cost.utilization},
                    {"bound", word_of(bound_words, cost.bound)},
                    {"flops", cost.flops},
                    {"bytes_read", cost.bytes_read},
                    {"bytes_written", cost.bytes_written},
                    {"tile_rows", plan.tile.rows},
                    {"tile_columns", plan.tile.columns},
                    {"split_k", plan.split_k},
                    {"waves", plan.waves}};
    if (measured) row["measured_us"] = us(*measured);
    json["products"].push_back(std::move(row));
  }
  return json;
}

std::string device_list_text(const std::vector<ListedDevice>& devices) {
  std::string text = fmt::format("{:<12}{:<34}{:>14}{:>9}{:>10}{:>11}\n", "device", "", "TFLOP/s", "GB",
                                 "GB/s", "link GB/s");
  for (const auto& [name, device] : devices)
    text += fmt::format("{:<12}{:<34}{:>14}{:>9.0f}{:>10.0f}{:>11.0f}\n", name, device.name,
                        usual_peak(device), device.memory_size.as_double() * 1e-9,
                        gb_per_s(device.memory_bandwidth), gb_per_s(device.link_bandwidth));
  return text;
}

OrderedJson device_list_to_json(const std::vector<ListedDevice>& devices) {
  OrderedJson json{{"devices", OrderedJson::array()}};
  for (const auto& [name, device] : devices) {
    const RooflineConstants& constants = device.roofline;
    OrderedJson row{{"device", name},
                    {"name", device.name},
                    {"matrix_peak_tflops", peaks_to_json(device.matrix_peak)},
                    {"vector_peak_tflops", peaks_to_json(device.vector_peak)},
                    {"memory_bytes", device.memory_size.count()},
                    {"memory_gb_per_s", gb_per_s(device.memory_bandwidth)},
                    {"cache_bytes", device.cache_size.count()},
                    {"processors", device.processors},
                    {"clock_mhz", device.clock_hz * 1e-6},
                    {"link_gb_per_s", gb_per_s(device.link_bandwidth)},
                    {"launch_us", us(constants.launch_seconds)},
                    {"matrix_efficiency", constants.matrix_efficiency},
                    {"memory_efficiency", constants.memory_efficiency},
                    {"load_gb_per_s", constants.load_bandwidth * 1e-9},
                    {"tile_us", us(constants.tile_seconds)},
                    {"exposed_share", constants.exposed_share}};
    if (device.systolic) {
      row["systolic_rows"] = device.systolic->rows;
      row["systolic_columns"] = device.systolic->columns;
      row["systolic_arrays"] = device.systolic->count;
    }
    row["sources"] = device.sources;
    json["devices"].push_back(std::move(row));
  }
  return json;
}

}  // namespace orrery
