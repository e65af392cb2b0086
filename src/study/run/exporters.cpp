#include "study/run/exporters.hpp"

#include <algorithm>
#include <utility>

#include "base/files/file.hpp"
#include "base/files/file_writer.hpp"
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

// Writes a table, or removes the file that an earlier run of the name may have left where there is nothing to
// say.
void write_table(const RunOutput& run, const NamedRows& table) {
  const std::string path = run.folder + table.file;
  if (table.rows.empty()) return remove_files({path});
  FileWriter file(path);
  RowSink sink(file);
  table.rows.write(sink);
  file.finish();
}

void write_tables(const RunOutput& run, const Exporter& exporter) {
  for (const NamedRows& table : exporter.tables(run)) write_table(run, table);
}

std::vector<NamedRows> one_table(const ResultFile& file, TableRows rows) {
  return {{file.name, std::move(rows)}};
}

// Where something is known, its table is written even if that is nothing, with its titles alone.
TableRows known_rows(bool is_known, const TableRows& rows) {
  return is_known ? TableRows([rows](RowSink& sink) { rows.write(sink); }) : TableRows();
}

ProgramTimeline timeline_of(const RunOutput& run) {
  return {run.result.program, run.result.recording, run.summary.training ? whole_passes : layer_passes,
          [&run] { return run.spec.workload->memory_history(run.result); }};
}

std::vector<NamedRows> tables_of_timeline(const RunOutput& run) {
  return {{result_file("timeline.csv").name,
           TableRows([&run](RowSink& sink) { (void)timeline_of(run).write_rows(sink); })}};
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
    .tables = tables_of_timeline,
    .write =
        [](const RunOutput& run) {
          for (const auto& [word, format] : timeline_format_words)
            if (std::ranges::find(run.spec.timelines, format) == run.spec.timelines.end())
              remove_files(format->files(run.folder));
          write_timeline(timeline_of(run), run.spec.timelines, run.folder, run.warnings);
        }};

const Exporter parts_exporter{
    .files =
        [](const std::string& folder, const std::string&) {
          return in_folder(folder, {result_file("parts.csv"), result_file("stages.csv")});
        },
    .tables =
        [](const RunOutput& run) {
          return std::vector{run.spec.workload->parts_table(run.result, run.summary)};
        }};

const Exporter ranks_exporter{
    .files = [](const std::string& folder,
                const std::string&) { return in_folder(folder, {result_file("rank-times.csv")}); },
    .tables =
        [](const RunOutput& run) {
          return one_table(result_file("rank-times.csv"),
                           rank_times_rows(run.result.program, run.result.breakdown));
        }};

const Exporter links_exporter{
    .files = [](const std::string& folder,
                const std::string&) { return in_folder(folder, {result_file("links.csv")}); },
    .tables =
        [](const RunOutput& run) {
          const Recording& recording = run.result.recording;
          return one_table(result_file("links.csv"),
                           links_rows(recording.links, run.result.machine.topology, recording.end()));
        },
    .write =
        [](const RunOutput& run) {
          if (!has_astra1_files(run.result)) write_tables(run, links_exporter);
        }};

const Exporter latencies_exporter{
    .files = [](const std::string& folder,
                const std::string&) { return in_folder(folder, {result_file("latencies.csv")}); },
    .tables =
        [](const RunOutput& run) {
          const std::vector<PacketLatencies>& latencies = run.result.recording.latencies;
          return one_table(result_file("latencies.csv"),
                           known_rows(!latencies.empty(), latencies_rows(latencies)));
        }};

const Exporter messages_exporter{
    .files = [](const std::string& folder,
                const std::string&) { return in_folder(folder, {result_file("messages.csv")}); },
    .tables =
        [](const RunOutput& run) {
          return one_table(result_file("messages.csv"), messages_rows(run.result.recording.message_times));
        }};

const Exporter switches_exporter{
    .files = [](const std::string& folder,
                const std::string&) { return in_folder(folder, {result_file("switches.csv")}); },
    .tables =
        [](const RunOutput& run) {
          return one_table(result_file("switches.csv"), switches_rows(run.result.recording.switches));
        }};

const Exporter link_history_exporter{
    .files =
        [](const std::string& folder, const std::string&) {
          return in_folder(folder, {result_file("link-history.csv"), result_file("switch-history.csv")});
        },
    .tables =
        [](const RunOutput& run) {
          const LinkHistory& history = run.result.recording.link_history;
          return std::vector<NamedRows>{
              {result_file("link-history.csv").name,
               known_rows(!history.links.empty(), link_history_rows(history))},
              {result_file("switch-history.csv").name,
               known_rows(!history.switches.empty(), switch_history_rows(history))}};
        },
    .write =
        [](const RunOutput& run) {
          if (run.spec.network.link_history && run.result.recording.link_history.links.empty())
            run.warnings.add(run.spec.where,
                             "no message went over a link, so that there is no link-history.csv");
          write_tables(run, link_history_exporter);
        }};

const Exporter memory_exporter{
    .files = [](const std::string& folder,
                const std::string&) { return in_folder(folder, {result_file("memory-history.csv")}); },
    .tables =
        [](const RunOutput& run) {
          const std::vector<PartMemory> parts = run.spec.workload->memory_history(run.result);
          return one_table(result_file("memory-history.csv"),
                           known_rows(!parts.empty(), memory_history_rows(parts)));
        }};

const Exporter topology_exporter{
    .files =
        [](const std::string& folder, const std::string&) {
          return in_folder(folder, {result_file("topology-nodes.csv"), result_file("topology-links.csv"),
                                    result_file("topology-history.csv")});
        },
    .tables =
        [](const RunOutput& run) {
          const Recording& recording = run.result.recording;
          const Machine& machine = run.result.machine;
          return picture_tables(draw_network(machine.topology, machine.dialect.one_link_per_message,
                                             recording.links, recording.link_history, recording.end()));
        }};

std::vector<NamedRows> tables_of(const RunOutput& run, Exporters exporters) {
  std::vector<NamedRows> tables;
  for (const Exporter* exporter : exporters) {
    if (!exporter->tables) continue;
    for (NamedRows& table : exporter->tables(run))
      if (!table.rows.empty()) tables.push_back(std::move(table));
  }
  return tables;
}

void write_reports(const RunOutput& run, Exporters exporters) {
  const FolderLock lock(folder_of(run.folder), FolderLock::WhenTaken::wait);
  for (const Exporter* exporter : exporters)
    exporter->write ? exporter->write(run) : write_tables(run, *exporter);
}

void remove_reports(const std::filesystem::path& folder, const std::string& run, Exporters exporters) {
  std::error_code none;
  if (!std::filesystem::exists(folder, none)) return;
  for (const Exporter* exporter : exporters) remove_files(exporter->files(folder.string() + "/", run));
  std::filesystem::remove(folder, none);
}

}  // namespace orrery::core
