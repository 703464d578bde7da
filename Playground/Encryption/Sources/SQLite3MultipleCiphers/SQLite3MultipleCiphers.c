// The library is one file, which `get-sqlite` downloads.
#include "../../.build/sqlite/sqlite3.c"
