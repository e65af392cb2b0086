#include "report/profile/files/measured_files.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstring>
#include <filesystem>
#include <memory>
#include <string_view>

#include "base/diagnostics/diagnostics.hpp"
#include "base/files/file.hpp"
#include "base/files/paths.hpp"
#include "report/profile/files/chakra_activities.hpp"
#include "workload/chakra/files/trace_reader.hpp"

namespace orrery::core {

namespace {

namespace fs = std::filesystem;

bool may_hold_a_rank(const fs::path& file) {
  std::string name = file.filename().string();
  if (name.ends_with(".gz")) name.resize(name.size() - 3);
  return name.ends_with(".json") || name.ends_with(".et");
}

// "rank9" comes before "rank10".
bool comes_before(std::string_view a, std::string_view b) {
  const auto is_digit = [](char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; };
  while (!a.empty() && !b.empty()) {
    if (is_digit(a[0]) && is_digit(b[0])) {
      const auto number_in = [&](std::string_view& text) {
        std::size_t end = 0;
        while (end < text.size() && is_digit(text[end])) ++end;
        std::string_view number = text.substr(0, end);
        number.remove_prefix(std::min(number.find_first_not_of('0'), number.size()));
        text.remove_prefix(end);
        return number;
      };
      const std::string_view first = number_in(a), second = number_in(b);
      if (first.size() != second.size()) return first.size() < second.size();
      if (first != second) return first < second;
    } else {
      if (a[0] != b[0]) return a[0] < b[0];
      a.remove_prefix(1);
      b.remove_prefix(1);
    }
  }
  return a.size() < b.size();
}

// A source that gives some bytes before those of another one.
class BytesBefore final : public chakra::ByteSource {
 public:
  BytesBefore(std::string first, chakra::ByteSource& rest) : first_(std::move(first)), rest_(rest) {}

 private:
  std::size_t read_some(char* buffer, std::size_t size) override {
    if (given_ == first_.size()) return rest_.read(buffer, size);
    const std::size_t count = std::min(size, first_.size() - given_);
    std::memcpy(buffer, first_.data() + given_, count);
    given_ += count;
    return count;
  }

  std::string first_;
  std::size_t given_ = 0;
  chakra::ByteSource& rest_;
};

std::string first_bytes(chakra::ByteSource& source) {
  std::array<char, 4096> block;
  return {block.data(), source.read(block.data(), block.size())};
}

// Execution traces begin with the length of a record, which is below that of these characters.
bool is_json(std::string_view text) {
  if (text.starts_with("\xEF\xBB\xBF")) return true;
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  return first != std::string_view::npos && (text[first] == '{' || text[first] == '[') &&
         text.find('\0') == std::string_view::npos && text.find_first_of("\"{]") != std::string_view::npos;
}

}  // namespace

std::vector<std::string> measured_files(const std::string& file_or_folder) {
  if (!is_folder(file_or_folder)) return {file_or_folder};
  std::vector<std::string> files;
  std::error_code failure;
  fs::directory_iterator entry(file_or_folder, failure);
  for (; !failure && entry != fs::directory_iterator(); entry.increment(failure))
    if (may_hold_a_rank(entry->path()) && is_file(entry->path().string()))
      files.push_back(entry->path().string());
  if (failure) throw InputError({file_or_folder}, "cannot be read: " + failure.message());
  if (files.empty())
    throw InputError({file_or_folder}, "holds no traces of ranks; these end in .json, .json.gz or .et");
  std::ranges::sort(files, comes_before);
  return files;
}

std::vector<RankActivities> read_measured_file(const std::string& file, Warnings& warnings,
                                               const BytesListener& listener) {
  if (is_folder(file)) throw InputError({file}, "is a folder, name a file");
  chakra::FileSource source(file);
  std::string first = first_bytes(source);
  std::unique_ptr<chakra::GzipSource> unpacked;
  if (first.starts_with("\x1f\x8b")) {
    unpacked = std::make_unique<chakra::GzipSource>(source, first, file);
    first = first_bytes(*unpacked);
  }
  if (first.empty()) throw InputError({file}, "is empty; name a file that the PyTorch profiler has written");
  if (!is_json(first)) return {activities_of(chakra::read_trace_file(file, {.tensors = false}), file)};
  chakra::ByteSource& rest = unpacked ? static_cast<chakra::ByteSource&>(*unpacked) : source;
  BytesBefore whole(std::move(first), rest);
  return read_kineto(whole, file, warnings, listener);
}

}  // namespace orrery::core
