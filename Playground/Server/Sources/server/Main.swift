import FilmServer
import Foundation
import SignalRepository

@main
enum Main {
    static func main() async {
        let arguments = CommandLine.arguments.dropFirst()
        guard arguments.count == 2, let path = arguments.first, let port = arguments.last.flatMap({ UInt16($0) }) else {
            exit("usage: server STORE PORT", code: 64)
        }
        do {
            let repository = try SQLiteRepository(.file(path), entities: Film.self)
            // Until the process is told to end.
            try await FilmRoutes(repository).serve(port: Int(port))
            await repository.close().value()
        } catch {
            exit("\(error)", code: 1)
        }
    }

    private static func exit(_ message: String, code: Int32) -> Never {
        FileHandle.standardError.write(Data((message + "\n").utf8))
        Foundation.exit(code)
    }
}
