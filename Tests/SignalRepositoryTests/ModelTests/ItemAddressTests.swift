import Foundation
import Testing

@testable import RepositoryCore
@testable import SignalRepository

@Suite("Addresses of items") struct ItemAddressTests {
    private static let keys: [SQLValue] = [
        .integer(.min), .integer(0), .integer(.max), .real(-0.0), .real(0.1), .real(.infinity), .text(""),
        .text("i1/ä%2F"), .blob([]), .blob([0, 15, 16, 255]),
    ]

    @Test("A key of any storage class comes back unchanged", arguments: keys)
    func roundTrip(key: SQLValue) throws {
        let address = ItemAddress(store: "s", entity: "An Entity/x", key: key)
        let url = try #require(address.url)
        #expect(ItemAddress(url) == address)
    }

    @Test("A URL that is not the address of an item is refused")
    func refused() throws {
        let texts = [
            "signal-repository://s/E", "signal-repository://s/E/x1", "signal-repository://s/E/i1/2",
            "signal-repository://s/E/b123", "signal-repository://s/E/bzz", "signal-repository://s/E/i",
            "file://s/E/i1", "signal-repository:///E/i1", "signal-repository://s/E/r7ff8000000000000",
            "signal-repository://s/E/rfff0000000000001",
        ]
        for text in texts {
            let url = try #require(URL(string: text))
            #expect(ItemAddress(url) == nil, "\(text)")
        }
        #expect(ItemAddress(store: "s", entity: "E", key: .null).url == nil)
    }
}
