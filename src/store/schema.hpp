// The tables and how a database comes to have them. Internal to store; described in docs/formats/store.md.
#pragma once

#include "store/sqlite.hpp"

namespace dlbench::store {

// "dlb1" in the file header: tells a dlbench database from any other one.
inline constexpr std::int64_t application_id = 0x646C6231;

// Brings an empty or older database to schema_version, all steps in one transaction. Throws base::UserError
// for a newer schema (naming both numbers) and for a file that is not dlbench's.
void migrate(Database& database);

// For readers, who cannot migrate: throws unless the database has exactly schema_version.
void require_current_schema(Database& database);

}  // namespace dlbench::store
