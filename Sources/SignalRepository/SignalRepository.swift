// The engine of SQLite. One import brings the core and the streams along.
//
//   (this folder)   `SQLiteRepository`, the entry points of a user
//   Maintenance/    backups, copies, checks, sizes, other keys
//   Tables/         opening a store or another program's file: its tables, and what is known of them
//   Capture/        the writer, and the rows that its transactions change
//   History/        the commits that a store keeps, and their undoing
//   Connection/     a connection, its statements and its SQL
//   Files/          paths, locks, and who owns a file
@_exported public import RepositoryCore
