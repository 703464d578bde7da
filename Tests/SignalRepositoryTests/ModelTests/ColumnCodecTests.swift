import Foundation
import Testing

@testable import RepositoryCore
@testable import SignalRepository

@Suite("Codecs") struct ColumnCodecTests {
    @Test("A Codable property is JSON text with sorted keys; an optional one is NULL for nil")
    func json() throws {
        let memory = try Memory(Profile.self)
        let full = Profile(
            id: 1, tags: ["b", "a\"\0"], address: Address(street: "Elm/1", city: "Ørsta"), colour: "RED")
        let bare = Profile(id: 2, tags: [], address: nil, colour: "blue")
        try memory.insert(full)
        try memory.insert(bare)
        #expect(try memory.items() == [full, bare])
        #expect(
            try memory.connection.rows("SELECT tags, address, colour FROM Profile WHERE id = 2") == [
                [.text("[]"), .null, .text("BLUE")]
            ])
        #expect(
            try memory.connection.rows("SELECT address FROM Profile WHERE id = 1") == [
                [.text(#"{"city":"Ørsta","street":"Elm/1"}"#)]
            ])
    }

    @Test("Text that is not the JSON of the type is a decoding error", arguments: ["", "{", "[1]", "null"])
    func notJSON(_ text: String) throws {
        let memory = try Memory(Profile.self)
        try memory.connection.execute("INSERT INTO Profile VALUES (1, ?, NULL, 'X')", [.text(text)])
        let error = try thrown { () throws(RepositoryError) in try memory.items() }
        guard case .decoding("Profile", "tags", _, _) = error else { return #expect(Bool(false), "\(error)") }
    }

    @Test("An error that a transformation throws becomes an encoding or a decoding error")
    func transformation() throws {
        let memory = try Memory(Profile.self)
        let encoding = try thrown { () throws(RepositoryError) in
            try memory.insert(Profile(id: 1, tags: [], address: nil, colour: ""))
        }
        guard case .encoding("Profile", "colour", "NoColour()", _) = encoding else {
            return #expect(Bool(false), "\(encoding)")
        }
        try memory.connection.execute("INSERT INTO Profile VALUES (1, '[]', NULL, '')")
        let decoding = try thrown { () throws(RepositoryError) in try memory.items() }
        guard case .decoding("Profile", "colour", "NoColour()", _) = decoding else {
            return #expect(Bool(false), "\(decoding)")
        }
    }
}

private struct Address: Codable, Equatable {
    var street: String
    var city: String
}

private struct NoColour: Error {}

private struct Profile: Entity, Equatable {
    let id: Int
    var tags: [String]
    var address: Address?
    var colour: String

    init(id: Int, tags: [String], address: Address?, colour: String) {
        (self.id, self.tags, self.address, self.colour) = (id, tags, address, colour.uppercased())
    }

    static let schema = Schema(
        Column("id", \Profile.id), Column("tags", json: \.tags), Column("address", json: \.address),
        Column(
            "colour", \.colour,
            encode: { colour in
                guard !colour.isEmpty else { throw NoColour() }
                return colour
            },
            decode: { (stored: String) in
                guard !stored.isEmpty else { throw NoColour() }
                return stored
            }),
        make: Profile.init)
}
