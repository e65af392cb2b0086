#include "compute/systolic/systolic_operation.hpp"

#include <gtest/gtest.h>

#include <set>

namespace orrery::core::systolic_operation_test {
namespace {

Convolution square(std::uint64_t image, std::uint64_t filter, std::uint64_t stride) {
  Convolution c;
  c.height = c.width = image;
  c.filter_height = c.filter_width = filter;
  c.stride_height = c.stride_width = stride;
  return c;
}

SystolicOperation inside(const Convolution& c) {
  return systolic_operation(c, LastWindow::inside, {});
}
SystolicOperation hanging_over(const Convolution& c) {
  return systolic_operation(c, LastWindow::hangs_over, {});
}

TEST(SystolicOperation, TheLastWindowStaysInsideOrHangsOver) {
  EXPECT_EQ(inside(square(28, 5, 2)).m, 12u * 12);
  EXPECT_EQ(inside(square(28, 5, 2)).input_words, 27u * 27);
  EXPECT_EQ(hanging_over(square(28, 5, 2)).m, 13u * 13);
  EXPECT_EQ(hanging_over(square(28, 5, 2)).input_words, 28u * 28);
}

TEST(SystolicOperation, WindowsApartSkipPixels) {
  EXPECT_EQ(inside(square(10, 1, 3)).input_words, 4u * 4);
  EXPECT_EQ(hanging_over(square(11, 2, 4)).input_words,
            6u * 6);  // 0 1, 4 5, 8 9, and none of the window at 12
}

TEST(SystolicOperation, BatchPaddingAndGroups) {
  Convolution c = square(14, 3, 1);
  c.pad_height = c.pad_width = 1;
  c.channels = 6;
  c.filters = 4;
  c.groups = 2;
  c.batch = 5;
  SystolicOperation operation = inside(c);
  operation.grid.reset();
  EXPECT_EQ(operation, (SystolicOperation{5 * 14 * 14, 2, 3 * 3 * 3, 5 * 14 * 14 * 3, 2}));
}

// Counted one by one, on an image whose edge no window hangs over.
TEST(SystolicOperation, FoldsTouchSomeWordsOfTheWindows) {
  for (const std::uint64_t stride : {1, 2, 3, 4}) {
    constexpr std::uint64_t filter = 5, channels = 2, windows = 3;
    const std::uint64_t image = (windows - 1) * stride + filter;
    Convolution c = square(image, filter, stride);
    c.channels = channels;
    const SystolicOperation operation = hanging_over(c);
    ASSERT_TRUE(operation.grid) << stride;
    for (std::uint64_t first = 0; first < operation.k; ++first) {
      for (std::uint64_t end = first + 1; end <= operation.k; ++end) {
        std::set<std::uint64_t> words;
        for (std::uint64_t place = first; place < end; ++place)
          for (std::uint64_t row = 0; row < windows; ++row)
            for (std::uint64_t column = 0; column < windows; ++column) {
              const std::uint64_t y = row * stride + place / (filter * channels);
              const std::uint64_t x = column * stride + place / channels % filter;
              words.insert((y * image + x) * channels + place % channels);
            }
        // Where parts of rows of the filter meet in a row of the image, these count as one whole stretch.
        const bool in_one_phase = (end - 1) / (filter * channels) - first / (filter * channels) < stride;
        if (in_one_phase)
          EXPECT_EQ(operation.grid->words_of(first, end), words.size())
              << stride << " " << first << " " << end;
        else
          EXPECT_GE(operation.grid->words_of(first, end) + image * channels, words.size());
      }
    }
  }
}

TEST(SystolicOperation, AProductsBatchIsRepeated) {
  EXPECT_EQ(systolic_operation(Gemm{2, 3, 4, 5}, {}), (SystolicOperation{2, 3, 4, 8, 5}));
}

TEST(SystolicOperation, NonsenseIsRefused) {
  EXPECT_THROW(inside(square(4, 5, 1)), InputError);
  EXPECT_THROW(inside(square(4, 2, 0)), InputError);
  EXPECT_THROW(systolic_operation(Gemm{0, 1, 1, 1}, {}), InputError);
  Convolution c = square(4, 2, 1);
  c.groups = 3;
  EXPECT_THROW(inside(c), InputError);
  EXPECT_THROW(inside(square(std::uint64_t{1} << 33, 1, 1)), InputError);
}

}  // namespace
}  // namespace orrery::core::systolic_operation_test
