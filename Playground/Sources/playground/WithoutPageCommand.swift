#if !Serve
    import ArgumentParser

    /// The command `serve` in a program built without the trait `Serve`; it says how to build the page.
    struct WithoutPageCommand: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "serve", abstract: "Available in a program that was built with the trait Serve.",
            shouldDisplay: false)

        @Argument(parsing: .captureForPassthrough)
        var arguments: [String] = []

        func run() async throws {
            throw ValidationError("This program was built without its page: 'make serve' builds it with the page.")
        }
    }
#endif
