#include "study/exporters.hpp"

#include <functional>

#include "base/file.hpp"
#include "base/folder_lock.hpp"
#include "report/astra1_reports.hpp"
#include "report/link_report.hpp"
#include "report/packet_report.hpp"
#include "report/timeline.hpp"

namespace orrery {

namespace {

bool has_astra1_files(const RunResult& result) {
  return result.program.is_uniform() && !result.machine.library && !result.machine.system.channels;
}

void write(const RunOutput& run, const std::string& name, const std::string& text) {
  const FolderLock lock(run.folder, FolderLock::WhenTaken::wait);
  write_file_atomically(run.folder + name, text);
}

// Writes the file if there is something to say; else removes what an earlier run of the name may have left.
template <class Items>
void write_if_any(const RunOutput& run, const std::string& name, const Items& items,
                  const std::function<std::string()>& text) {
  if (!items.empty()) return write(run, name, text());
  const FolderLock lock(run.folder, FolderLock::WhenTaken::wait);
  std::error_code none;
  std::filesystem::remove(run.folder + name, none);
}

}  // namespace

const Exporter astra1_exporter{.files = astra1_report_files, .write = [](const RunOutput& run) {
                                 if (!has_astra1_files(run.result)) return;
                                 ResultOptions options;
                                 options.run_name = run.spec.name;
                                 options.path = run.folder;
                                 write_astra1_reports(run.result.program, run.result.machine,
                                                      run.result.recording, options, run.warnings);
                               }};

const Exporter timeline_exporter{
    .files = [](const std::string&) { return std::vector<std::string>{"timeline.csv"}; },
    .write =
        [](const RunOutput& run) {
          const FolderLock lock(run.folder, FolderLock::WhenTaken::wait);
          write_timeline(run.folder + "timeline.csv", run.result.program, run.result.recording,
                         run.summary.training ? whole_passes : layer_passes, run.warnings);
        }};

const Exporter parts_exporter{.files =
                                  [](const std::string&) {
                                    return std::vector<std::string>{"parts.csv", "stages.csv"};
                                  },
                              .write =
                                  [](const RunOutput& run) {
                                    const auto [name, text] =
                                        run.spec.workload->parts_file(run.result, run.summary);
                                    if (!text.empty()) write(run, name, text);
                                  }};

const Exporter links_exporter{
    .files = [](const std::string&) { return std::vector<std::string>{"links.csv"}; },
    .write =
        [](const RunOutput& run) {
          const Recording& recording = run.result.recording;
          if (has_astra1_files(run.result) || recording.links.empty()) return;
          write(run, "links.csv", links_csv(recording.links, run.result.machine.topology, recording.end()));
        }};

const Exporter latencies_exporter{
    .files = [](const std::string&) { return std::vector<std::string>{"latencies.csv"}; },
    .write =
        [](const RunOutput& run) {
          const std::vector<PacketLatencies>& latencies = run.result.recording.latencies;
          write_if_any(run, "latencies.csv", latencies, [&] { return latencies_csv(latencies); });
        }};

const Exporter messages_exporter{
    .files = [](const std::string&) { return std::vector<std::string>{"messages.csv"}; },
    .write =
        [](const RunOutput& run) {
          const std::vector<MessageClass>& classes = run.result.recording.message_times;
          write_if_any(run, "messages.csv", classes, [&] { return messages_csv(classes); });
        }};

const Exporter switches_exporter{
    .files = [](const std::string&) { return std::vector<std::string>{"switches.csv"}; },
    .write =
        [](const RunOutput& run) {
          const std::vector<SwitchUse>& switches = run.result.recording.switches;
          write_if_any(run, "switches.csv", switches, [&] { return switches_csv(switches); });
        }};

const Exporter link_history_exporter{
    .files =
        [](const std::string&) {
          return std::vector<std::string>{"link-history.csv", "switch-history.csv"};
        },
    .write =
        [](const RunOutput& run) {
          const LinkHistory& history = run.result.recording.link_history;
          write_if_any(run, "link-history.csv", history.links, [&] { return link_history_csv(history); });
          write_if_any(run, "switch-history.csv", history.switches,
                       [&] { return switch_history_csv(history); });
        }};

void write_reports(const RunOutput& run, Exporters exporters) {
  for (const Exporter* exporter : exporters) exporter->write(run);
}

void remove_reports(const std::filesystem::path& folder, const std::string& run, Exporters exporters) {
  std::error_code none;
  if (!std::filesystem::exists(folder, none)) return;
  for (const Exporter* exporter : exporters)
    for (const std::string& file : exporter->files(run)) std::filesystem::remove(folder / file, none);
  std::filesystem::remove(folder, none);
}

}  // namespace orrery
