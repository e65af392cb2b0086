#include "study/astra2/trace_loader.hpp"

#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string_view>
#include <system_error>
#include <unordered_map>
#include <utility>

#include "base/diagnostics/diagnostics.hpp"
#include "study/run/run_pool.hpp"
#include "workload/chakra/files/byte_source.hpp"

namespace orrery::core {

namespace {

namespace fs = std::filesystem;

// A file, block by block.
class BlockReader {
 public:
  explicit BlockReader(const std::string& path) : source_(path), buffer_(new char[block_size]) {}

  // Valid until the next call; full, unless the file ends.
  std::string_view next() {
    std::size_t filled = 0;
    while (filled < block_size) {
      const std::size_t count = source_.read(buffer_.get() + filled, block_size - filled);
      if (count == 0) break;
      filled += count;
    }
    return {buffer_.get(), filled};
  }

 private:
  static constexpr std::size_t block_size = 1 << 16;

  chakra::FileSource source_;
  std::unique_ptr<char[]> buffer_;  // NOLINT(modernize-avoid-c-arrays): a vector would clear it for each file
};

std::size_t hash_of_file(const std::string& path) {
  BlockReader reader(path);
  std::size_t hash = 0;
  for (std::string_view block = reader.next(); !block.empty(); block = reader.next())
    hash = hash * 31 + std::hash<std::string_view>()(block);
  return hash;
}

// Returns for every path the first path that is likely to have the same content: its file is as large and has
// the same hash. Only files whose sizes other files have are read for that. A file that cannot be read is
// like no other.
std::vector<std::size_t> first_alike(const std::vector<std::string>& paths, int threads) {
  struct Content {
    std::uintmax_t size = 0;
    std::size_t hash = 0;
    auto operator<=>(const Content&) const = default;
  };
  std::vector<std::optional<Content>> contents(paths.size());
  std::map<std::uintmax_t, std::size_t> files_of_size;
  for (std::size_t i = 0; i < paths.size(); ++i) {
    std::error_code unknown;
    if (!fs::is_regular_file(paths[i], unknown)) continue;  // what is no file can perhaps be read only once
    const std::uintmax_t size = fs::file_size(paths[i], unknown);
    if (unknown) continue;
    contents[i] = Content{size, 0};
    ++files_of_size[size];
  }
  const auto hash = [&](std::size_t i) {
    if (!contents[i] || files_of_size[contents[i]->size] < 2) return;
    try {
      contents[i]->hash = hash_of_file(paths[i]);
    } catch (const InputError&) {
      contents[i].reset();  // reading the trace will say why
    }
  };
  run_in_order(paths.size(), threads, hash, [](std::size_t) {});
  std::vector<std::size_t> first(paths.size());
  std::map<Content, std::size_t> known;
  for (std::size_t i = 0; i < paths.size(); ++i)
    first[i] = contents[i] ? known.try_emplace(*contents[i], i).first->second : i;
  return first;
}

// Ranks of one program mostly have traces that differ in times alone; then they share their edges.
class SharedEdges {
 public:
  static std::size_t hash_of(const GraphEdges& edges) {
    return hash_of(edges.first) * 31 + hash_of(edges.ids);
  }
  void share(chakra::TraceGraph& graph, std::size_t hash) {
    const auto [begin, end] = known_.equal_range(hash);
    for (auto known = begin; known != end; ++known) {
      if (*known->second != *graph.parents) continue;
      graph.parents = known->second;
      return;
    }
    known_.emplace(hash, graph.parents);
  }

 private:
  static std::size_t hash_of(const std::vector<std::uint32_t>& numbers) {
    const auto* bytes = reinterpret_cast<const char*>(numbers.data());
    return std::hash<std::string_view>()({bytes, numbers.size() * sizeof(std::uint32_t)});
  }

  std::unordered_multimap<std::size_t, std::shared_ptr<const GraphEdges>> known_;
};

}  // namespace

bool are_equal_files(const std::string& a, const std::string& b) {
  BlockReader reader_a(a), reader_b(b);
  while (true) {
    const std::string_view block = reader_a.next();
    if (block != reader_b.next()) return false;
    if (block.empty()) return true;
  }
}

TraceReading reading_for(const TraceRules& rules) {
  return {{.tensors = rules.track_local_memory}, rules.order};
}

void load_traces(const std::vector<std::string>& paths, int threads,
                 const std::function<void(std::size_t, const SharedTraceGraph&)>& take,
                 const StepListener& told, const TraceReading& reading) {
  const bool is_one = paths.size() == 1;
  const std::vector<std::size_t> first = first_alike(paths, threads);
  std::vector<std::size_t> last(paths.size());  // that may be equal to the first
  for (std::size_t i = 0; i < paths.size(); ++i) last[first[i]] = i;
  std::vector<std::shared_ptr<chakra::TraceGraph>> graphs(paths.size());
  std::vector<std::size_t> hashes(paths.size());
  SharedEdges edges;
  const auto load = [&](std::size_t i) {
    const std::string& path = paths[i];
    if (first[i] != i && are_equal_files(paths[first[i]], path)) return;
    graphs[i] = std::make_shared<chakra::TraceGraph>(chakra::make_graph(
        chakra::read_trace_file(path, reading.parts, is_one ? told : StepListener()), path, reading.order));
    hashes[i] = SharedEdges::hash_of(*graphs[i]->parents);
  };
  run_in_order(paths.size(), threads, load, [&](std::size_t i) {
    if (graphs[i])
      edges.share(*graphs[i], hashes[i]);
    else
      graphs[i] = graphs[first[i]];
    take(i, graphs[i]);
    if (told && !is_one) told(i + 1, paths.size(), "traces read");
    if (first[i] != i) graphs[i].reset();
    if (last[first[i]] == i) graphs[first[i]].reset();
  });
}

}  // namespace orrery::core
