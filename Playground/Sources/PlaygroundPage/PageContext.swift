#if Serve
    import Hummingbird

    /// What belongs to one request.
    struct PageContext: RequestContext {
        var coreContext: CoreRequestContextStorage

        init(source: ApplicationRequestContextSource) {
            coreContext = CoreRequestContextStorage(source: source)
        }

        /// How many bytes of JSON a request may have; a film has a few hundred.
        var maxUploadSize: Int { 64 << 10 }
    }
#endif
