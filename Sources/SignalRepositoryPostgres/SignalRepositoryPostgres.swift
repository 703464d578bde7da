// The engine of PostgreSQL, over libpq. One import brings the core and the streams along.
//
//   (this folder)   `PostgresRepository`, the entry point of a user
//   Streaming/      commits with their rows, by logical replication
//   Listening/      notifications of changed tables
//   Tables/         the schema of a store: its tables, and the check that they match
//   Statements/     statements, values, blocks of items, and the writer
//   Connection/     a connection, what it pins, and its failures
@_exported public import RepositoryCore
