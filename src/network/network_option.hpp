// An option of the network is what a network may have besides links and those who carry messages: something
// that messages pass, or that is on the links, too. It is a value of a kind, and the kind says everything
// about it that others have to know, so that none of them names it.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/files/file_loader.hpp"
#include "base/input/keys.hpp"
#include "network/network_model.hpp"
#include "network/symmetry.hpp"

namespace orrery::core {

struct NetworkOptionKind;

// At most one of each kind is set.
class NetworkOption {
 public:
  virtual ~NetworkOption() = default;

  virtual const NetworkOptionKind& kind() const = 0;
  // Returns a transport that does what the option does, and leaves the rest to `carrier`. With `one_for_all`,
  // NPU 0 sends on behalf of all.
  virtual std::unique_ptr<Transport> around(std::unique_ptr<Transport> carrier, const Topology& topology,
                                            EventLoop& loop, bool one_for_all) const = 0;
};
using SharedOption = std::shared_ptr<const NetworkOption>;

// Describes the run or the flows that an option is used with.
struct OptionUse {
  const Topology& topology;
  NetworkModel model;
  bool library = false;      // closed forms of a library carry out collectives
  bool by_flags = false;     // the user writes flags, and no experiment
  bool at_switches = false;  // messages of collectives begin and end at switches, too
};

// Finds the files that an option names.
struct OptionFiles {
  std::filesystem::path folder;  // paths are relative to it
  const FileLoader& load;
};

// A file that holds an option and nothing else: a map of keys.
struct OptionFile {
  std::string_view name = {};      // as in "this is a host stack"; empty: there are no such files
  std::string_view taken_by = {};  // who takes it
  std::vector<KeyPath> (*keys)() = nullptr;
  void (*check)(std::string_view text, const std::string& file) = nullptr;  // throws InputError
};

struct NetworkOptionKind {
  KeyFacts key;  // of an experiment; flags have its name, too
  // Reads what stands at the key, or what a flag says.
  SharedOption (*read)(const InputNode& node, const OptionFiles& files) = nullptr;
  // Returns why the option at `where` would change nothing, if that is so. Null: it always changes something.
  InputFault (*fault)(const OptionUse& use, const SourceLocation& where) = nullptr;
  // Returns the option as it is in this use, which may be the same. Throws InputError where it does not fit.
  // Null: it is the same everywhere.
  SharedOption (*fit)(const SharedOption& option, const OptionUse& use,
                      const SourceLocation& where) = nullptr;
  Symmetry symmetry = Symmetry::unclassified;
  std::string_view why_not_folded = {};  // the reason, in words, as `--explain` gives it
  // Returns the map of all keys for what stands at the key, so that their values can be varied. Null: nobody
  // varies them.
  InputNode (*written_out)(const InputNode& node, const OptionFiles& files) = nullptr;
  // These say what the flag of `orrery flows` means, and that of `orrery run` for execution traces. An empty
  // text says that the option has no such flag.
  std::string_view flag_of_flows = {}, flag_of_traces = {};
  OptionFile file = {};
  // Returns the names of those that come with the program, which users may write in place of a file. Null:
  // none do.
  std::vector<std::string_view> (*names)() = nullptr;
};

// Call these functions of a kind where it has them.
[[nodiscard]] inline InputFault fault_of(const NetworkOptionKind& kind, const OptionUse& use,
                                         const SourceLocation& where) {
  return kind.fault ? kind.fault(use, where) : std::nullopt;
}
inline SharedOption fitting(const SharedOption& option, const OptionUse& use, const SourceLocation& where) {
  return option->kind().fit ? option->kind().fit(option, use, where) : option;
}

}  // namespace orrery::core
