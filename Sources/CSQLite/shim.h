// SQLite, with the few calls that Swift cannot import as they stand. Which library is linked is not said here: the
// system's, or the program's own.
#ifndef CSQLITE_SHIM_H
#define CSQLITE_SHIM_H

#include <sqlite3.h>

// Variadic functions are not imported: one wrapper for the form "switch a setting, read it back".
static inline int csqlite_db_config(sqlite3 *db, int setting, int value, int *now) {
    return sqlite3_db_config(db, setting, value, now);
}

// SQLITE_TRANSIENT is a cast of -1 to a function pointer, which Swift cannot express: SQLite copies the bytes.
static inline void csqlite_result_text(sqlite3_context *context, const char *bytes, sqlite3_uint64 count) {
    sqlite3_result_text64(context, bytes, count, SQLITE_TRANSIENT, SQLITE_UTF8);
}

// A blob of no bytes is not NULL.
static inline void csqlite_result_blob(sqlite3_context *context, const void *bytes, sqlite3_uint64 count) {
    if (count == 0) sqlite3_result_zeroblob(context, 0);
    else sqlite3_result_blob64(context, bytes, count, SQLITE_TRANSIENT);
}

static inline int csqlite_bind_text_copy(sqlite3_stmt *statement, int index, const char *bytes, int count) {
    return sqlite3_bind_text(statement, index, bytes, count, SQLITE_TRANSIENT);
}

static inline int csqlite_bind_blob_copy(sqlite3_stmt *statement, int index, const void *bytes, int count) {
    return sqlite3_bind_blob(statement, index, bytes, count, SQLITE_TRANSIENT);
}

// The preupdate hook is in the libraries of Debian and Apple, but its prototypes stand behind a macro in their headers.
// Declared weak, so that a library without it can be linked and said to lack it.
#if !defined(SQLITE_ENABLE_PREUPDATE_HOOK)
__attribute__((weak)) void *sqlite3_preupdate_hook(
    sqlite3 *db,
    void (*callback)(
        void *context, sqlite3 *db, int operation, char const *database, char const *table,
        sqlite3_int64 oldKey, sqlite3_int64 newKey
    ),
    void *context
);
__attribute__((weak)) int sqlite3_preupdate_old(sqlite3 *db, int column, sqlite3_value **value);
__attribute__((weak)) int sqlite3_preupdate_new(sqlite3 *db, int column, sqlite3_value **value);
__attribute__((weak)) int sqlite3_preupdate_count(sqlite3 *db);
__attribute__((weak)) int sqlite3_preupdate_depth(sqlite3 *db);

static inline int csqlite_has_preupdate_hook(void) {
    return sqlite3_preupdate_hook != 0 && sqlite3_preupdate_old != 0 && sqlite3_preupdate_new != 0
        && sqlite3_preupdate_count != 0 && sqlite3_compileoption_used("ENABLE_PREUPDATE_HOOK");
}
#else
static inline int csqlite_has_preupdate_hook(void) {
    return sqlite3_compileoption_used("ENABLE_PREUPDATE_HOOK");
}
#endif

// The number of commits to the main database that the index of its write-ahead log counts, whichever connection made
// them; -1 where the index has another format. It is "iChange" of https://sqlite.org/walformat.html. Unlike the data
// version, it stays as it is when another program checkpoints. Call this for a database with a log alone: SQLite would
// make an index for any other. The memory is SQLite's own mapping, which other processes write to.
static inline sqlite3_int64 csqlite_log_commits(sqlite3 *db) {
    sqlite3_file *file = 0;
    void volatile *index = 0;
    if (sqlite3_file_control(db, "main", SQLITE_FCNTL_FILE_POINTER, &file) != SQLITE_OK || file == 0) return -1;
    if (file->pMethods == 0 || file->pMethods->iVersion < 2 || file->pMethods->xShmMap == 0) return -1;
    if (file->pMethods->xShmMap(file, 0, 32768, 0, &index) != SQLITE_OK || index == 0) return -1;
    const volatile unsigned *header = (const volatile unsigned *)index;
    return header[0] == 3007000 ? (sqlite3_int64)__atomic_load_n(&header[2], __ATOMIC_ACQUIRE) : -1;
}

// A library that encrypts has these; declared weak, so that one without them can be linked and said to lack them.
__attribute__((weak)) int sqlite3_key_v2(sqlite3 *db, const char *database, const void *key, int count);
__attribute__((weak)) int sqlite3_rekey_v2(sqlite3 *db, const char *database, const void *key, int count);

static inline int csqlite_can_encrypt(void) { return sqlite3_key_v2 != 0 && sqlite3_rekey_v2 != 0; }

#if defined(__linux__)
#include <stdio.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <unistd.h>
#include <fcntl.h>

long syscall(long number, ...);

// Renames a file unless something has the new name (1: RENAME_NOREPLACE). Not every libc has the function, or shows it.
static inline int csqlite_rename_new(const char *from, const char *to) {
    return (int)syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 1);
}

// The number of the kind of file system that a file is on; 0 where the system does not say. Glibc's module lacks it.
static inline unsigned long csqlite_file_system(const char *path) {
    struct statfs status;
    return statfs(path, &status) == 0 ? (unsigned long)status.f_type : 0;
}
#else
#include <stdio.h>

static inline int csqlite_rename_new(const char *from, const char *to) { return renamex_np(from, to, RENAME_EXCL); }
#endif

#endif
