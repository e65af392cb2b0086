#include "support/cases.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "base/files/file.hpp"
#include "cli/application.hpp"

namespace orrery::core::test {

namespace fs = std::filesystem;

namespace {

std::vector<Flags> flags_of_text(const std::string& text) {
  std::vector<Flags> runs;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    Flags flags;
    for (std::string word; words >> word;) flags.push_back(word);
    if (!flags.empty()) runs.push_back(flags);
  }
  return runs;
}

std::string value_text(const nlohmann::json& value) {
  return value.is_string() ? value.get<std::string>() : value.dump();
}

Flags flags_of_run(nlohmann::json run) {
  if (run.contains("args")) run = run["args"];
  if (run.is_array()) return run.get<Flags>();
  Flags flags;
  for (const auto& [kind, usual] : {std::pair("network", "network.json"), std::pair("system", "system.txt"),
                                    std::pair("workload", "workload.txt")}) {
    flags.push_back(std::string("--") + kind + "-configuration=" + run.value(kind, usual));
    run.erase(kind);
  }
  if (!run.contains("path")) run["path"] = "expected/";
  for (const auto& [key, value] : run.items()) flags.push_back("--" + key + "=" + value_text(value));
  return flags;
}

}  // namespace

std::vector<Flags> flags_of_case(const fs::path& folder) {
  if (fs::exists(folder / "args.txt"))
    return flags_of_text(read_file_of_any_kind((folder / "args.txt").string()));
  const auto document = nlohmann::json::parse(read_file_of_any_kind((folder / "args.json").string()));
  std::vector<Flags> runs;
  for (const auto& run : document.at("runs")) runs.push_back(flags_of_run(run));
  return runs;
}

Outcome call_orrery(std::vector<std::string> words) {
  words.insert(words.begin(), "orrery");
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  testing::internal::CaptureStdout();
  testing::internal::CaptureStderr();
  const int code = run_application(static_cast<int>(arguments.size()), arguments.data());
  std::string output = testing::internal::GetCapturedStdout();
  return {code, testing::internal::GetCapturedStderr(), std::move(output)};
}

Outcome run_orrery(const Flags& flags) {
  std::vector<std::string> words{"run"};
  words.insert(words.end(), flags.begin(), flags.end());
  return call_orrery(std::move(words));
}

std::string without_origin(const std::string& summary_json) {
  nlohmann::json json = nlohmann::json::parse(summary_json);
  EXPECT_EQ(json.erase("origin"), 1u);
  return json.dump(2);
}

std::vector<std::string> files_below(const fs::path& folder) {
  std::vector<std::string> names;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.is_regular_file()) names.push_back(fs::relative(entry.path(), folder).string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

TemporaryFolder::TemporaryFolder() {
  std::string pattern = (fs::temp_directory_path() / "orrery-test-XXXXXX").string();
  path_ = ::mkdtemp(pattern.data());
}

TemporaryFolder::~TemporaryFolder() {
  fs::remove_all(path_);
}

}  // namespace orrery::core::test
