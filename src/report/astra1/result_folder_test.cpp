#include "report/astra1/result_folder.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <functional>

#include "base/diagnostics/diagnostics.hpp"
#include "base/files/file.hpp"

namespace orrery::core::result_folder_test {
namespace {

class ResultFolderTest : public testing::Test {
 protected:
  ResultFolderTest() {
    const std::string test = testing::UnitTest::GetInstance()->current_test_info()->name();
    folder = testing::TempDir() + "orrery_" + test + std::to_string(getpid()) + "/";
    std::filesystem::create_directory(folder);
    options.path = folder;
  }
  ~ResultFolderTest() override { std::filesystem::remove_all(folder); }

  void expect_error(const std::string& beginning, bool separate_log = true) {
    try {
      check_result_options(options, separate_log);
      ADD_FAILURE() << "accepted, expected " << beginning;
    } catch (const InputError& error) {
      EXPECT_EQ(std::string(error.what()).rfind(beginning, 0), 0u) << error.what();
    }
    EXPECT_THROW(ResultFolder(options, separate_log), InputError);
  }

  std::string folder;
  ResultOptions options;
};

TEST_F(ResultFolderTest, ChecksRows) {
  options.total_rows = 0;
  expect_error("--total-stat-rows: error: ");
  options.total_rows = 2;
  for (int row : {-1, 2}) {
    options.row = row;
    expect_error("--stat-row: error: ");
  }
}

TEST_F(ResultFolderTest, ChecksTheRunsName) {
  for (const char* name : {"", "a,b", "a/b", "a\nb", "a\rb"}) {
    options.run_name = name;
    expect_error("--run-name: error: ");
  }
  options.run_name = "with blanks";
  EXPECT_NO_THROW(check_result_options(options, true));
}

TEST_F(ResultFolderTest, ChecksTheFolder) {
  options.path = folder + "missing/";
  expect_error("--path: error: ");
  options.path = folder + "prefix_";  // in front of the file names as it is
  EXPECT_NO_THROW(check_result_options(options, true));
  write_file_atomically(folder + "file", "");
  options.path = folder + "file/";
  expect_error("--path: error: ");
}

TEST_F(ResultFolderTest, LaterRowsNeedEveryFile) {
  options.total_rows = 2;
  // A title and, at ten lines a run, the lines of two runs.
  const auto write = [&](const char* name) { write_file_atomically(folder + name, std::string(21, '\n')); };
  options.row = 1;
  for (const char* name : {"tutorial_result.csv", "backend_end_to_end.csv", "backend_dim_info.csv"}) {
    expect_error(folder + name + ": error: ", false);
    expect_error(folder + name + ": error: ");
    write(name);
  }
  EXPECT_NO_THROW(check_result_options(options, false));
  for (const char* name : {"EndToEnd.csv", "detailed.csv"}) {
    expect_error(folder + name + ": error: ");
    write(name);
  }
  EXPECT_NO_THROW(check_result_options(options, true));
}

TEST_F(ResultFolderTest, Row0StartsAfreshAndOthersAdd) {
  for (const char* name : {"tutorial_result.csv", "backend_end_to_end.csv", "backend_dim_info.csv"}) {
    write_file_atomically(folder + name, "old" + std::string(21, '\n'));
  }
  options.total_rows = 2;
  EXPECT_EQ(ResultFolder(options, false).open("tutorial_result.csv", 1, 3).text(), ",,\n");
  options.row = 1;
  EXPECT_EQ(ResultFolder(options, false).open("tutorial_result.csv", 1, 3).text(),
            "old" + std::string(21, '\n'));
}

TEST_F(ResultFolderTest, LaterRowsNeedTheirLines) {
  for (const char* name : {"tutorial_result.csv", "backend_end_to_end.csv", "backend_dim_info.csv"}) {
    write_file_atomically(folder + name, "made\nfor\n");
  }
  options.total_rows = 2;
  options.row = 1;
  expect_error(folder + "tutorial_result.csv: error: has 2 lines, too few for --stat-row=1", false);
}

TEST_F(ResultFolderTest, WritesBehindItsPrefix) {
  options.path = folder + "run7_";
  ResultFolder(options, true).write("a.csv", "x,y\n");
  EXPECT_EQ(read_file_of_any_kind(folder + "run7_a.csv"), "x,y\n");
}

}  // namespace
}  // namespace orrery::core::result_folder_test
