// The SQLite engine. Importing it also imports `RepositoryCore` and `Signals`.
//
//   (this folder)   `SQLiteRepository` and its public methods
//   Maintenance/    backups, copies, checks, sizes, changes of the key
//   Tables/         opening a store or another program's file, and reading the declarations of its tables
//   Capture/        the writer, and the rows that its transactions change
//   History/        the recorded history of commits, and undo
//   Connection/     a connection, its statements and its SQL
//   Files/          paths, locks, and the ownership of a file
@_exported public import RepositoryCore
