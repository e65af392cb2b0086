// SQLite files, and statements in them. Errors are InputErrors at the file.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/diagnostics/diagnostics.hpp"

struct sqlite3;
struct sqlite3_stmt;

namespace orrery::core {

class Statement;

// What an open file may be used for. Another process that writes at the same time is waited for, and a file
// that `alone` opens is locked against others until it is closed: network file systems need that, because
// processes on several machines cannot share the memory by which SQLite's write-ahead log is shared.
enum class DatabaseUse : std::uint8_t { read, write, alone };

// Another process uses the file, and does not let go of it in time.
class FileInUse : public InputError {
 public:
  using InputError::InputError;
};

class Database {
 public:
  // Opens a file, or makes it unless it is only read. Throws InputError where it cannot, or is no such file.
  Database(std::string path, DatabaseUse use);
  // Opens an empty database that is nowhere but in memory.
  static Database in_memory();
  Database(Database&&) noexcept;
  Database& operator=(Database&&) noexcept;
  ~Database();

  // Carries out statements that return no rows.
  void execute(std::string_view statements);
  // Throws InputError where the text is no single statement; `where` is its place then.
  Statement prepare(std::string_view statement, std::optional<SourceLocation> where = {});
  // Denies everything but reading from now on, whatever a statement says.
  void permit_reading_only();

  const std::string& path() const { return path_; }
  sqlite3* handle() const { return handle_; }

  // Throws the InputError for what went wrong last.
  [[noreturn]] void fail(const std::optional<SourceLocation>& where = {}) const;

 private:
  explicit Database(std::string name);
  void open_to_read();
  void open(const std::string& name, int flags);

  std::string path_;
  sqlite3* handle_ = nullptr;
};

// The database must outlive its statements, and may be moved meanwhile.
class Statement {
 public:
  // `where` is the place of its errors.
  Statement(sqlite3_stmt* handle, SourceLocation where);
  Statement(Statement&& other) noexcept;
  Statement(const Statement&) = delete;
  Statement& operator=(const Statement&) = delete;
  ~Statement();

  // Bind the parameter of that number, from 1. A text has to live until the next reset().
  void bind(int parameter, std::int64_t value);
  void bind(int parameter, double value);
  void bind(int parameter, std::string_view text);
  void bind_copy(int parameter, std::string_view text);  // which need not live so long
  void bind_nothing(int parameter);

  // Goes to the next row, and returns whether there is one.
  bool step();
  // Carries the statement out, which returns no rows, and makes it ready for the next time.
  void run();
  void reset();

  int columns() const;
  std::string column_name(int column) const;
  bool is_null(int column) const;
  bool is_integer(int column) const;
  bool is_real(int column) const;
  std::int64_t integer(int column) const;
  double real(int column) const;
  std::string_view text(int column) const;  // until the next step() or reset()

  // Returns whether the statement has ?1 and so on.
  bool has_parameter(int parameter) const;

 private:
  void check(int code) const;

  sqlite3_stmt* handle_;
  SourceLocation where_;
};

// What is done until commit() is done as a whole or, without it, not at all.
class Transaction {
 public:
  // Waits for others that write.
  explicit Transaction(Database& database) : database_(database) { database_.execute("BEGIN IMMEDIATE"); }
  ~Transaction();
  Transaction(const Transaction&) = delete;
  Transaction& operator=(const Transaction&) = delete;

  void commit();

 private:
  Database& database_;
  bool open_ = true;
};

// Returns a name as SQL quotes it.
std::string quoted_name(std::string_view name);

}  // namespace orrery::core
