#include "study/calibration/measured/collective_measurements.hpp"

#include <fmt/format.h>

#include <cmath>

namespace orrery::core {

CollectiveMeasurements::CollectiveMeasurements(const std::vector<MeasuredCollective>& rows,
                                               LinksMeasured links, const CalibratedPlatform& platform)
    : links_(links), platform_(platform) {
  for (const MeasuredCollective& row : rows)
    if ((row.group.nodes() == 1) == (links == LinksMeasured::inside)) rows_.push_back(row);
  const auto& library = platform.as_it_is().library;
  for (const MeasuredCollective& row : rows_) {
    if (!library)
      throw InputError({platform.option()}, "this platform describes no links; give one that has `inside`");
    with_place(row.where, [&] { library->seconds(row.kind, row.bytes, row.group); });
  }
}

std::string CollectiveMeasurements::described() const {
  return fmt::format("{} collectives {}", rows_.size(),
                     links_ == LinksMeasured::inside ? "inside a node" : "between nodes");
}

std::span<const Constant> CollectiveMeasurements::constants() const {
  return links_ == LinksMeasured::inside ? inside_constants() : between_constants();
}

std::string CollectiveMeasurements::row_name(std::size_t row) const {
  const MeasuredCollective& of = rows_[row];
  return fmt::format("{} of {:.0f} B, {} GPUs", word_of(collective_kind_words, of.kind), of.bytes,
                     of.group.members);
}

std::vector<double> CollectiveMeasurements::errors(const ConstantValues& values,
                                                   const StepListener& tell) const {
  const Platform platform = platform_.with(constants(), values);
  std::vector<double> errors;
  for (const MeasuredCollective& row : rows_)
    errors.push_back(std::log(platform.library->seconds(row.kind, row.bytes, row.group) / row.seconds));
  if (tell) tell(rows(), rows(), "collectives");
  return errors;
}

}  // namespace orrery::core
