// Files that are not what they should be, and workspaces that are not free.
#include <sys/wait.h>

#include <cstdlib>
#include <fstream>

#include "store_fixture.hpp"

namespace dlbench::store::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

class Refusal : public StoreTest {
 protected:
  void fill() const {
    const auto store = Store::open(workspace_);
    store->add_study(example_study());
    store->add_case("study-1", example_case());
    store->add_run("study-1", example_run());
    store->add_certificate(example_certificate());
  }
  std::string open_both() const {
    const std::string writer = refusal([this] { static_cast<void>(Store::open(workspace_)); });
    const std::string reader = refusal([this] { static_cast<void>(Store::open_read_only(workspace_)); });
    EXPECT_THAT(writer, HasSubstr(path()));
    EXPECT_EQ(writer, reader);
    return writer;
  }
  std::string read_all() const {
    return refusal([this] {
      const auto store = Store::open_read_only(workspace_);
      for (const StudyRow& study : store->studies()) {
        static_cast<void>(store->cases(study.id));
        static_cast<void>(store->runs(study.id, true));
        static_cast<void>(store->finished(study.id));
      }
      static_cast<void>(store->certificate("key-1"));
    });
  }
  // Applies SQL to a good database, returns what reading all of it says.
  std::string damaged_by(const std::string& sql) const {
    fill();
    doctor(sql);
    const std::string message = read_all();
    std::filesystem::remove(path());
    EXPECT_THAT(message, HasSubstr(path()));
    return message;
  }
};

TEST_F(Refusal, OfANewerSchemaNamesBothNumbers) {
  fill();
  doctor("PRAGMA user_version = 7");
  EXPECT_THAT(open_both(), AllOf(HasSubstr("version 7"), HasSubstr("up to 1")));
}

TEST_F(Refusal, OfAnImpossibleSchemaVersion) {
  fill();
  doctor("PRAGMA user_version = -3");
  EXPECT_THAT(open_both(), HasSubstr("version -3"));
  doctor("PRAGMA user_version = 0");
  EXPECT_THAT(open_both(), HasSubstr("version 0"));
}

TEST_F(Refusal, OfAnotherProgramsDatabase) {
  doctor("CREATE TABLE notes (text TEXT)");
  EXPECT_THAT(open_both(), HasSubstr("not one of dlbench"));
  // Opening for writing must not have touched it.
  doctor("INSERT INTO notes VALUES ('still here')");
}

TEST_F(Refusal, OfSomethingThatIsNoDatabase) {
  std::ofstream(path()) << "This is a text file and it is long enough to have room for a header of SQLite's. "
                        << std::string(200, 'x');
  EXPECT_THAT(open_both(), HasSubstr("not a database"));
}

TEST_F(Refusal, OfATruncatedFile) {
  fill();
  std::filesystem::resize_file(path(), 4096 * 3 + 17);
  EXPECT_THAT(read_all(), HasSubstr(path()));
}

// Every page in turn overwritten: whatever SQLite notices or not, there is an answer or a UserError, never a
// crash.
TEST_F(Refusal, SurvivesGarbageInAnyPage) {
  fill();
  const auto size = std::filesystem::file_size(path());
  std::filesystem::copy_file(path(), workspace_ + "/good");
  for (std::uintmax_t page = 0; page * 4096 < size; ++page) {
    std::filesystem::copy_file(workspace_ + "/good", path(),
                               std::filesystem::copy_options::overwrite_existing);
    std::fstream file(path(), std::ios::in | std::ios::out | std::ios::binary);
    file.seekp(static_cast<std::streamoff>(page * 4096 + (page == 0 ? 120 : 0)));
    file << std::string(2000, '\xa5');
    file.close();
    static_cast<void>(read_all());
  }
}

TEST_F(Refusal, OfReadingWhatDoesNotExist) {
  EXPECT_THAT(refusal([this] { static_cast<void>(Store::open_read_only(workspace_)); }),
              AllOf(HasSubstr(path()), HasSubstr("does not exist")));
  EXPECT_FALSE(std::filesystem::exists(path()));
}

TEST_F(Refusal, OfAWorkspaceThatIsAFile) {
  std::ofstream(workspace_ + "/file") << "x";
  EXPECT_THAT(refusal([this] { static_cast<void>(Store::open(workspace_ + "/file")); }), HasSubstr("/file"));
}

