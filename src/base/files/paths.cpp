#include "base/files/paths.hpp"

#include <filesystem>

#include "base/diagnostics/diagnostics.hpp"

namespace orrery::core {

namespace {

std::filesystem::file_type type_of(const std::string& path) {
  std::error_code failure;
  const std::filesystem::file_type type = std::filesystem::status(path, failure).type();
  if (failure && type != std::filesystem::file_type::not_found)
    throw InputError({path}, "cannot open file: " + failure.message() + ", check the path");
  return type;
}

}  // namespace

bool is_there(const std::string& path) {
  return type_of(path) != std::filesystem::file_type::not_found;
}

bool is_file(const std::string& path) {
  return type_of(path) == std::filesystem::file_type::regular;
}

bool is_folder(const std::string& path) {
  return type_of(path) == std::filesystem::file_type::directory;
}

std::string name_of_folder(const std::string& path) {
  std::error_code failure;
  const std::filesystem::path whole = std::filesystem::weakly_canonical(path, failure);
  return (failure ? std::filesystem::path(path) : whole).filename().string();
}

}  // namespace orrery::core
