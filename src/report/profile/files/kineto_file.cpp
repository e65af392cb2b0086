#include "report/profile/files/kineto_file.hpp"

#include <fmt/format.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <iterator>
#include <limits>
#include <nlohmann/json.hpp>

#include <string>
#include <vector>

#include "base/diagnostics/diagnostics.hpp"
#include "base/diagnostics/printable.hpp"
#include "report/profile/files/device_activities.hpp"
#include "report/profile/files/kineto_event.hpp"
#include "workload/chakra/files/byte_source.hpp"

namespace orrery::core {

namespace {

// A JSON text that is read block by block and knows where it is.
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

// Receives the parser's events. The file is an object with a list `traceEvents`, or that list by itself.
class KinetoParser final : public nlohmann::json_sax<nlohmann::json> {
 public:
  KinetoParser(const JsonStream& stream, DeviceActivities& devices) : stream_(stream), devices_(devices) {}

  bool null() override { return true; }
  bool boolean(bool) override { return true; }
  bool binary(binary_t&) override { return true; }
  bool number_integer(number_integer_t value) override { return number({value, 0}); }
  bool number_unsigned(number_unsigned_t value) override {
    const bool fits = value <= static_cast<number_unsigned_t>(std::numeric_limits<std::int64_t>::max());
    return fits ? number({static_cast<std::int64_t>(value), 0}) : true;
  }
  bool number_float(number_float_t value, const string_t& digits) override {
    const auto exact = ExactNumber::of(value, digits);
    return exact ? number(*exact) : true;
  }
  bool string(string_t& text) override {
    if (const auto field = wanted()) event_.set(*field, text);
    return true;
  }

  bool key(string_t& key) override {
    if (depth_ == 1) {
      root_key_.swap(key);
    } else if (depth_ == 2 && root_key_ == "distributedInfo") {
      distributed_key_.swap(key);
    } else if (list_depth_ > 0 && depth_ == list_depth_ + 1) {
      field_ = value_of(event_keys, key);
      is_arguments_ = key == "args";
    } else if (is_arguments_ && depth_ == list_depth_ + 2) {
      field_ = value_of(argument_keys, key);
    }
    return true;
  }

  bool start_object(std::size_t) override {
    ++depth_;
    field_.reset();
    if (list_depth_ > 0 && depth_ == list_depth_ + 1) {
      event_.clear();
      event_.where = stream_.where();
      is_arguments_ = false;
    }
    return true;
  }
  bool end_object() override {
    --depth_;
    field_.reset();
    if (list_depth_ > 0 && depth_ == list_depth_) devices_.add(event_);
    if (list_depth_ > 0 && depth_ == list_depth_ + 1) is_arguments_ = false;
    return true;
  }
  bool start_array(std::size_t) override {
    ++depth_;
    field_.reset();
    const bool is_list = depth_ == 1 || (depth_ == 2 && root_key_ == "traceEvents" && !root_is_list_);
    if (depth_ == 1) root_is_list_ = true;
    if (is_list) {
      list_depth_ = depth_;
      has_events_ = true;
    }
    return true;
  }
  bool end_array() override {
    if (depth_ == list_depth_) list_depth_ = 0;
    --depth_;
    return true;
  }

  bool parse_error(std::size_t, const std::string&, const nlohmann::json::exception& error) override {
    // "[json.exception.parse_error.101] parse error at line 1, column 2: syntax error while ..."
    std::string what = error.what();
    if (what.find("end of input") != std::string::npos)
      throw InputError(stream_.where(),
                       "the file ends too early: the profiler was stopped while it wrote, or the file is not "
                       "whole; record the trace again");
    if (const auto start = what.find("syntax error"); start != std::string::npos) what.erase(0, start);
    if (what.starts_with('[')) what.erase(0, what.find("] ") + 2);
    constexpr std::size_t longest = 200;
    throw InputError(stream_.where(),
                     "no valid JSON: " + printable(std::string_view(what).substr(0, longest)) +
                         "; record the trace again");
  }

  bool has_events() const { return has_events_; }

 private:
  // Returns what the next value of an event is, if it is wanted.
  std::optional<EventField> wanted() const {
    const bool in_event = list_depth_ > 0 && depth_ == list_depth_ + 1;
    const bool in_arguments = is_arguments_ && depth_ == list_depth_ + 2;
    return in_event || in_arguments ? field_ : std::nullopt;
  }

  bool number(const ExactNumber& value) {
    if (const auto field = wanted()) {
      if (*field == EventField::process) {
        std::string text = std::to_string(value.whole);
        event_.set(*field, text);
      } else {
        event_.set(*field, value);
      }
    } else if (depth_ == 2 && root_key_ == "distributedInfo" && value.whole >= 0 &&
               value.whole <= std::numeric_limits<std::uint32_t>::max()) {
      if (distributed_key_ == "rank") devices_.set_rank(RankId(static_cast<std::uint32_t>(value.whole)));
      if (distributed_key_ == "world_size") devices_.set_ranks(static_cast<std::size_t>(value.whole));
    }
    return true;
  }

  const JsonStream& stream_;
  DeviceActivities& devices_;
  KinetoEvent event_;
  std::string root_key_, distributed_key_;
  std::optional<EventField> field_;  // of the next value
  std::size_t depth_ = 0;            // of objects and lists
  std::size_t list_depth_ = 0;       // of the list of events; 0: not within
  bool root_is_list_ = false, has_events_ = false, is_arguments_ = false;
};

}  // namespace

std::vector<RankActivities> read_kineto(chakra::ByteSource& bytes, const std::string& file,
                                        Warnings& warnings, const BytesListener& listener) {
  JsonStream stream(bytes, file, listener);
  DeviceActivities devices(file);
  KinetoParser parser(stream, devices);
  nlohmann::json::sax_parse(JsonStream::Iterator(&stream), JsonStream::Iterator(), &parser);
  if (!parser.has_events())
    throw InputError({file}, "has no list `traceEvents`; name a file that the PyTorch profiler has written");
  return devices.take(warnings);
}

}  // namespace orrery::core
