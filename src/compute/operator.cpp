#include "compute/operator.hpp"

namespace orrery::core {
namespace {

// The number of elements of one query and of its result, in all heads, and the same number for a key and its
// value.
struct Rows {
  double queries, results, keys, values;

  explicit Rows(const Attention& a)
      : queries(double(a.queries) * double(a.heads) * double(a.width)),
        results(double(a.queries) * double(a.heads) * double(a.value_width)),
        keys(double(a.keys) * double(a.kv_heads) * double(a.width)),
        values(double(a.keys) * double(a.kv_heads) * double(a.value_width)) {}
};

std::uint64_t windows(std::uint64_t size, std::uint64_t pad, std::uint64_t filter, std::uint64_t stride) {
  const std::uint64_t padded = size + 2 * pad;
  return padded < filter ? 0 : (padded - filter) / stride + 1;
}

}  // namespace

Gemm product_of(const Convolution& c) {
  const std::uint64_t places = windows(c.height, c.pad_height, c.filter_height, c.stride_height) *
                               windows(c.width, c.pad_width, c.filter_width, c.stride_width);
  return {c.batch * places, c.filters / c.groups, c.filter_height * c.filter_width * (c.channels / c.groups),
          c.groups};
}

std::vector<Gemm> products_of(const Attention& a) {
  const Gemm scores{a.queries, a.keys, a.width, a.heads};
  if (!a.backward) return {scores, {a.queries, a.value_width, a.keys, a.heads}};
  return {scores,
          {a.queries, a.keys, a.value_width, a.heads},  // gradients of scores
          {a.keys, a.value_width, a.queries, a.heads},  // of values
          {a.queries, a.width, a.keys, a.heads},        // of queries
          {a.keys, a.width, a.queries, a.heads}};       // of keys
}

double flops_of(const Attention& a) {
  const double pairs = double(a.heads) * double(a.queries) * double(a.keys) * (a.causal ? 0.5 : 1);
  const double width = double(a.width), value_width = double(a.value_width);
  // Forward: scores, results. Backward: scores again and their gradients, those of values, queries and keys.
  return 2 * pairs * (a.backward ? 3 * width + 2 * value_width : width + value_width);
}

double elements_read(const Attention& a) {
  const Rows rows(a);
  return rows.queries + rows.keys + rows.values + (a.backward ? 2 * rows.results : 0);
}

double key_value_elements(const Attention& a) {
  const Rows rows(a);
  return rows.keys + rows.values;
}

double elements_written(const Attention& a) {
  const Rows rows(a);
  return a.backward ? rows.queries + rows.keys + rows.values : rows.results;
}

}  // namespace orrery::core
