#include "base/files/output_files.hpp"

#include <gtest/gtest.h>

#include <filesystem>

#include "base/files/file.hpp"
#include "support/cases.hpp"

namespace orrery::core::output_files_test {
namespace {

namespace fs = std::filesystem;

std::string error_of(const auto& action) {
  try {
    action();
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(OutputFiles, AreNotTheInputs) {
  const test::TemporaryFolder folder;
  const std::string at = folder.path().string() + "/";
  write_file_atomically(at + "in", "text");
  fs::create_symlink(at + "in", at + "link");
  fs::create_directory(at + "below");
  for (const std::string& name : {at + "in", at + "link", at + "below/../in", at + "./in"}) {
    OutputFiles outputs;
    outputs.add_named({"--output"}, name);
    EXPECT_NE(error_of([&] { outputs.refuse_inputs({at + "other", at + "in"}); }), "") << name;
    EXPECT_EQ(error_of([&] { outputs.refuse_inputs({at + "other"}); }), "");
  }
  OutputFiles of_a_folder;
  of_a_folder.add(at + "in");
  EXPECT_EQ(
      error_of([&] { of_a_folder.refuse_inputs({at + "in"}); }),
      at + "in: error: is read by this command, and would be replaced by its results; write them elsewhere");
}

TEST(OutputFiles, HaveDifferentNames) {
  const test::TemporaryFolder folder;
  const std::string at = folder.path().string() + "/";
  fs::create_directory(at + "below");
  fs::create_directory_symlink(at + "below", at + "link");
  OutputFiles outputs;
  outputs.add_named({"--one"}, at + "below/new");
  outputs.add_named({"--none"}, "");
  outputs.add_named({"--two"}, at + "new");
  outputs.add_named({"--three"}, standard_output);
  for (const std::string& name : {at + "below/new", at + "link/new", at + "below/./new", at + "link/../new"})
    EXPECT_NE(error_of([&] { outputs.add_named({"--more"}, name); }), "") << name;
  EXPECT_EQ(
      error_of([&] { outputs.add_named({"--more"}, standard_output); }),
      "--more: error: `-` is also what `--three` writes to, and would hold only one of both; name another "
      "file");
  EXPECT_NE(error_of([&] { outputs.add_named({"--more"}, at + "below"); }), "");
  EXPECT_NE(error_of([&] { outputs.add_named({"--more"}, at + "missing/new"); }), "");
}

}  // namespace
}  // namespace orrery::core::output_files_test
