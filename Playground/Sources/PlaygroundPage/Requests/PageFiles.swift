#if Serve
    import Hummingbird

    /// The page, its style and its script, which are embedded in the program.
    struct PageFiles {
        func add(to router: Router<PageContext>) {
            router.get("/") { _, _ in file(PackageResources.page_html, "text/html") }
            router.get("page.css") { _, _ in file(PackageResources.page_css, "text/css") }
            router.get("page.js") { _, _ in file(PackageResources.page_js, "text/javascript") }
        }

        private func file(_ bytes: [UInt8], _ type: String) -> Response {
            Response(
                status: .ok, headers: [.contentType: "\(type); charset=utf-8", .cacheControl: "no-cache"],
                body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)))
        }
    }
#endif
