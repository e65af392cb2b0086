// Cuts a trace file into its records.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "workload/chakra/byte_source.hpp"

namespace orrery::chakra {

// A record: its length as a varint, then as many bytes. What is compressed with gzip is decompressed on the
// way. Holds a block of the file and the present record, no more; errors are InputErrors that name `file` and
// a byte.
class RecordReader {
 public:
  // `size` is how large `source` is, 0 when that is not known.
  RecordReader(std::unique_ptr<ByteSource> source, std::uint64_t size, std::string file);

  // The next record, which is valid until the next call; false at the end.
  bool next(std::string_view& record);

  double progress() const;  // the part of `source` that was read; 0 when not known
  [[noreturn]] void fail(const char* at, const std::string& what) const;  // `at` within the present record

 private:
  [[noreturn]] void fail_at(std::int64_t byte, const std::string& what) const;
  void check_sources() const;

  std::string file_;
  std::uint64_t size_;
  std::unique_ptr<ByteSource> source_;
  google::protobuf::io::CopyingInputStreamAdaptor raw_;
  std::unique_ptr<GzipSource> gzip_;
  std::optional<google::protobuf::io::CopyingInputStreamAdaptor> decompressed_;
  google::protobuf::io::ZeroCopyInputStream* stream_ = &raw_;

  bool may_be_json_ = false;  // begins like it
  std::int64_t number_ = 0;
  std::int64_t offset_ = 0;  // where the present record's content begins
  std::string_view record_;
  std::string copy_;  // of a record that no block holds as a whole
};

}  // namespace orrery::chakra
