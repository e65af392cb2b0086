#include "base/database/database.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "support/cases.hpp"

namespace orrery::core {
namespace {

using test::TemporaryFolder;

TEST(Database, KeepsWhatWasWritten) {
  const TemporaryFolder folder;
  const std::string path = (folder.path() / "a.sqlite").string();
  {
    Database database(path, DatabaseUse::write);
    database.execute("CREATE TABLE t (a INTEGER, b REAL, c TEXT)");
    Statement insert = database.prepare("INSERT INTO t VALUES (?, ?, ?)");
    insert.bind(1, std::int64_t{7});
    insert.bind(2, 0.5);
    insert.bind(3, std::string_view());
    insert.run();
  }
  Database database(path, DatabaseUse::read);
  Statement select = database.prepare("SELECT * FROM t");
  ASSERT_TRUE(select.step());
  EXPECT_EQ(select.integer(0), 7);
  EXPECT_EQ(select.real(1), 0.5);
  EXPECT_FALSE(select.is_null(2));
  EXPECT_EQ(select.text(2), "");
  EXPECT_FALSE(select.step());
  EXPECT_THROW(database.execute("DELETE FROM t"), InputError);
}

TEST(Database, TransactionsThatAreNotCommittedLeaveNothing) {
  Database database = Database::in_memory();
  database.execute("CREATE TABLE t (a)");
  {
    const Transaction transaction(database);
    database.execute("INSERT INTO t VALUES (1)");
  }
  Statement count = database.prepare("SELECT count(*) FROM t");
  ASSERT_TRUE(count.step());
  EXPECT_EQ(count.integer(0), 0);
}

TEST(Database, AFullDiskIsToldWithARemedy) {
  const TemporaryFolder folder;
  Database database((folder.path() / "a.sqlite").string(), DatabaseUse::write);
  database.execute("PRAGMA max_page_count = 3; CREATE TABLE t (a)");
  Statement insert = database.prepare("INSERT INTO t VALUES (zeroblob(3000))");
  try {
    for (int i = 0; i < 10; ++i) insert.run();
    FAIL() << "ten blobs do not fit into three pages";
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("make room on the disk"), std::string::npos) << error.what();
  }
}

TEST(Database, RefusesFilesOfOtherPrograms) {
  const TemporaryFolder folder;
  const std::string path = (folder.path() / "a.txt").string();
  std::ofstream(path) << std::string(2000, 'x');
  Database database(path, DatabaseUse::read);
  EXPECT_THROW(database.execute("SELECT count(*) FROM sqlite_schema"), InputError);
  EXPECT_THROW(Database((folder.path() / "none" / "b").string(), DatabaseUse::write), InputError);
}

TEST(Database, OneStatementIsOneStatement) {
  Database database = Database::in_memory();
  EXPECT_THROW((void)database.prepare("SELECT 1; SELECT 2"), InputError);
  EXPECT_THROW((void)database.prepare(" "), InputError);
  EXPECT_NO_THROW((void)database.prepare("SELECT 1; "));
}

TEST(Database, ReadingOnlyIsReadingOnly) {
  Database database = Database::in_memory();
  database.execute("CREATE TABLE t (a)");
  database.permit_reading_only();
  EXPECT_NO_THROW((void)database.prepare("SELECT max(a, 3) FROM t"));
  EXPECT_THROW((void)database.prepare("DELETE FROM t"), InputError);
  EXPECT_THROW((void)database.prepare("ATTACH 'x' AS y"), InputError);
  EXPECT_THROW((void)database.prepare("PRAGMA user_version = 3"), InputError);
}

}  // namespace
}  // namespace orrery::core
