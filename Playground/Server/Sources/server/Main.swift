import FilmServer
import Foundation
import Logging
import SignalRepository
import SignalRepositoryLogging

@main
enum Main {
    static func main() async {
        let arguments = CommandLine.arguments.dropFirst()
        guard arguments.count == 2, let path = arguments.first, let port = arguments.last.flatMap({ UInt16($0) }) else {
            exit("usage: server STORE PORT", code: 64)
        }
        do {
            var options = RepositoryOptions()
            options.statementLog = .logging(to: Logger(label: "films"), level: .notice, slowerThan: .milliseconds(100))
            let repository = try SQLiteRepository(
                .file(path), entities: Film.self, history: .kept(for: .seconds(30 * 86_400)), options: options)
            // Until the process is told to end.
            try await FilmRoutes(repository).serve(port: Int(port))
        } catch {
            exit("\(error)", code: 1)
        }
    }

    private static func exit(_ message: String, code: Int32) -> Never {
        FileHandle.standardError.write(Data((message + "\n").utf8))
        Foundation.exit(code)
    }
}
