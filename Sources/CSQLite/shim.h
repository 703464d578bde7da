// The system's SQLite, with the few calls that Swift cannot import as they stand.
#ifndef CSQLITE_SHIM_H
#define CSQLITE_SHIM_H

#include <sqlite3.h>

#endif
