#include "cli/application.hpp"

#include <gtest/gtest.h>

#include <iostream>
#include <sstream>
#include <streambuf>
#include <string>
#include <vector>

#include "orrery/program.hpp"

namespace orrery::core::application_test {

namespace {

// Behaves like a file on a full disk: it takes a little into a buffer and then nothing.
class FullDisk : public std::streambuf {
 public:
  FullDisk() { setp(buffer_, buffer_ + sizeof buffer_); }

 private:
  int_type overflow(int_type) override { return traits_type::eof(); }
  int sync() override { return -1; }

  char buffer_[16];
};

struct Ending {
  int code;
  std::string error;
};

Ending call_with_full_disk(std::vector<std::string> words) {
  words.insert(words.begin(), "orrery");
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  FullDisk disk;
  std::ostringstream error;
  std::streambuf* const output_before = std::cout.rdbuf(&disk);
  std::streambuf* const error_before = std::cerr.rdbuf(error.rdbuf());
  const int code = run_application(static_cast<int>(arguments.size()), arguments.data());
  std::cerr.rdbuf(error_before);
  std::cout.rdbuf(output_before);
  std::cout.clear();
  return {code, error.str()};
}

TEST(Application, OutputThatCannotBeWrittenIsAnError) {
  for (const std::vector<std::string>& words :
       std::vector<std::vector<std::string>>{{"--version"},
                                             {"--help"},
                                             {"run", "--help"},
                                             {"list", "devices"},
                                             {"list", "platforms", "--json"},
                                             {"compute", "systolic", "--mnk", "128,128,128"}}) {
    const Ending ending = call_with_full_disk(words);
    EXPECT_EQ(ending.code, 2) << words[0];
    EXPECT_NE(ending.error.find("error: cannot write to standard output"), std::string::npos) << words[0];
  }
}

// As a function of the library, it is what packages bring with them.
TEST(Application, IsAFunctionOfTheLibrary) {
  const auto code_of = [](std::vector<std::string> words) {
    std::vector<char*> arguments;
    for (std::string& word : words) arguments.push_back(word.data());
    return orrery::run_program(static_cast<int>(arguments.size()), arguments.data());
  };
  testing::internal::CaptureStdout();
  EXPECT_EQ(code_of({"orrery", "list"}), 0);
  EXPECT_NE(testing::internal::GetCapturedStdout().find("orrery list devices"), std::string::npos);
  testing::internal::CaptureStderr();
  EXPECT_EQ(code_of({"orrery", "lsit"}), 2);
  EXPECT_NE(testing::internal::GetCapturedStderr().find("error: "), std::string::npos);
}

}  // namespace
}  // namespace orrery::core::application_test
