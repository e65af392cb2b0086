// Writes what the public classes of results hold into files.
#include <array>
#include <cstdlib>
#include <filesystem>
#include <string>

#include "api/problems.hpp"
#include "api/run_state.hpp"
#include "base/diagnostics/words.hpp"
#include "base/files/file.hpp"
#include "report/stored/result_page.hpp"
#include "report/stored/stored_results.hpp"
#include "study/results/experiment_folder.hpp"
#include "study/run/exporters.hpp"

namespace orrery {

namespace {

namespace fs = std::filesystem;

// A folder for files that are on their way to somewhere else. It is removed at the end.
class ScratchFolder {
 public:
  ScratchFolder() {
    std::string name = (fs::temp_directory_path() / "orrery-XXXXXX").string();
    if (!::mkdtemp(name.data())) throw core::InputError({name}, "no temporary folder can be made here");
    path_ = name;
  }
  ~ScratchFolder() {
    std::error_code none;
    fs::remove_all(path_, none);
  }
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;

  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

// Returns the folder that has the results then.
fs::path save_to(const Runs::State& runs, const std::string& output) {
  if (runs.loaded) return runs.loaded->write(output);
  core::ExperimentFolder folder(output, *runs.experiment);
  for (const auto& run : runs.states) {
    core::Warnings unheard;
    if (run->ended.result)
      folder.write_reports({run->spec(), *run->ended.result, run->ended.summary, {}, unheard});
    folder.take(run->ended);
  }
  folder.finish();
  return folder.path();
}

const core::TimelineFormat& format_of(const std::string& file) {
  if (file.ends_with(".pftrace")) return core::perfetto_timeline;
  if (file.ends_with(".csv")) return core::csv_timeline;
  throw core::InputError(
      {file}, "the ending of the name says the form of the timeline; write .pftrace for Perfetto or .csv");
}

// Calls a function that writes a file, and returns the name of the file.
template <class Write>
Result<std::string> written(const Write& write) {
  try {
    return write();
  } catch (...) {
    return core::problem_of_exception();
  }
}

}  // namespace

Result<std::string> Runs::save(const std::string& output) const {
  return written([&] { return save_to(*state_, output).string(); });
}

Result<std::string> Runs::write_report(const std::string& file) const {
  return written([&] {
    const ScratchFolder scratch;
    const fs::path folder = save_to(*state_, scratch.path().string());
    const core::StoredResults stored(folder.string(), core::InputLog(core::InputLog::Holds::paths));
    core::write_file_atomically(file, core::result_page({stored.tables()}));
    return file;
  });
}

Result<std::string> Run::write_timeline(const std::string& file) const {
  return written([&] {
    const core::TimelineFormat& format = format_of(file);
    if (state_->loaded) {
      const std::string* const written_one = state_->loaded->find(format.files(name() + "/").front());
      if (!written_one)
        throw core::InputError({name()},
                               "its results have no timeline of this form; simulate its experiment");
      core::write_file_atomically(file, *written_one);
      return file;
    }
    if (!state_->ended.result)
      throw core::InputError({name()},
                             "nothing is kept of this run but its summary; simulate it with "
                             "Keep::everything, keep=\"everything\" in Python");
    const ScratchFolder scratch;
    core::RunSpec spec = state_->spec();
    spec.timelines = {&format};
    core::Warnings unheard;
    const std::string prefix = scratch.path().string() + "/";
    core::write_reports({spec, *state_->ended.result, state_->ended.summary, prefix, unheard},
                        std::array{&core::timeline_exporter});
    core::write_file_atomically(file, core::read_file_of_any_kind(format.files(prefix).front()));
    return file;
  });
}

}  // namespace orrery
