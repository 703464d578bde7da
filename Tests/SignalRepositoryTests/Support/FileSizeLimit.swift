import Foundation

/// Makes writes beyond a size fail in the whole process; only for a test that runs in its own process.
func limitFileSize(to bytes: rlim_t) {
    signal(SIGXFSZ, SIG_IGN)
    var limit = rlimit(rlim_cur: bytes, rlim_max: 1_000_000_000)
    // The first parameter has another type on each platform.
    #if canImport(Glibc)
        _ = setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
    #else
        _ = setrlimit(RLIMIT_FSIZE, &limit)
    #endif
}
