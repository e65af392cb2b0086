#include "base/files/input_log.hpp"

#include <gtest/gtest.h>

#include <array>
#include <filesystem>
#include <thread>

#include "base/encoding/sha256.hpp"
#include "base/files/file.hpp"
#include "base/files/file_loader.hpp"
#include "support/cases.hpp"

namespace orrery::core::input_log_test {
namespace {

class InputLogs : public testing::Test {
 protected:
  // Returns the path of a new file.
  std::string file(const std::string& name, const std::string& content) const {
    const std::string path = (folder_.path() / name).string();
    write_file_atomically(path, content);
    return path;
  }

 private:
  test::TemporaryFolder folder_;
};

TEST_F(InputLogs, HoldEachFileOnceInTheOrderOfReading) {
  const std::string b = file("b", "two"), a = file("a", "one"), c = file("c", "three");
  const InputLog log;
  EXPECT_EQ(log.read(b), "two");
  EXPECT_EQ(log.read(a), "one");
  EXPECT_EQ(log.read(b), "two");
  log.note(c);
  log.note(a);
  EXPECT_EQ(log.paths(), (std::vector{b, a, c}));
  const std::vector<InputFile> files = log.files();
  EXPECT_EQ(files[1].sha256, sha256("one"));
  EXPECT_EQ(files[2].sha256, sha256("three"));
}

TEST_F(InputLogs, ReadTextsWithoutByteOrderMarksAndHashTheFiles) {
  const std::string content = "\xEF\xBB\xBFtwo\xEF\xBB\xBF";
  const std::string path = file("a", content);
  const InputLog log;
  EXPECT_EQ(log.read(path), "two\xEF\xBB\xBF");
  EXPECT_EQ(log.files().front().sha256, sha256(content));
}

TEST_F(InputLogs, OfPathsHashNothing) {
  const InputLog log(InputLog::Holds::paths);
  log.note("there/is/no/such.file");
  EXPECT_EQ(log.files().front().sha256, "");
}

TEST_F(InputLogs, HashFilesOfAnySize) {
  const std::string path = file("large", std::string(300'000, 'x'));
  std::filesystem::resize_file(path, (std::uintmax_t{1} << 26) + 1);  // sparse
  const InputLog log;
  log.note(path);
  EXPECT_EQ(log.files().front().sha256, sha256(log.read(path)));
}

TEST_F(InputLogs, AreFilledByTheirLoadersAlone) {
  const std::string a = file("a", "one"), b = file("b", "two");
  const InputLog one, other;
  const FileLoader load_one = one, load_other = other;
  const FileLoader copy = load_one;
  EXPECT_EQ(copy(a), "one");
  EXPECT_EQ(load_other(b), "two");
  copy.note(b);
  EXPECT_EQ(one.paths(), (std::vector{a, b}));
  EXPECT_EQ(other.paths(), std::vector{b});
}

TEST_F(InputLogs, MayBeFilledByThreads) {
  constexpr std::size_t threads = 4, files = 25;
  const InputLog log;
  std::array<std::vector<std::string>, threads> paths;
  for (std::size_t i = 0; i < threads; ++i)
    for (std::size_t k = 0; k < files; ++k)
      paths[i].push_back(file(std::to_string(i) + "-" + std::to_string(k), "text"));
  {
    std::vector<std::jthread> readers;
    for (const std::vector<std::string>& own : paths)
      readers.emplace_back([&own, load = FileLoader(log)] {
        for (const std::string& path : own) load(path);
      });
  }
  EXPECT_EQ(log.files().size(), threads * files);
}

TEST_F(InputLogs, OfNoFilesRefuseAll) {
  EXPECT_THROW(no_files()(file("a", "one")), InputError);
}

}  // namespace
}  // namespace orrery::core::input_log_test
