#include "base/file.hpp"

#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>

namespace orrery {
namespace {

struct CloseFile {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, CloseFile>;

[[noreturn]] void fail(const std::string& path, const std::string& what, int error, const char* what_to_do) {
  throw InputError({path}, what + ": " + std::strerror(error) + ", " + what_to_do);
}

[[noreturn]] void fail_to_write(const std::string& path, int error) {
  fail(path, "cannot write file", error, "check that the folder exists and may be written to");
}

// Exclusive creation, so that nobody else can be writing the same temporary file.
File create_beside(const std::string& path, std::string& name) {
  for (int attempt = 0; attempt < 10; ++attempt) {
    const auto now = std::chrono::steady_clock::now().time_since_epoch();
    name = path + "." + std::to_string(now.count()) + ".tmp";
    if (File file{std::fopen(name.c_str(), "wbx")}) return file;
    if (errno != EEXIST) break;
  }
  fail_to_write(path, errno);
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

std::string read_text_file(const std::string& path) {
  constexpr std::size_t limit = std::size_t{1} << 30;
  constexpr std::size_t step = std::size_t{1} << 16;
  const File file{std::fopen(path.c_str(), "rb")};
  if (!file) fail(path, "cannot open file", errno, "check the path");
  // Pipes have no size, so the reading is limited as well.
  std::error_code no_size;
  const bool too_large = std::filesystem::file_size(path, no_size) > limit && !no_size;
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

void write_file_atomically(const std::string& path, std::string_view content) {
  std::error_code error;
  const std::filesystem::file_status status = std::filesystem::status(path, error);
  if (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status))
    throw InputError({path}, "cannot write file: something that is no file has this name, choose another");
  // A new file costs far more than a look at the old one, and results are often computed again.
  if (std::filesystem::exists(status) && holds(path, content)) {
    std::filesystem::last_write_time(path, std::filesystem::file_time_type::clock::now(), error);
    if (!error) return;
  }

  std::string name;
  File file = create_beside(path, name);
  const bool written = std::fwrite(content.data(), 1, content.size(), file.get()) == content.size();
  // fclose() can be the first to notice a full disk.
  const bool closed = std::fclose(file.release()) == 0;
  if (written && closed && std::rename(name.c_str(), path.c_str()) == 0) return;
  const int cause = errno;
  std::remove(name.c_str());
  fail_to_write(path, cause);
}

}  // namespace orrery
