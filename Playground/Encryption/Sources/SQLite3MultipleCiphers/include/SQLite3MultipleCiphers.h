// The repository uses the system's header, and declares the functions that it lacks. The tests use these to make a file
// without the repository.
typedef struct sqlite3 sqlite3;
int sqlite3_open(const char *path, sqlite3 **database);
int sqlite3_key(sqlite3 *database, const void *key, int count);
int sqlite3_exec(sqlite3 *, const char *sql, int (*)(void *, int, char **, char **), void *, char **);
int sqlite3_close(sqlite3 *);