TEST_F(Refusal, OfDamagedSeries) {
  EXPECT_THAT(damaged_by("UPDATE run_series SET samples = x'00112233' WHERE position = 0"),
              HasSubstr("a series of 3 samples has 4 bytes"));
  EXPECT_THAT(damaged_by("UPDATE run_series SET count = 2 WHERE position = 0"),
              HasSubstr("2 samples has 24 bytes"));
  // 8 · 2^61 wraps to 0 in 64 bits.
  EXPECT_THAT(damaged_by("UPDATE run_series SET count = 2305843009213693952 WHERE position = 1"),
              HasSubstr("0 bytes"));
  EXPECT_THAT(damaged_by("UPDATE run_series SET dtype = 'f32le'"), HasSubstr("unknown dtype 'f32le'"));
  EXPECT_THAT(damaged_by("UPDATE run_series SET kind = 'poem'"), HasSubstr("unknown kind 'poem'"));
}

TEST_F(Refusal, OfDamagedRows) {
  EXPECT_THAT(damaged_by("UPDATE runs SET outcome = 'FINE'"),
              AllOf(HasSubstr("run run-1"), HasSubstr("unknown outcome 'FINE'")));
  EXPECT_THAT(damaged_by("UPDATE runs SET block = 5000000000"),
              HasSubstr("block = 5000000000 is out of range"));
  EXPECT_THAT(damaged_by("UPDATE cases SET threads = -5000000000"), HasSubstr("threads"));
  EXPECT_THAT(damaged_by("UPDATE certificates SET certificate_json = '{'"), HasSubstr("certificate key-1"));
}

TEST_F(Refusal, OfAnotherSchemaUnderOurNumber) {
  EXPECT_THAT(damaged_by("DROP TABLE run_series"), HasSubstr("run_series"));
  EXPECT_THAT(damaged_by("ALTER TABLE runs DROP COLUMN reason"), HasSubstr("reason"));
  EXPECT_THAT(damaged_by("DROP TABLE run_metrics; CREATE TABLE run_metrics (run_seq, position, id, value);"
                         "INSERT INTO run_metrics VALUES (1, 0, x'00', 'text')"),
              HasSubstr("another type"));
  // A view in the place of a table could run anything; views are switched off.
  EXPECT_THAT(damaged_by("DROP TABLE run_metrics; CREATE VIEW run_metrics AS SELECT 1 run_seq, 0 position, "
                         "'a' id, 1.0 value"),
              HasSubstr("run_metrics"));
}

TEST_F(Refusal, OfASecondWriterNamesTheFirst) {
  const auto first = Store::open(workspace_);
  EXPECT_THAT(refusal([this] { static_cast<void>(Store::open(workspace_)); }),
              AllOf(HasSubstr(workspace_), HasSubstr("locked by pid " + std::to_string(getpid()))));
  // Readers need no lock and see what is committed.
  first->add_study(example_study());
  EXPECT_EQ(Store::open_read_only(workspace_)->studies().size(), 1U);
}

TEST_F(Refusal, EndsWithTheWriter) {
  Store::open(workspace_).reset();
  EXPECT_NO_THROW(static_cast<void>(Store::open(workspace_)));
}

TEST_F(Refusal, OfALockFileWithStrangeContentStaysReadable) {
  std::ofstream(workspace_ + "/dlbench.lock") << "\x1b[31mnot a number";
  const auto first = Store::open(workspace_);
  std::ofstream(workspace_ + "/dlbench.lock") << "\x1b[31mnot a number";
  const std::string message = refusal([this] { static_cast<void>(Store::open(workspace_)); });
  EXPECT_THAT(message, AllOf(HasSubstr("pid unknown"), Not(HasSubstr("\x1b"))));
}

TEST_F(Refusal, OfWritingThroughAReader) {
  fill();
  const auto reader = Store::open_read_only(workspace_);
  EXPECT_THROW(reader->add_study(example_study("x")), base::Bug);
  EXPECT_THROW(reader->add_run("study-1", example_run("x")), base::Bug);
}

}  // namespace
}  // namespace dlbench::store::testing
