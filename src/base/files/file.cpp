#include "base/files/file.hpp"

#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>
#include <vector>

#include "base/files/file_writer.hpp"

namespace orrery::core {
namespace {

struct CloseFile {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, CloseFile>;

[[noreturn]] void fail(const std::string& path, const std::string& what, int error, const char* what_to_do) {
  throw InputError({path}, what + ": " + std::strerror(error) + ", " + what_to_do);
}

bool holds(const std::string& path, std::string_view content) {
  std::error_code error;
  if (std::filesystem::file_size(path, error) != content.size() || error) return false;
  const File file{std::fopen(path.c_str(), "rb")};
  std::string text(content.size(), '\0');
  return file && std::fread(text.data(), 1, text.size(), file.get()) == text.size() && text == content;
}

}  // namespace

bool file_exists(const std::string& path) {
  std::error_code unknown;
  return std::filesystem::exists(path, unknown);
}

std::string folder_of(const std::string& prefix) {
  const auto slash = prefix.rfind('/');
  return slash == std::string::npos ? "." : prefix.substr(0, slash + 1);
}

void require_folder_of(const std::string& prefix, const SourceLocation& where) {
  std::error_code unknown;
  if (!std::filesystem::is_directory(folder_of(prefix), unknown))
    throw InputError(where, "the folder '" + folder_of(prefix) + "' does not exist, create it");
}

std::string read_file_of_any_kind(const std::string& path) {
  constexpr std::size_t limit = std::size_t{1} << 30;
  const File file{std::fopen(path.c_str(), "rb")};
  if (!file) fail(path, "cannot open file", errno, "check the path");
  // Pipes have no size, so the reading is limited as well.
  std::error_code no_size;
  const std::uintmax_t size = std::filesystem::file_size(path, no_size);
  const bool too_large = size > limit && !no_size;
  // A file is read in one piece of one byte more, which shows its end.
  const std::size_t step = no_size || too_large || size == 0 ? std::size_t{1} << 16 : size + 1;
  std::string text;
  for (std::size_t read = step; read == step && !too_large && text.size() <= limit;) {
    const std::size_t start = text.size();
    text.resize(start + step);
    read = std::fread(text.data() + start, 1, step, file.get());
    text.resize(start + read);
  }
  if (too_large || text.size() > limit)
    throw InputError({path}, "the file is larger than 1 GiB, check the path");
  if (std::ferror(file.get())) fail(path, "cannot open file", errno, "check the path");
  return text;
}

void read_in_pieces(const std::string& path, const std::function<void(std::string_view piece)>& take) {
  const File file{std::fopen(path.c_str(), "rb")};
  if (!file) fail(path, "cannot open file", errno, "check the path");
  std::vector<char> piece(std::size_t{1} << 16);
  while (const std::size_t read = std::fread(piece.data(), 1, piece.size(), file.get()))
    take({piece.data(), read});
  if (std::ferror(file.get())) fail(path, "cannot open file", errno, "check the path");
}

void write_file_atomically(const std::string& path, std::string_view content) {
  // A new file costs far more than a look at the old one, and results are often computed again.
  if (has_replaceable_file(path) && holds(path, content)) {
    std::error_code error;
    std::filesystem::last_write_time(path, std::filesystem::file_time_type::clock::now(), error);
    if (!error) return;
  }
  FileWriter file(path);
  file.append(content);
  file.finish();
}

}  // namespace orrery::core
