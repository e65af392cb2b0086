#include "compute/sparsity.hpp"

#include <fmt/format.h>

#include <bit>

#include "base/text/token_reader.hpp"
#include "compute/device.hpp"

namespace orrery::core {
namespace {

constexpr std::uint64_t largest_block = 1 << 20;

}  // namespace

bool BlockPattern::fits(const BlockPattern& other) const {
  if (other.block % block == 0) return kept * (other.block / block) <= other.kept;
  return block % other.block == 0 && kept <= other.kept;
}

int BlockPattern::index_bits() const {
  return static_cast<int>(std::bit_width(block - 1));
}

std::optional<BlockPattern> parse_block_pattern(std::string_view text) {
  const std::size_t colon = text.find(':');
  if (colon == text.npos) return std::nullopt;
  const auto kept = parse_unsigned(text.substr(0, colon)), block = parse_unsigned(text.substr(colon + 1));
  if (!kept || !block || *kept == 0 || *kept > *block || *block > largest_block) return std::nullopt;
  return BlockPattern{*kept, *block};
}

std::string text_of(const BlockPattern& pattern) {
  return fmt::format("{}:{}", pattern.kept, pattern.block);
}

void require_pattern(const ProductSparsity& sparsity, const Device& device, const SourceLocation& where) {
  if (!sparsity.has_pattern()) return;
  const bool of_rows = !sparsity.rows.pattern.is_dense();
  const OperandSparsity& operand = of_rows ? sparsity.rows : sparsity.columns;
  const std::string pattern = text_of(operand.pattern);
  const std::string otherwise =
      fmt::format("or write the share of zeros, {:.4g}, which may be anywhere", operand.zeros);
  if (of_rows && !sparsity.columns.pattern.is_dense())
    throw InputError(where,
                     "a device makes use of a pattern in one operand of a product only: leave that of "
                     "the weights or that of the activations out, " +
                         otherwise);
  const RooflineConstants& constants = device.roofline;
  if (constants.structured_speedup == 1)
    throw InputError(where, fmt::format("{} does not know {} sparsity (its `structured-speedup` is 1); use "
                                        "another device, {}",
                                        device.name, pattern, otherwise));
  if (!operand.pattern.fits(constants.structured_pattern))
    throw InputError(where,
                     fmt::format("{} multiplies {} faster, which {} does not fit; use that pattern, {}",
                                 device.name, text_of(constants.structured_pattern), pattern, otherwise));
  if (of_rows && device.systolic)
    throw InputError(where, fmt::format("the systolic arrays of {} hold weights, and only these can have a "
                                        "pattern; leave it out, {}",
                                        device.name, otherwise));
}

ProductSparsity calculated_sparsity(double weights, double activations, SparsityPattern pattern,
                                    const Device& device) {
  for (const double share : {weights, activations})
    if (!(share >= 0 && share < 1))
      throw InputError({},
                       fmt::format("a sparsity is a share of zeros from 0 to less than 1, not {}", share));
  if (pattern == SparsityPattern::unstructured)
    return {OperandSparsity(activations), OperandSparsity(weights)};
  const BlockPattern two_of_four{2, 4};
  if (weights != two_of_four.zeros())
    throw InputError(
        {}, fmt::format("2:4 makes half of the weights zero, not {}: use a weight sparsity of 0.5", weights));
  const ProductSparsity sparsity{OperandSparsity(activations), OperandSparsity(two_of_four)};
  require_pattern(sparsity, device, {});
  return sparsity;
}

}  // namespace orrery::core
