#include "report/timeline/perfetto_writer.hpp"

#include <gtest/gtest.h>

#include <string>

#include "base/files/file.hpp"
#include "support/cases.hpp"

namespace orrery::core::test::perfetto_writer_test {
namespace {

std::size_t times_in(const std::string& text, std::string_view word) {
  std::size_t count = 0;
  for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) ++count;
  return count;
}

TimelineSlice slice(const std::string& name, int start_ns) {
  TimelineSlice made;
  made.stream = Stream::compute;
  made.interval = {Time::from_ns(start_ns), Time::from_ns(start_ns + 5)};
  made.name = name;
  return made;
}

// Slices refer to names by number: a name is written when it comes for the first time.
TEST(PerfettoWriter, WritesEachNameOnce) {
  const TemporaryFolder folder;
  const std::string path = (folder.path() / "t.pftrace").string();
  FileWriter file(path);
  PerfettoWriter writer(file);
  const auto track = writer.add_track(writer.add_process("rank"), "row", 0);
  for (int i = 0; i < 4; ++i) writer.add(track, slice(i % 2 == 0 ? "first-name" : "second-name", 10 * i));
  file.finish();
  const std::string text = read_file_of_any_kind(path);
  EXPECT_EQ(times_in(text, "first-name"), 1u);
  EXPECT_EQ(times_in(text, "second-name"), 1u);
  EXPECT_EQ(times_in(text, "start_ps"), 1u);
  EXPECT_EQ(times_in(text, "compute"), 1u);  // the category
}

}  // namespace
}  // namespace orrery::core::test::perfetto_writer_test
