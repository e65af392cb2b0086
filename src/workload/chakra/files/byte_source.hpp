// Sources of the bytes of a trace: memory or a file, either of which may be compressed.
#pragma once

#include <zlib.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace orrery::core::chakra {

class ByteSource {
 public:
  ByteSource() = default;
  virtual ~ByteSource() = default;
  ByteSource(const ByteSource&) = delete;
  ByteSource& operator=(const ByteSource&) = delete;

  // Writes the next bytes to `buffer`, at least one and at most `size`, and returns how many. Returns 0 at
  // the end. Throws InputError when the bytes cannot be read.
  std::size_t read(char* buffer, std::size_t size) {
    const std::size_t count = read_some(buffer, size);
    bytes_read_ += count;
    return count;
  }
  std::uint64_t bytes_read() const { return bytes_read_; }

 private:
  virtual std::size_t read_some(char* buffer, std::size_t size) = 0;

  std::uint64_t bytes_read_ = 0;
};

class MemorySource final : public ByteSource {
 public:
  explicit MemorySource(std::string_view bytes) : rest_(bytes) {}

 private:
  std::size_t read_some(char* buffer, std::size_t size) override;

  std::string_view rest_;
};

class FileSource final : public ByteSource {
 public:
  // A listener that is told how many bytes have been read.
  using Told = std::function<void(std::uint64_t)>;

  // Throws InputError when the file cannot be opened.
  explicit FileSource(const std::string& path, Told told = {});

 private:
  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  std::size_t read_some(char* buffer, std::size_t size) override;

  std::string path_;
  Told told_;
  std::unique_ptr<std::FILE, Close> file_;
};

// Returns the first bytes of a file, as many as there are up to `most`. Throws what FileSource throws.
std::string beginning_of_file(const std::string& path, std::size_t most);

// Decompresses gzip, also several gzip files in a row.
class GzipSource final : public ByteSource {
 public:
  // Reads `first` and then what is left of `compressed`; `file` names it in errors.
  GzipSource(ByteSource& compressed, std::string_view first, std::string file);
  ~GzipSource() override;

 private:
  std::size_t read_some(char* buffer, std::size_t size) override;

  ByteSource& compressed_;
  std::string file_;
  std::vector<char> input_;
  z_stream zlib_ = {};
  bool between_files_ = false;
  // Zlib may hold more of what it has taken in, because there was no room for it.
  bool may_hold_more_ = false;
  // Thrown after everything that could be decompressed, however much is asked for at once.
  std::string error_;
};

}  // namespace orrery::core::chakra
