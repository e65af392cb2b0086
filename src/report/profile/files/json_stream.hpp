// A JSON text that is read block by block and knows where it is.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <iterator>
#include <string>
#include <vector>

#include "base/diagnostics/diagnostics.hpp"
#include "workload/chakra/files/byte_source.hpp"

namespace orrery {

class JsonStream {
 public:
  // Keeps references. The listener may be empty.
  JsonStream(chakra::ByteSource& bytes, const std::string& file,
             const std::function<void(std::uint64_t)>& listener)
      : bytes_(bytes), file_(file), listener_(listener), block_(std::size_t{1} << 18) {}

  bool at_end() { return place_ == end_ && !refill(); }
  const char& current() const { return block_[place_]; }
  void advance() {
    ++column_;
    if (block_[place_++] != '\n') return;
    ++line_;
    column_ = 0;
  }
  // Returns the place of the character that was read last.
  SourceLocation where() const { return {file_, line_, column_}; }

  // An iterator for nlohmann's parser. One without a stream is the end.
  class Iterator {
   public:
    using iterator_category = std::input_iterator_tag;
    using value_type = char;
    using difference_type = std::ptrdiff_t;
    using pointer = const char*;
    using reference = const char&;

    explicit Iterator(JsonStream* stream = nullptr) : stream_(stream) {}
    reference operator*() const { return stream_->current(); }
    Iterator& operator++() {
      stream_->advance();
      return *this;
    }
    bool operator==(const Iterator& other) const { return at_end() == other.at_end(); }

   private:
    bool at_end() const { return stream_ == nullptr || stream_->at_end(); }

    JsonStream* stream_;
  };

 private:
  [[nodiscard]] bool refill() {
    end_ = bytes_.read(block_.data(), block_.size());
    place_ = 0;
    // The parser would take a zero for the end of the text.
    if (end_ > 0 && std::memchr(block_.data(), 0, end_) != nullptr)
      throw InputError({file_, line_, column_},
                       "no valid JSON: a zero byte comes after this; copy the file again");
    if (listener_) listener_(bytes_.bytes_read());
    return end_ > 0;
  }

  chakra::ByteSource& bytes_;
  const std::string& file_;
  const std::function<void(std::uint64_t)>& listener_;
  std::vector<char> block_;
  std::size_t place_ = 0, end_ = 0;
  int line_ = 1, column_ = 0;
};

}  // namespace orrery
