// An exporter: a text with the layers that wait longest for communication.
#include <orrery/registry.hpp>

#include <algorithm>
#include <numeric>

namespace {

class SlowestLayers : public orrery::Exporter {
 public:
  std::vector<orrery::ExportedFile> files(const orrery::ExportedRun& run) const override {
    const orrery::ExportedTable layers = run.table("layers");
    const auto& names = column(layers, "layer");
    const auto& waits = column(layers, "exposed_us");
    std::vector<std::size_t> order(layers.rows());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, std::greater(), [&](std::size_t row) { return number(waits[row]); });
    std::string text = run.name() + ", " + std::to_string(run.time().microseconds()) + " us\n";
    for (std::size_t i = 0; i < std::min<std::size_t>(3, order.size()); ++i)
      text += std::get<std::string>(names[order[i]]) + " waits " + std::to_string(number(waits[order[i]])) +
              " us\n";
    return {{"slowest-layers.txt", text}};
  }

 private:
  static const std::vector<orrery::ExportedValue>& column(const orrery::ExportedTable& table,
                                                          std::string_view name) {
    const auto found = std::ranges::find(table.columns, name, &orrery::ColumnInfo::name);
    return table.values.at(static_cast<std::size_t>(found - table.columns.begin()));
  }
  static double number(const orrery::ExportedValue& value) {
    const double* const real = std::get_if<double>(&value);
    return real ? *real : 0;
  }
};

}  // namespace

extern "C" void orrery_plugin(orrery::Registry& registry) {
  registry.add<SlowestLayers>("slowest-layers");
}
