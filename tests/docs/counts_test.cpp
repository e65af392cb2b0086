// The README counts what there is.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <filesystem>
#include <iterator>
#include <sstream>
#include <string>

#include "base/files/file.hpp"
#include "support/source_dir.hpp"

namespace orrery::core::test::counts_test {
namespace {

namespace fs = std::filesystem;

// Returns the rows of the table that scripts/validate writes, without the titles and the line below them.
std::ptrdiff_t measured_sets() {
  std::istringstream page(read_file_of_any_kind(source_dir() + std::string("/docs/accuracy.md")));
  std::ptrdiff_t rows = 0;
  bool inside = false;
  for (std::string line; std::getline(page, line);) {
    if (line.starts_with("<!-- table")) inside = true;
    if (line.starts_with("<!-- end")) inside = false;
    if (inside && line.starts_with("| ")) ++rows;
  }
  return rows - 2;
}

TEST(Documentation, CountsModelsAndMeasurements) {
  const fs::path root = source_dir();
  const std::string readme = read_file_of_any_kind((root / "README.md").string());
  const auto transformers =
      std::distance(fs::directory_iterator(root / "share/orrery/transformers"), fs::directory_iterator());
  for (const std::string& said : {fmt::format("errors against {} sets of published", measured_sets()),
                                  fmt::format("{} models, and a Hugging Face", transformers)})
    EXPECT_NE(readme.find(said), std::string::npos) << said;
}

}  // namespace
}  // namespace orrery::core::test::counts_test
