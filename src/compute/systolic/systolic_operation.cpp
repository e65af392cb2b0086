#include "compute/systolic/systolic_operation.hpp"

#include <algorithm>
#include <string>

#include "compute/systolic/checked_count.hpp"

namespace orrery::core {
namespace {

// Windows along one edge of the image.
struct Edge {
  std::uint64_t image, pad, filter, stride;

  std::uint64_t padded(const SourceLocation& where) const { return checked_sum({image, pad, pad}, where); }

  std::uint64_t windows(LastWindow last_window, const SourceLocation& where) const {
    const std::uint64_t left = padded(where) - filter;
    return (last_window == LastWindow::inside ? left / stride : ceil_divide(left, stride)) + 1;
  }

  // Pixels of the image, without padding, under at least one window.
  std::uint64_t pixels(std::uint64_t windows) const {
    if (pad > 0) return image;
    const std::uint64_t last = (windows - 1) * stride;  // where the last window begins
    if (stride <= filter) return std::min(image, last + filter);
    return (windows - 1) * filter + std::min(filter, image - std::min(image, last));
  }
};

void check_edge(const Edge& edge, const char* name, const SourceLocation& where) {
  if (edge.filter > edge.padded(where))
    throw InputError(where, "the filter's " + std::string(name) + " is " + std::to_string(edge.filter) +
                                ", more than the " + std::to_string(edge.padded(where)) +
                                " of its input, make it smaller");
}

void check(const Convolution& c, const SourceLocation& where) {
  for (const std::uint64_t size : {c.height, c.width, c.channels, c.filters, c.filter_height, c.filter_width,
                                   c.stride_height, c.stride_width, c.groups, c.batch}) {
    if (size == 0) throw InputError(where, "a size of the convolution is 0, choose at least 1");
  }
  if (c.channels % c.groups != 0 || c.filters % c.groups != 0)
    throw InputError(where, std::to_string(c.groups) + " groups do not divide " + std::to_string(c.channels) +
                                " channels and " + std::to_string(c.filters) +
                                " filters, choose a divisor of both");
}

}  // namespace

SystolicOperation systolic_operation(const Gemm& gemm, const SourceLocation& where) {
  if (gemm.m == 0 || gemm.n == 0 || gemm.k == 0 || gemm.batch == 0)
    throw InputError(where, "a size of the matrix product is 0, choose at least 1");
  return {gemm.m, gemm.n, gemm.k, checked_product({gemm.m, gemm.k}, where), gemm.batch};
}

SystolicOperation systolic_operation(const Convolution& c, LastWindow last_window,
                                     const SourceLocation& where) {
  check(c, where);
  const Edge height{c.height, c.pad_height, c.filter_height, c.stride_height};
  const Edge width{c.width, c.pad_width, c.filter_width, c.stride_width};
  check_edge(height, "height", where);
  check_edge(width, "width", where);
  const std::uint64_t rows = height.windows(last_window, where), columns = width.windows(last_window, where);
  const std::uint64_t channels = c.channels / c.groups;
  SystolicOperation operation;
  operation.m = checked_product({c.batch, rows, columns}, where);
  operation.n = c.filters / c.groups;
  operation.k = checked_product({c.filter_height, c.filter_width, channels}, where);
  operation.input_words =
      checked_product({c.batch, height.pixels(rows), width.pixels(columns), channels}, where);
  operation.repeats = c.groups;
  if (operation.input_words / operation.m < operation.k)  // some are the same
    operation.grid = WindowGrid{{rows, c.filter_height, c.stride_height, height.pixels(rows)},
                                {columns, c.filter_width, c.stride_width, width.pixels(columns)},
                                channels,
                                c.batch};
  return operation;
}

// Rows of the filter whose distance is a multiple of the stride meet the same rows of the image. In each of
// these rows, windows touch the same stretch of the filter's columns again and again.
std::uint64_t WindowGrid::words_of(std::uint64_t first, std::uint64_t end) const {
  const std::uint64_t row_words = width.filter * channels, step = width.stride * channels;
  const auto touched = [&](std::uint64_t stretch) {
    const std::uint64_t words =
        stretch >= step ? (width.windows - 1) * step + stretch : width.windows * stretch;
    return std::min(words, width.pixels * channels);
  };
  const std::uint64_t first_row = first / row_words, last_row = (end - 1) / row_words;
  std::uint64_t sum = 0;
  for (std::uint64_t phase = first_row; phase <= std::min(last_row, first_row + height.stride - 1); ++phase) {
    const std::uint64_t rows = (last_row - phase) / height.stride + 1;
    std::uint64_t from = row_words, to = 0;
    for (std::uint64_t i = 0; i < std::min<std::uint64_t>(rows, 3); ++i) {
      // The first, the last and any one between: those between are whole.
      const std::uint64_t row = phase + (i == 2 ? rows - 1 : i) * height.stride;
      from = std::min(from, row == first_row ? first % row_words : 0);
      to = std::max(to, row == last_row ? (end - 1) % row_words + 1 : row_words);
    }
    sum += std::min(height.windows + rows - 1, height.pixels) * touched(to - from);
  }
  return std::min(sum, height.pixels * width.pixels * channels) * images;
}

}  // namespace orrery::core
