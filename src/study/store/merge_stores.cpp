#include <filesystem>

#include <fmt/format.h>

#include "study/store/run_store.hpp"
#include "study/store/stored_study.hpp"

namespace orrery::core {

namespace {

// Returns the names of the columns of a table in a database that is attached under a name.
std::vector<std::string> columns_in(Database& database, std::string_view schema) {
  std::vector<std::string> names;
  Statement info = database.prepare(fmt::format("SELECT name FROM pragma_table_info('runs', '{}')", schema));
  while (info.step()) names.emplace_back(info.text(0));
  return names;
}

// Adds the runs of a store whose sweep is that of the other. Files that runs have read are numbered anew.
void add_runs(Database& database, const std::string& path) {
  Statement attach = database.prepare("ATTACH ? AS part");
  attach.bind(1, std::string_view(path));
  attach.run();
  std::string names, values;
  for (const std::string& name : columns_in(database, "part")) {
    names.append(names.empty() ? "" : ", ").append(quoted_name(name));
    values.append(values.empty() ? "" : ", ")
        .append(name == "inputs" ? "(SELECT whole.number FROM part.inputs AS here JOIN main.inputs AS whole "
                                   "ON whole.files = here.files WHERE here.number = run.inputs)"
                                 : "run." + quoted_name(name));
  }
  {
    Transaction transaction(database);
    database.execute(
        "INSERT OR IGNORE INTO main.inputs (files) SELECT files FROM part.inputs ORDER BY number");
    database.execute(fmt::format(
        "INSERT OR REPLACE INTO main.runs ({0}) SELECT {1} FROM part.runs AS run WHERE NOT EXISTS (SELECT 1 "
        "FROM "
        "main.runs AS old WHERE old.key = run.key AND old.ended >= run.ended) ORDER BY run.number",
        names, values));
    transaction.commit();
  }
  database.execute("DETACH part");
}

}  // namespace

bool is_hardly_begun(const std::string& path) {
  std::error_code none;
  if (std::filesystem::file_size(path, none) > 0 && !is_database(path)) return false;
  if (none) return false;
  Database database(path, DatabaseUse::read);
  Statement tables = database.prepare("SELECT count(*) FROM sqlite_schema");
  tables.step();
  if (tables.integer(0) == 0) return true;
  Statement study = database.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'study'");
  if (!study.step()) return false;
  Statement facts = database.prepare("SELECT 1 FROM study");
  return !facts.step();
}

std::size_t merge_stores(const std::string& into, const std::vector<std::string>& parts) {
  namespace fs = std::filesystem;
  std::vector<std::string> from = parts;
  std::erase_if(from, is_hardly_begun);
  if (from.empty()) throw InputError({parts.front()}, "holds no sweep yet; name a store that does");
  std::string sweep;
  for (const std::string& path : from) {
    if (fs::exists(into) && fs::equivalent(path, into))
      throw InputError({path}, "is the store that the others are put into; leave it out");
    const std::string of_part = StoredStudy(path).fact("sweep");
    if (!sweep.empty() && of_part != sweep)
      throw InputError({path},
                       "is of another sweep than " + from.front() + "; stores of one sweep can be merged");
    sweep = of_part;
  }
  const bool is_new = !fs::exists(into);
  if (!is_new && StoredStudy(into).fact("sweep") != sweep)
    throw InputError({into}, "is of another sweep than " + from.front() + "; name another file");
  // A new file has its name when it is complete.
  const std::string file = is_new ? into + "-partial" : into;
  if (is_new) {
    std::error_code none;
    fs::remove(file, none);
    Database first(from.front(), DatabaseUse::write);
    Statement copy = first.prepare("VACUUM INTO ?");  // sees what the log of the file holds, too
    copy.bind(1, std::string_view(file));
    copy.run();
  }
  {
    Database whole(file, is_on_network_file_system(file) ? DatabaseUse::alone : DatabaseUse::write);
    whole.execute(is_new ? "DELETE FROM claims" : "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL");
    for (const std::string& path : from) add_runs(whole, path);
  }
  if (is_new) fs::rename(file, into);
  return StoredStudy(into).count({});
}

}  // namespace orrery::core
