// OpenCombine has Combine's declarations under the same names.
@_exported import OpenCombine
