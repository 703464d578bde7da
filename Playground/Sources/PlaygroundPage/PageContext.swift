#if Serve
    import Hummingbird

    /// The context of one request.
    struct PageContext: RequestContext {
        var coreContext: CoreRequestContextStorage

        init(source: ApplicationRequestContextSource) {
            coreContext = CoreRequestContextStorage(source: source)
        }

        /// How many bytes of JSON a request may have; those of a film are a few hundred.
        var maxUploadSize: Int { 64 << 10 }
    }
#endif
