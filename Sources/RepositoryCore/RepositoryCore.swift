// The parts of a repository that do not depend on the database. A folder uses only the folders listed below it:
//
//   Endpoints/      the endpoints, and queries as values
//   (this folder)   `Repository` and its requests
//   Running/        the queues, the readers, and opening and closing; combines the folders below
//   Live/ Changes/  the two readers of the commit log: live queries, and signals of changes
//   Lists/          lists that share their memory, and their differences
//   Delivery/       `wait()` and `immediately()`
//   Commits/        the commit log, and the protocols of an engine
//   Schema/         the shapes of tables, plans to change them, migrations
//   Transactions/   reading and writing items between BEGIN and COMMIT, over a `StoreConnection`
//   SQL/            queries as SQL text, written by the `Dialect` of an engine
//   Query/          conditions, orderings, assignments and aggregate functions, as data
//   Model/          entities, schemas, columns, and how values become rows
//   Rows/ Errors/   values, the parts of rows and SQL text; errors
//
// An engine implements the protocols `StoreEngine`, `StoreWriter`, `CommitSource`, `StoreConnection`, `StoreStatement`,
// `Dialect` and `StoreTables`. The engines are the modules `SignalRepository` and `SignalRepositoryPostgres`.
@_exported public import Signals
