#include "study/run/exporters.hpp"

#include <algorithm>
#include <functional>
#include <utility>

#include "base/files/file.hpp"
#include "base/files/folder_lock.hpp"
#include "report/astra1/astra1_reports.hpp"
#include "report/breakdown/rank_table.hpp"
#include "report/network/link_report.hpp"
#include "report/network/packet_report.hpp"
#include "report/picture/draw_network.hpp"
#include "report/stored/result_files.hpp"
#include "report/timeline/programs/program_timeline.hpp"
#include "simulate/collectives/collective_policies.hpp"

namespace orrery::core {

namespace {

bool has_astra1_files(const RunResult& result) {
  return result.program.is_uniform() &&
         &collective_policy_of(result.program, result.machine) == &phases_policy;
}

std::vector<std::string> in_folder(const std::string& folder, std::vector<std::string> names) {
  for (std::string& name : names) name.insert(0, folder);
  return names;
}
std::vector<std::string> in_folder(const std::string& folder, std::initializer_list<ResultFile> files) {
  std::vector<std::string> names;
  for (const ResultFile& file : files) names.push_back(folder + file.name);
  return names;
}

void remove_files(const std::vector<std::string>& files) {
  std::error_code none;
  for (const std::string& file : files) std::filesystem::remove(file, none);
}

void write(const RunOutput& run, const std::string& name, const std::string& text) {
  write_file_atomically(run.folder + name, text);
}

// Writes the file if there is something to say. Otherwise removes the file that an earlier run of the name
// may have left.
template <class Items>
void write_if_any(const RunOutput& run, const std::string& name, const Items& items,
                  const std::function<std::string()>& text) {
  if (!items.empty()) return write(run, name, text());
  remove_files({run.folder + name});
}

}  // namespace

const Exporter astra1_exporter{
    .files = [](const std::string& folder,
                const std::string& run) { return in_folder(folder, astra1_report_files(run)); },
    .write =
        [](const RunOutput& run) {
          if (!has_astra1_files(run.result)) return;
          ResultOptions options;
          options.run_name = run.spec.name;
          options.path = run.folder;
          options.total_rows = run.spec.shared_rows;
          options.row = run.spec.row;
          write_astra1_reports(run.result.program, run.result.machine, run.result.recording, options,
                               run.warnings);
        }};

const Exporter timeline_exporter{
    .files =
        [](const std::string& folder, const std::string&) {
          std::vector<std::string> files;
          for (const auto& [word, format] : timeline_format_words)
            for (std::string& file : format->files(folder)) files.push_back(std::move(file));
          return files;
        },
    .write =
        [](const RunOutput& run) {
          for (const auto& [word, format] : timeline_format_words)
            if (std::ranges::find(run.spec.timelines, format) == run.spec.timelines.end())
              remove_files(format->files(run.folder));
          const ProgramTimeline timeline(run.result.program, run.result.recording,
                                         run.summary.training ? whole_passes : layer_passes,
                                         [&] { return run.spec.workload->memory_history(run.result); });
          write_timeline(timeline, run.spec.timelines, run.folder, run.warnings);
        }};

const Exporter parts_exporter{
    .files =
        [](const std::string& folder, const std::string&) {
          return in_folder(folder, {result_file("parts.csv"), result_file("stages.csv")});
        },
    .write =
        [](const RunOutput& run) {
          const auto [name, text] = run.spec.workload->parts_file(run.result, run.summary);
          if (!text.empty()) write(run, name, text);
        }};

const Exporter ranks_exporter{
    .files = [](const std::string& folder,
                const std::string&) { return in_folder(folder, {result_file("rank-times.csv")}); },
    .write =
        [](const RunOutput& run) {
          const std::string text = rank_times_csv(run.result.program, run.result.breakdown);
          write_if_any(run, result_file("rank-times.csv").name, text, [&] { return text; });
        }};

const Exporter links_exporter{
    .files = [](const std::string& folder,
                const std::string&) { return in_folder(folder, {result_file("links.csv")}); },
    .write =
        [](const RunOutput& run) {
          const Recording& recording = run.result.recording;
          if (has_astra1_files(run.result)) return;
          write_if_any(run, result_file("links.csv").name, recording.links, [&] {
            return links_csv(recording.links, run.result.machine.topology, recording.end());
          });
        }};

const Exporter latencies_exporter{
    .files = [](const std::string& folder,
                const std::string&) { return in_folder(folder, {result_file("latencies.csv")}); },
    .write =
        [](const RunOutput& run) {
          const std::vector<PacketLatencies>& latencies = run.result.recording.latencies;
          write_if_any(run, result_file("latencies.csv").name, latencies,
                       [&] { return latencies_csv(latencies); });
        }};

const Exporter messages_exporter{
    .files = [](const std::string& folder,
                const std::string&) { return in_folder(folder, {result_file("messages.csv")}); },
    .write =
        [](const RunOutput& run) {
          const std::vector<MessageClass>& classes = run.result.recording.message_times;
          write_if_any(run, result_file("messages.csv").name, classes, [&] { return messages_csv(classes); });
        }};

const Exporter switches_exporter{
    .files = [](const std::string& folder,
                const std::string&) { return in_folder(folder, {result_file("switches.csv")}); },
    .write =
        [](const RunOutput& run) {
          const std::vector<SwitchUse>& switches = run.result.recording.switches;
          write_if_any(run, result_file("switches.csv").name, switches,
                       [&] { return switches_csv(switches); });
        }};

const Exporter link_history_exporter{
    .files =
        [](const std::string& folder, const std::string&) {
          return in_folder(folder, {result_file("link-history.csv"), result_file("switch-history.csv")});
        },
    .write =
        [](const RunOutput& run) {
          const LinkHistory& history = run.result.recording.link_history;
          if (run.spec.network.link_history && history.links.empty())
            run.warnings.add(run.spec.where,
                             "no message went over a link, so that there is no link-history.csv");
          write_if_any(run, result_file("link-history.csv").name, history.links,
                       [&] { return link_history_csv(history); });
          write_if_any(run, result_file("switch-history.csv").name, history.switches,
                       [&] { return switch_history_csv(history); });
        }};

const Exporter memory_exporter{
    .files = [](const std::string& folder,
                const std::string&) { return in_folder(folder, {result_file("memory-history.csv")}); },
    .write =
        [](const RunOutput& run) {
          const std::vector<PartMemory> parts = run.spec.workload->memory_history(run.result);
          write_if_any(run, result_file("memory-history.csv").name, parts,
                       [&] { return memory_history_csv(parts); });
        }};

const Exporter topology_exporter{
    .files =
        [](const std::string& folder, const std::string&) {
          return in_folder(folder, {result_file("topology-nodes.csv"), result_file("topology-links.csv"),
                                    result_file("topology-history.csv")});
        },
    .write =
        [](const RunOutput& run) {
          const Recording& recording = run.result.recording;
          const Machine& machine = run.result.machine;
          const NetworkPicture picture =
              draw_network(machine.topology, machine.dialect.one_link_per_message, recording.links,
                           recording.link_history, recording.end());
          for (const PictureFile& file : picture_files(picture))
            write_if_any(run, std::string(file.name), file.text, [&] { return file.text; });
        }};

void write_reports(const RunOutput& run, Exporters exporters) {
  const FolderLock lock(folder_of(run.folder), FolderLock::WhenTaken::wait);
  for (const Exporter* exporter : exporters) exporter->write(run);
}

void remove_reports(const std::filesystem::path& folder, const std::string& run, Exporters exporters) {
  std::error_code none;
  if (!std::filesystem::exists(folder, none)) return;
  for (const Exporter* exporter : exporters) remove_files(exporter->files(folder.string() + "/", run));
  std::filesystem::remove(folder, none);
}

}  // namespace orrery::core
