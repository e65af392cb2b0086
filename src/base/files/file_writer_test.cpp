#include "base/files/file_writer.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <string>

#include "base/diagnostics/diagnostics.hpp"
#include "base/files/file.hpp"

namespace orrery::core::file_writer_test {

namespace {

namespace fs = std::filesystem;

class FileWriterTest : public testing::Test {
 protected:
  void SetUp() override { fs::create_directory(folder_); }
  void TearDown() override { fs::remove_all(folder_); }

  std::string in_folder(const std::string& name) const { return (folder_ / name).string(); }

  fs::path folder_ = fs::path(testing::TempDir()) / ("orrery_file_writer_" + std::to_string(::getpid()));
};

TEST_F(FileWriterTest, PutsPiecesTogether) {
  std::string all;
  {
    FileWriter file(in_folder("a"));
    for (int i = 0; i < 30'000; ++i) {
      const std::string piece = std::to_string(i) + "\n";
      file.append(piece);
      all += piece;
    }
    EXPECT_FALSE(fs::exists(in_folder("a"))) << "nobody may read a part";
    file.finish();
  }
  EXPECT_EQ(read_file_of_any_kind(in_folder("a")), all);
}

TEST_F(FileWriterTest, WithoutFinishTheOldFileStays) {
  write_file_atomically(in_folder("a"), "old");
  FileWriter(in_folder("a")).append("new");
  EXPECT_EQ(read_file_of_any_kind(in_folder("a")), "old");
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_), fs::directory_iterator()), 1);
}

TEST_F(FileWriterTest, AKilledProcessLeavesNothingThatIsNotKnownAsTemporary) {
  const pid_t child = ::fork();
  if (child == 0) {
    FileWriter file(in_folder("a"));
    file.append(std::string(200'000, 'x'));
    std::raise(SIGKILL);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFSIGNALED(status));
  for (const auto& entry : fs::directory_iterator(folder_))
    EXPECT_TRUE(is_temporary_name(entry.path().filename().string())) << entry.path();
}

TEST_F(FileWriterTest, ADeviceIsWrittenToAndNotReplaced) {
  if (!fs::exists("/dev/full")) GTEST_SKIP();
  fs::create_symlink("/dev/full", in_folder("full"));
  FileWriter file(in_folder("full"));
  file.append("x");
  EXPECT_THROW(file.finish(), InputError);  // as that device is always full
  EXPECT_TRUE(fs::is_character_file(in_folder("full")));
  EXPECT_THROW(FileWriter(in_folder("none/a")), InputError);
}

TEST(TemporaryName, IsOursAlone) {
  EXPECT_TRUE(is_temporary_name(".orrery-1234567890.tmp"));
  for (const char* name : {".orrery-.tmp", ".orrery-12a.tmp", "orrery-12.tmp", ".orrery-12.tmp2", ".tmp",
                           "x.tmp", ".orrery-12.csv"})
    EXPECT_FALSE(is_temporary_name(name)) << name;
}

}  // namespace

}  // namespace orrery::core::file_writer_test
