// The PostgreSQL engine, over libpq. Importing it also imports `RepositoryCore` and `Signals`.
//
//   (this folder)   `PostgresRepository`, the repository for users, and `LiveSource`
//   Streaming/      commits with their rows, by logical replication
//   Listening/      notifications of changed tables
//   Tables/         the schema of a store: its tables, and the check that they match
//   Statements/     statements, values, bulk writes, and the writer
//   Connection/     a connection, the settings that it restores, and its failures
@_exported public import RepositoryCore
