// What every repository has, whatever stores its items. From top to bottom; a folder uses only those below it:
//
//   Endpoints/      the endpoints, and queries as values
//   (this folder)   `Repository` and its requests
//   Running/        the queues, the readers, and opening and closing: assembles the folders below
//   Live/ Changes/  the two readers of the commit log: live queries, and signals of changes
//   Lists/          lists that share their memory, and their differences
//   Delivery/       `wait()` and `immediately()`
//   Commits/        the commit log, and the protocols of an engine
//   Schema/         the shapes of tables, plans to change them, migrations
//   Transactions/   reading and writing items between BEGIN and COMMIT, over a `StoreConnection`
//   SQL/            queries as SQL; a `Dialect` is how an engine writes them
//   Query/          conditions, orderings, assignments and aggregate functions, as data
//   Model/          entities, schemas, columns, and how values become rows
//   Rows/ Errors/   values, the parts of rows and SQL text; errors
//
// The protocols of an engine are `StoreEngine`, `StoreWriter` and `CommitSource`, `StoreConnection`, `StoreStatement`,
// `Dialect` and `StoreTables`. `SignalRepository` and `SignalRepositoryPostgres` are the engines.
@_exported public import Signals
