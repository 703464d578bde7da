import Foundation
import Testing

@testable import PlaygroundKit

@Suite("Opening an input")
struct FilmInputTests {
    @Test("The three formats give the same films", arguments: InputFormat.allCases)
    func formats(format: InputFormat) throws {
        let text =
            switch format {
            case .csv: "title,boxOffice\nHeat,1.5\n1776,\n"
            case .json: #"[{"title":"Heat","boxOffice":1.5},{"title":1776,"boxOffice":null}]"#
            case .ndjson: "{\"title\":\"Heat\",\"boxOffice\":1.5}\n{\"title\":1776}\n"
            }
        try withFile(named: "films.\(format.rawValue)", text) { path in
            let input = try FilmInput(path: path, format: nil)
            #expect(input.rows == 2)
            #expect(input.size == text.utf8.count)
            for _ in 0..<2 {
                var reader = input.makeReader()
                var films: [Film] = []
                while let record = try reader.next() { films.append(try Film(record)) }
                #expect(films.map(\.title) == ["Heat", "1776"])
                #expect(films.map(\.boxOffice) == [1.5, nil])
            }
        }
    }

    @Test("A pipe is read once and kept, so that it can be imported")
    func pipe() throws {
        let lines = (0..<20_000).map { "{\"title\":\"Film \($0)\"}\n" }.joined()
        try withPipe { path in
            try? Data(lines.utf8).write(to: URL(fileURLWithPath: path))
        } read: { path in
            let input = try FilmInput(path: path, format: .ndjson)
            #expect(input.rows == 20_000)
            var reader = input.makeReader()
            var last: SourceRecord?
            while let record = try reader.next() { last = record }
            #expect(try last.map(Film.init)?.title == "Film 19999")
            #expect(last?.line == 20_000)
        }
    }

    @Test("A byte order mark may come through a pipe in pieces")
    func mark() throws {
        try withPipe { path in
            let pipe = open(path, O_WRONLY)
            let bytes = Array("\u{feff}title\nHeat\n".utf8)
            for piece in [bytes[..<1], bytes[1..<2], bytes[2...]] {
                _ = piece.withUnsafeBytes { write(pipe, $0.baseAddress, $0.count) }
                // The next piece arrives in another read.
                var waiting: Int32 = 1
                while waiting > 0, ioctl(pipe, UInt(FIONREAD), &waiting) == 0 { sched_yield() }
            }
            close(pipe)
        } read: { path in
            let input = try FilmInput(path: path, format: .csv)
            #expect(input.rows == 1)
            var reader = input.makeReader()
            #expect(try reader.next().map(Film.init)?.title == "Heat")
        }
    }

    @Test("An input that cannot be read is reported in one sentence")
    func refused() throws {
        let folder = try temporaryFolder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        #expect(throws: PlaygroundError("\(folder)/none.csv cannot be read: No such file or directory")) {
            try FilmInput(path: folder + "/none.csv", format: nil)
        }
        #expect(throws: PlaygroundError("\(folder) is a directory, not a file of films")) {
            try FilmInput(path: folder, format: .csv)
        }
        let message = "the format of \(folder)/films.txt is not known; name it with --format csv, json or ndjson"
        #expect(throws: PlaygroundError(message)) { try FilmInput(path: folder + "/films.txt", format: nil) }
        #expect(throws: PlaygroundError("/dev/null: the input is empty")) {
            try FilmInput(path: "/dev/null", format: .json)
        }
        #expect(throws: PlaygroundError("/dev/zero: malformed CSV at line 1: byte 0x00 stands in the text")) {
            try FilmInput(path: "/dev/zero", format: .csv)
        }
    }

    /// Reads from a pipe that another thread writes to.
    private func withPipe(write: @escaping @Sendable (String) -> Void, read: (String) throws -> Void) throws {
        let folder = try temporaryFolder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let path = folder + "/pipe"
        try #require(mkfifo(path, 0o600) == 0)
        DispatchQueue.global().async { write(path) }
        try read(path)
    }

    private func withFile(named name: String, _ text: String, body: (String) throws -> Void) throws {
        let folder = try temporaryFolder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try Data(text.utf8).write(to: URL(fileURLWithPath: folder + "/" + name))
        try body(folder + "/" + name)
    }
}

/// Creates an empty folder for a test.
func temporaryFolder() throws -> String {
    let path = FileManager.default.temporaryDirectory.path + "/playground-tests-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    return path
}
