// PostgreSQL's client library, for the raw forms.
#include <libpq-fe.h>
