// One file with the runs of a study. docs/outputs/store.md documents its tables.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "base/database/database.hpp"
#include "study/space/sweep_space.hpp"
#include "study/store/process_slots.hpp"
#include "study/store/run_columns.hpp"
#include "study/store/run_key.hpp"

namespace orrery::core {

// What a store says of the study that it holds.
struct StudyFacts {
  std::string name;
  std::string origin;      // JSON, as in summary.json
  std::string objectives;  // JSON: a list of { column, goal }
  std::string sweep;       // a hash of the sweep, by which another one is told from it
};

// A run of the sweep.
struct PlacedPoint {
  SweepPoint point;
  std::size_t number = 0;  // its place among the runs of the sweep, from 0
  std::string name;
  std::string key;  // RunKeys::key_of() the point
};

// A run that has ended.
struct EndedPoint {
  PlacedPoint placed;
  std::vector<PlainValue> results;  // result_values() of the run
  std::string place;                // of the error of a run that failed
  std::string warnings;             // lines
  std::string inputs;               // StudyInputs::listed()
  std::string page;                 // path of its own page, relative to the store; empty where there is none
  double seconds = 0;
  bool failed = false;               // as the results say, too
  std::string host, ended, version;  // where, when (in UTC) and by which Orrery it was simulated

  // Sets these three to what they are here and now.
  void sign();
};

// Which runs that are in a store count as done.
struct ReuseRules {
  bool any_version = false;  // also runs of other versions of Orrery
  bool failed = true;        // also runs that failed
};

// Numbers of runs, `end` excluded.
struct RunRange {
  std::size_t begin = 0, end = 0;
};

// Several threads and several processes of one machine may use a store.
class RunStore {
 public:
  // The version of the schema that this program reads and writes.
  static constexpr int schema_version = 1;
  // The application ID of stores in the header of the file, "ORRY".
  static constexpr int application_id = 0x4f525259;

  // How processes share the file.
  enum class Sharing : std::uint8_t {
    by_file_system,  // alone on a network file system, else with others
    alone,
  };

  // Opens a store, which it makes unless it is there. `folder` is that of the experiment. Throws InputError,
  // also where another process has a store open alone, and where one sweeps something else into it.
  RunStore(const std::string& path, const StudyFacts& facts, const SweepSpace& space,
           const std::string& folder, Sharing sharing = Sharing::by_file_system);
  ~RunStore();
  RunStore(const RunStore&) = delete;
  RunStore& operator=(const RunStore&) = delete;

  // Adds runs, and returns when a crash of this program cannot take them away any more. Throws InputError
  // where the disk is full; then none of them is added.
  void add(const std::vector<EndedPoint>& runs);

  // Claims the next numbers below `runs`, at most `most` of them, that no living process has claimed, and
  // returns nothing when there are none. A claim lasts as long as the process, or until release(). Those that
  // are done keep others from looking at these runs once more.
  std::optional<RunRange> claim(std::size_t runs, std::size_t most);
  void set_claims_done();
  void release();
  // Returns whether other processes that live have claims that are not done.
  bool others_are_at_work();

  // Returns those of the points that are not in the store, or depend on something that has changed. Rows of
  // the others have the points' numbers, names and values of keys from now on.
  std::vector<PlacedPoint> missing(std::vector<PlacedPoint> points, const ReuseRules& rules);

  const std::string& path() const { return path_; }
  StudyInputs& inputs() { return inputs_; }

 private:
  void make_tables();
  void add_columns(const std::vector<StoreColumn>& columns);
  void begin_study(const StudyFacts& facts);
  void drop_claims_of_the_dead();
  bool has(const PlacedPoint& point, const ReuseRules& rules);
  std::int64_t number_of_inputs(const std::string& listed);
  const std::string& files_of_inputs(std::int64_t number);

  const std::string path_;
  const std::vector<StoreColumn> results_, keys_;
  std::mutex mutex_;  // of the database
  Database database_;
  ProcessSlots slots_;
  StudyInputs inputs_;
  std::optional<Statement> insert_, find_, renumber_;
  std::map<std::string, std::int64_t> input_numbers_;
  std::map<std::int64_t, std::string> known_inputs_;
};

// Makes the folder in which a store is to lie. Throws InputError.
void make_folder_of_store(const std::string& store);

// Returns the version that runs of this program carry: with the commit, where that is known.
std::string version_of_runs();

// Returns whether a file lies where several machines may see it, so that memory cannot be shared by those
// who use it.
bool is_on_network_file_system(const std::string& path);

}  // namespace orrery::core
