#include "base/files/file.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <chrono>
#include <filesystem>
#include <fstream>

#include "base/diagnostics/diagnostics.hpp"
#include "base/files/file_writer.hpp"

namespace orrery::core::file_test {
namespace {

namespace fs = std::filesystem;

class File : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::path(testing::TempDir()) /
              (std::string("orrery_file_") + testing::UnitTest::GetInstance()->current_test_info()->name());
    fs::remove_all(folder_);
    fs::create_directory(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  std::string in_folder(const std::string& name) const { return (folder_ / name).string(); }
  long entries() const { return std::distance(fs::directory_iterator(folder_), fs::directory_iterator()); }

  fs::path folder_;
};

template <class Action>
std::string error_of(Action action) {
  try {
    action();
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

TEST_F(File, GivesBackWhatWasWritten) {
  std::string content(200'000, 'x');
  content += std::string("\r\n\0end", 6);
  write_file_atomically(in_folder("a"), content);
  EXPECT_EQ(read_file_of_any_kind(in_folder("a")), content);
  EXPECT_EQ(entries(), 1);
}

TEST_F(File, ReplacesAnOlderFile) {
  write_file_atomically(in_folder("a"), "a longer old text");
  write_file_atomically(in_folder("a"), "");
  EXPECT_EQ(read_file_of_any_kind(in_folder("a")), "");
  EXPECT_EQ(entries(), 1);
}

TEST_F(File, TouchesAFileThatHoldsTheSameAlready) {
  const std::string path = in_folder("a");
  write_file_atomically(path, "text");
  struct stat before {
  }, after{};
  ASSERT_EQ(stat(path.c_str(), &before), 0);
  fs::last_write_time(path, fs::file_time_type::clock::now() - std::chrono::hours(1));
  write_file_atomically(path, "text");
  ASSERT_EQ(stat(path.c_str(), &after), 0);
  EXPECT_EQ(after.st_ino, before.st_ino);
  EXPECT_LT(fs::file_time_type::clock::now() - fs::last_write_time(path), std::chrono::minutes(1));
  write_file_atomically(path, "test");
  EXPECT_EQ(read_file_of_any_kind(path), "test");
}

TEST_F(File, NamesAMissingFileAndTheCause) {
  const std::string path = in_folder("none");
  EXPECT_EQ(error_of([&] { read_file_of_any_kind(path); }),
            path + ": error: cannot open file: No such file or directory, check the path");
}

TEST_F(File, DoesNotReadFolders) {
  EXPECT_EQ(error_of([&] { read_file_of_any_kind(folder_.string()); }),
            folder_.string() + ": error: cannot open file: Is a directory, check the path");
}

TEST_F(File, RefusesMoreThanAGibibyte) {
  const std::string path = in_folder("huge");
  std::ofstream(path).put('x');
  fs::resize_file(path, (std::uintmax_t{1} << 30) + 1);  // sparse
  EXPECT_EQ(error_of([&] { read_file_of_any_kind(path); }),
            path + ": error: the file is larger than 1 GiB, check the path");
}

TEST_F(File, NamesAMissingFolder) {
  const std::string path = in_folder("none/a");
  EXPECT_EQ(
      error_of([&] { write_file_atomically(path, "x"); }),
      path +
          ": error: cannot write file: No such file or directory, check that the folder exists and may be "
          "written to");
}

TEST_F(File, DoesNotReplaceAFolderAndLeavesNothing) {
  fs::create_directory(folder_ / "sub");
  const std::string path = in_folder("sub");
  EXPECT_NE(error_of([&] {
              write_file_atomically(path, "x");
            }).find(path + ": error: cannot write file: something"),
            std::string::npos);
  EXPECT_EQ(entries(), 1);
}

TEST_F(File, WritesToADevice) {
  EXPECT_FALSE(has_replaceable_file("/dev/null"));
  EXPECT_NO_THROW(write_file_atomically("/dev/null", "x"));
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
  EXPECT_EQ(entries(), 0);
}

TEST_F(File, DoesNotReplaceAPipe) {
  const std::string path = in_folder("pipe");
  ASSERT_EQ(mkfifo(path.c_str(), 0600), 0);
  EXPECT_NE(error_of([&] { write_file_atomically(path, "x"); }).find("cannot write file: something"),
            std::string::npos);
  EXPECT_TRUE(fs::is_fifo(path));
}

}  // namespace
}  // namespace orrery::core::file_test
