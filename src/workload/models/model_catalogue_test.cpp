#include "workload/models/model_catalogue.hpp"

#include <gtest/gtest.h>

namespace orrery::core::model_catalogue_test {

namespace {

TEST(ModelCatalogue, ParametersAreFoundWithoutReadingTheWholeFile) {
  for (const std::string_view word : model_words()) {
    const FoundFile file = find_model_file(std::string(word), {}, no_files());
    EXPECT_EQ(model_parameters(word), parameters_of_model_file(file.text, file.name)) << word;
    EXPECT_FALSE(model_parameters(word).empty()) << word;
  }
}

}  // namespace

}  // namespace orrery::core::model_catalogue_test
