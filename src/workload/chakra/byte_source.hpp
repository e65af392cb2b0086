// Where the bytes of a trace come from, as streams for the protobuf library: memory, a file, either of them
// compressed.
#pragma once

#include <google/protobuf/io/zero_copy_stream_impl_lite.h>
#include <zlib.h>

#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>
#include <string_view>

namespace orrery::chakra {

// The library knows no reasons: a stream that fails looks like one that ends, and error() says why.
class ByteSource : public google::protobuf::io::CopyingInputStream {
 public:
  const std::string& error() const { return error_; }  // empty when all went well

 protected:
  int fail(std::string error) {
    error_ = std::move(error);
    return -1;
  }

 private:
  std::string error_;
};

class MemorySource : public ByteSource {
 public:
  explicit MemorySource(std::string_view bytes) : rest_(bytes) {}
  int Read(void* buffer, int size) override;

 private:
  std::string_view rest_;
};

class FileSource : public ByteSource {
 public:
  // Throws InputError when the file cannot be opened.
  explicit FileSource(const std::string& path);
  int Read(void* buffer, int size) override;

 private:
  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  std::unique_ptr<std::FILE, Close> file_;
};

// Decompresses gzip, also several files in a row.
class GzipSource : public ByteSource {
 public:
  explicit GzipSource(google::protobuf::io::ZeroCopyInputStream& compressed);
  ~GzipSource() override;
  GzipSource(const GzipSource&) = delete;
  GzipSource& operator=(const GzipSource&) = delete;
  int Read(void* buffer, int size) override;

 private:
  google::protobuf::io::ZeroCopyInputStream& compressed_;
  z_stream zlib_ = {};
  bool between_files_ = false;
};

}  // namespace orrery::chakra
