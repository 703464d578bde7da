import FilmServer
import Foundation
import Logging
import Serving
import SignalRepository
import SignalRepositoryLogging

@main
enum Main {
    static func main() async {
        let arguments = CommandLine.arguments.dropFirst()
        guard arguments.count == 2, let path = arguments.first, let port = arguments.last.flatMap({ UInt16($0) }) else {
            exit("usage: [TOKENS=… SITE=…] server STORE PORT", code: 64)
        }
        let environment = ProcessInfo.processInfo.environment
        let tokens = environment["TOKENS", default: ""].split(separator: ",").map(String.init)
        guard tokens.allSatisfy({ $0.utf8.count >= 16 }) else {
            exit("A token of TOKENS has fewer than 16 bytes.", code: 64)
        }
        do {
            var configuration = RepositoryConfiguration()
            configuration.statementLog = .logging(
                to: Logger(label: "films"), level: .notice, slowerThan: .milliseconds(100))
            let repository = try SQLiteRepository(
                .file(path), entities: Film.self, configuration: configuration)
            let address = ServerAddress(port: Int(port), site: environment["SITE"])
            // Returns when the process was asked to end.
            try await FilmRoutes(repository).serve(at: address, tokens: tokens)
        } catch {
            exit("\(error)", code: 1)
        }
    }

    private static func exit(_ message: String, code: Int32) -> Never {
        FileHandle.standardError.write(Data((message + "\n").utf8))
        Foundation.exit(code)
    }
}
