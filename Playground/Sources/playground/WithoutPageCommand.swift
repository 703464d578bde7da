#if !Serve
    import ArgumentParser

    /// Says how to build the program with its page, which it lacks without the trait `Serve`.
    struct WithoutPageCommand: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "serve", abstract: "Is there in a program that was built with the trait Serve.",
            shouldDisplay: false)

        @Argument(parsing: .captureForPassthrough)
        var arguments: [String] = []

        func run() async throws {
            throw ValidationError("This program was built without its page: run 'make serve', which builds it with it.")
        }
    }
#endif
