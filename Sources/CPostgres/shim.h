// PostgreSQL's client library, as its packages install it.
#ifndef CPOSTGRES_SHIM_H
#define CPOSTGRES_SHIM_H

#include <libpq-fe.h>

// The fields of a failure are characters in macros, which Swift does not import.
static const int CPOSTGRES_SQLSTATE = PG_DIAG_SQLSTATE;
static const int CPOSTGRES_MESSAGE = PG_DIAG_MESSAGE_PRIMARY;
static const int CPOSTGRES_TABLE = PG_DIAG_TABLE_NAME;
static const int CPOSTGRES_COLUMN = PG_DIAG_COLUMN_NAME;
static const int CPOSTGRES_POSITION = PG_DIAG_STATEMENT_POSITION;
static const int CPOSTGRES_CONSTRAINT = PG_DIAG_CONSTRAINT_NAME;
static const int CPOSTGRES_FUNCTION = PG_DIAG_SOURCE_FUNCTION;

#endif
