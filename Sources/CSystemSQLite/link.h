// Nothing is declared here: whoever imports this module links the system's SQLite.
