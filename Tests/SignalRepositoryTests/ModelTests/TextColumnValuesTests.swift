import Foundation
import Testing

@testable import RepositoryCore
@testable import SignalRepository

@Suite("Text") struct TextColumnValuesTests {
    private static let texts = [
        "", "a", "exactly fifteen", "sixteen letters!", "Tár", "e\u{301}", "\u{E9}", "\0", "a\0b\0", "🎬🧑‍🎄",
        "\u{FEFF}bom",
        "\u{202E}right to left", "'); DROP TABLE Box; --", "\"quoted\"", "\u{FFFD}", "\u{10FFFF}",
        "\u{7F}\u{80}\u{7FF}\u{800}",
        String(repeating: "long ", count: 20_000), String(repeating: "é", count: 33),
    ]

    @Test("Every byte of a text comes back, NUL included", arguments: texts)
    func strings(_ text: String) throws {
        let memory = try Memory(Box<String>.self)
        try memory.insert(Box(id: 1, value: text))
        #expect(try memory.items().map { Array($0.value.utf8) } == [Array(text.utf8)])
    }

    @Test("A bridged string and one made from a slice are stored like any other")
    func otherStorage() throws {
        let memory = try Memory(Box<String>.self)
        let slice = String("The Godfather"[...].dropFirst(4))
        let bridged = NSString(string: "Crème brûlée, bridged") as String
        try memory.insert(Box(id: 1, value: slice))
        try memory.insert(Box(id: 2, value: bridged))
        #expect(try memory.items().map(\.value) == ["Godfather", "Crème brûlée, bridged"])
    }

    @Test(
        "Bytes that are not UTF-8 are a decoding error",
        arguments: ["FF", "61FF62", "C3", "E282", "F09F98", "C0AF", "EDA080", "80", "6162636465666768FF"])
    func invalid(_ bytes: String) throws {
        let memory = try Memory(Box<String>.self)
        try memory.connection.execute("INSERT INTO Box VALUES (1, CAST(x'\(bytes)' AS TEXT))")
        let error = try thrown { () throws(RepositoryError) in try memory.items() }
        guard case .decoding("Box", "value", let detail, _) = error else { return #expect(Bool(false), "\(error)") }
        #expect(detail == "the text is not valid UTF-8")
    }

    @Test("One wrong byte is found wherever it is", arguments: 1...40)
    func wrongByte(count: Int) throws {
        let memory = try Memory(Box<String>.self)
        for place in 0..<count {
            let text = (0..<count).map { $0 == place ? "FF" : "61" }.joined()
            try memory.connection.execute("INSERT OR REPLACE INTO Box VALUES (1, CAST(x'\(text)' AS TEXT))")
            #expect(throws: RepositoryError.self) { () throws(RepositoryError) in try memory.items() }
        }
        let accented = (0..<count).map { place in
            Box(
                id: place,
                value: String(repeating: "a", count: place) + "é" + String(repeating: "b", count: count - place))
        }
        try memory.connection.execute("DELETE FROM Box")
        for box in accented { try memory.insert(box) }
        #expect(try memory.items().map(\.value) == accented.map(\.value))
    }

    @Test("A URL comes back; a text that is not a URL is a decoding error")
    func addresses() throws {
        let memory = try Memory(Box<URL>.self)
        let addresses = ["https://example.com/a?b=c#d", "file:///tmp/x%20y", "mailto:someone@example.com"]
        let urls = addresses.compactMap(URL.init(string:))
        for (id, url) in urls.enumerated() { try memory.insert(Box(id: id, value: url)) }
        #expect(try memory.items().map(\.value) == urls)
        try memory.connection.execute("UPDATE Box SET value = ''")
        let error = try thrown { () throws(RepositoryError) in try memory.items() }
        guard case .decoding(_, _, "the text is not a URL", _) = error else { return #expect(Bool(false), "\(error)") }
    }

    @Test("A URL with a base is refused, because it would come back without it")
    func relativeAddresses() throws {
        let memory = try Memory(Box<URL>.self)
        let base = try #require(URL(string: "https://example.com/a/"))
        let relative = try #require(URL(string: "b/c", relativeTo: base))
        let error = try thrown { () throws(RepositoryError) in try memory.insert(Box(id: 1, value: relative)) }
        #expect(error.isEncoding && "\(error)".contains("absoluteURL"))
        try memory.insert(Box(id: 1, value: relative.absoluteURL))
        let plain = try #require(URL(string: "b/c"))
        try memory.insert(Box(id: 2, value: plain))
        #expect(try memory.items().map(\.value) == [relative.absoluteURL, plain])
        let store = ReadTransaction(Session(memory.connection), CancellationFlag())
        #expect(try store.count(Box<URL>.self) { $0.value == relative } == 0)
        #expect(try store.count(Box<URL>.self) { $0.value != relative } == 2)
        #expect(try store.fetch(Box<URL>.where { $0.value.isIn([relative, plain]) }).map(\.id) == [2])
    }
}
