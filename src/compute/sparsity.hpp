// Zeros in the operands of matrix products. docs/models/compute.md, "Zeros", says what they save.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/diagnostics/diagnostics.hpp"
#include "base/diagnostics/words.hpp"

namespace orrery::core {

struct Device;

// Says that of every `block` consecutive elements along the dimension that is summed over, at most `kept` are
// not zero: 2 of 4 in 2:4.
struct BlockPattern {
  std::uint64_t kept = 1, block = 1;

  bool operator==(const BlockPattern&) const = default;
  bool is_dense() const { return kept == block; }
  double zeros() const { return 1 - static_cast<double>(kept) / static_cast<double>(block); }
  // Returns how many of these elements are kept.
  std::uint64_t kept_of(std::uint64_t elements) const {
    return elements / block * kept + (elements % block < kept ? elements % block : kept);
  }
  // Returns whether whatever has this pattern has the other one, too: 1:4 and 2:8 fit 2:4, 4:8 does not.
  bool fits(const BlockPattern& other) const;
  // Returns the bits that say which of its block a kept element is: 2 in 2:4.
  int index_bits() const;
};

// Reads N:M with 1 <= N <= M. Returns nothing where the text is no such pattern.
std::optional<BlockPattern> parse_block_pattern(std::string_view text);
std::string text_of(const BlockPattern& pattern);

// The zeros of an operand. With a pattern, their share is the pattern's.
struct OperandSparsity {
  double zeros = 0;           // share of the elements, 0 to less than 1
  BlockPattern pattern = {};  // dense: zeros are anywhere

  OperandSparsity() = default;
  explicit OperandSparsity(double share) : zeros(share) {}
  explicit OperandSparsity(const BlockPattern& of) : zeros(of.zeros()), pattern(of) {}
  bool operator==(const OperandSparsity&) const = default;
};

struct ProductSparsity {
  OperandSparsity rows, columns;  // of the M x K operand and of the K x N operand

  bool has_pattern() const { return !rows.pattern.is_dense() || !columns.pattern.is_dense(); }
};

// Throws InputError at `where` where the device has no use for the pattern of an operand, or both operands
// have one.
void require_pattern(const ProductSparsity& sparsity, const Device& device, const SourceLocation& where);

// Words of calculators for the zeros among weights.
enum class SparsityPattern : std::uint8_t {
  unstructured,  // zeros anywhere
  two_of_four,   // at most two of four neighbouring weights are not zero: half of them are
};
inline constexpr std::array<EnumName<SparsityPattern>, 2> sparsity_pattern_words{{
    {"unstructured", SparsityPattern::unstructured},
    {"2:4", SparsityPattern::two_of_four},
}};
// Returns the zeros of a product that a calculator is asked about, from shares of zeros. Throws InputError.
ProductSparsity calculated_sparsity(double weights, double activations, SparsityPattern pattern,
                                    const Device& device);

}  // namespace orrery::core
