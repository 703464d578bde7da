import Foundation
import SignalRepository
import Signals
import Testing

/// Every type's extremes through a repository: each value comes back unchanged, even after the store is reopened.
@Suite("Round trips", .timeLimit(.minutes(10))) struct RoundTripTests {
    @Test("Integers of every width, and Bool", arguments: StoreKind.allCases)
    func integers(kind: StoreKind) async throws {
        try await integers(Int.self, kind)
        try await integers(Int8.self, kind)
        try await integers(Int16.self, kind)
        try await integers(Int32.self, kind)
        try await integers(Int64.self, kind)
        try await integers(UInt.self, kind)
        try await integers(UInt8.self, kind)
        try await integers(UInt16.self, kind)
        try await integers(UInt32.self, kind)
        try await integers(UInt64.self, kind)
        try await roundTrip([true, false], kind)
    }

    private func integers<Value: ColumnValue & FixedWidthInteger>(_ type: Value.Type, _ kind: StoreKind) async throws {
        let values = [Value.min, .max, 0, 1, Value.max / 2, Value(clamping: Int64.max), Value(clamping: Int64.min)]
        try await roundTrip(values.filter { Int64(exactly: $0) != nil }, kind)
    }

    @Test("Floating-point numbers and dates, bit for bit", arguments: StoreKind.allCases)
    func reals(kind: StoreKind) async throws {
        let doubles: [Double] = [
            0, 0.1, -1 / 3, .pi, 7, .infinity, -.infinity, .greatestFiniteMagnitude, -.greatestFiniteMagnitude,
            .leastNormalMagnitude, .leastNonzeroMagnitude, 9_007_199_254_740_991, 0x1p63, -0x1p63, 1e300,
        ]
        try await roundTrip(doubles, kind, bits: \.bitPattern)
        let floats: [Float] = [
            0, 0.1, -1 / 3, .pi, 7, .infinity, -.infinity, .greatestFiniteMagnitude, .leastNonzeroMagnitude, 0x1p24,
        ]
        try await roundTrip(floats, kind, bits: \.bitPattern)
        let dates = doubles.map { Date(timeIntervalSinceReferenceDate: $0) } + [.distantPast, .distantFuture]
        try await roundTrip(dates, kind, bits: \.timeIntervalSinceReferenceDate.bitPattern)
    }

    @Test("Text with NUL and any Unicode, and URLs", arguments: StoreKind.allCases)
    func texts(kind: StoreKind) async throws {
        let texts = [
            "", " ", "\0", "a\0b", "\u{FEFF}", "\u{10FFFF}", "e\u{301}", "\u{E9}", "👩‍👩‍👧‍👦", "';--", "日本語",
            String(repeating: "x", count: 70_000), String(repeating: "é\u{0}", count: 5000),
            "\u{7F}\u{80}\u{7FF}\u{800}",
        ]
        // PostgreSQL cannot hold a text with NUL, so the store refuses it before anything is stored.
        let held = texts.filter { kind != .postgres || !$0.utf8.contains(0) }
        try await roundTrip(held, kind, bits: { Array($0.utf8) })
        if kind == .postgres {
            try await withRepository(kind, [Box<String>.self]) { repository in
                for text in Set(texts).subtracting(held) {
                    await expectFailure(\.isEncoding) { try await repository.create(Box(id: 1, value: text)).value() }
                    await expectFailure(\.isEncoding) {
                        try await repository.insert([Box(id: 1, value: "a"), Box(id: 2, value: text)]).value()
                    }
                }
                let count = try await repository.count(Box<String>.self).value()
                #expect(count == 0)
            }
        }
        let addresses = ["https://example.com/a%20b?c=d#e", "file:///tmp/", "mailto:a@b.example", "a/relative"]
        try await roundTrip(addresses.compactMap { URL(string: $0) }, kind, bits: \.absoluteString)
    }

    @Test("Bytes and UUIDs", arguments: StoreKind.allCases)
    func bytes(kind: StoreKind) async throws {
        try await roundTrip(
            [Data(), Data([0]), Data(repeating: 255, count: 100_000), Data((0...255).map { UInt8($0) })], kind)
        try await roundTrip(
            [
                UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)),
                UUID(uuid: (255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255)), UUID(),
            ], kind)
    }

    @Test("Decimals up to the last digit that a column holds", arguments: StoreKind.allCases)
    func decimals(kind: StoreKind) async throws {
        let texts = [
            "0", "1", "-1", "0.0001", "-0.0001", "922337203685477.5807", "-922337203685477.5808", "123456789012.3456",
            "100000000000000", "0.1", "-0.3",
        ]
        let decimals = try texts.map { try #require(Decimal(string: $0)) }
        try await roundTrip(decimals, kind, bits: \.description)
        // The column cannot hold a number one unit further on, a fifth decimal place, or NaN.
        for text in ["922337203685477.5808", "-922337203685477.5809", "0.00001", "NaN"] {
            let decimal = try #require(text == "NaN" ? .nan : Decimal(string: text))
            try await withRepository(kind, [Box<Decimal>.self]) { repository in
                await expectFailure(\.isEncoding) { try await repository.create(Box(id: 1, value: decimal)).value() }
            }
        }
    }

    @Test("Optionals of every kind, and raw values", arguments: StoreKind.allCases)
    func optionals(kind: StoreKind) async throws {
        try await roundTrip([Int?.none, .min, .max, 0], kind)
        try await roundTrip([UInt8?.none, 0, 255], kind)
        try await roundTrip([Bool?.none, false, true], kind)
        try await roundTrip([Double?.none, 0, .infinity, .leastNonzeroMagnitude], kind, bits: \.?.bitPattern)
        try await roundTrip([String?.none, "", kind == .postgres ? "e\u{301}" : "\0"], kind)
        try await roundTrip([Data?.none, Data(), Data([0])], kind)
        try await roundTrip([UUID?.none, UUID()], kind)
        try await roundTrip([Date?.none, .distantPast], kind)
        try await roundTrip([Decimal?.none, 0, Decimal(string: "-922337203685477.5808")], kind)
        try await roundTrip([URL?.none, URL(string: "https://example.com")], kind)
        try await roundTrip(Suit.allCases.map { Suit?.some($0) } + [nil], kind)
        try await roundTrip(Size.allCases, kind)
    }

    private func roundTrip<Value: ColumnValue & Equatable>(
        _ values: [Value], _ kind: StoreKind, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        try await roundTrip(values, kind, bits: { $0 }, sourceLocation: sourceLocation)
    }

    /// Stores values with each endpoint that encodes, and reads them with each that decodes.
    private func roundTrip<Value: ColumnValue & Equatable, Bits: Equatable>(
        _ values: [Value], _ kind: StoreKind, bits: @escaping (Value) -> Bits,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let items = values.indices.map { Box(id: $0, value: values[$0]) }
        let others = items.map { Box(id: 1000 + $0.id, value: $0.value) }
        let expected = (values + values).map(bits)
        try await withStore(kind) { store in
            let repository = try store.open([Box<Value>.self])
            try await repository.insert(items).value()
            _ = try await repository.transaction { store in
                for item in others {
                    try store.create(Box(id: item.id, value: values[0]))
                    try store.update(item)
                    try store.upsert(item)
                }
            }.value()
            try await expect(repository, expected, bits, sourceLocation)
            await closed(repository)
            guard kind != .memory else { return }
            let again = try store.open([Box<Value>.self])
            try await expect(again, expected, bits, sourceLocation)
            await closed(again)
            guard case .file(let location) = store else { return }
            let reader = try SQLiteRepository(
                location, entities: Box<Value>.self, configuration: RepositoryConfiguration(access: .readOnly))
            try await expect(reader, expected, bits, sourceLocation)
            await closed(reader)
        }
    }

    private func expect<Value: ColumnValue & Equatable, Bits: Equatable>(
        _ repository: any Repository, _ expected: [Bits], _ bits: (Value) -> Bits, _ sourceLocation: SourceLocation
    ) async throws {
        let items: [Box<Value>] = try await repository.fetch(Box<Value>.all.sorted(by: \.id)).value()
        #expect(items.map { bits($0.value) } == expected, sourceLocation: sourceLocation)
        for item in items {
            let read = try await repository.read(Box<Value>.self, id: item.id).value()
            #expect(bits(read.value) == bits(item.value), sourceLocation: sourceLocation)
            // A condition binds the value as a row does.
            let same = try await repository.fetch(Box<Value>.where { $0.value == item.value }.sorted(by: \.id)).value()
            #expect(same.contains { $0.id == item.id }, sourceLocation: sourceLocation)
        }
    }
}

private enum Suit: String, ColumnValue, CaseIterable { case hearts = "", spades = "♠", clubs = "c" }
private enum Size: Int64, ColumnValue, CaseIterable {
    case least = -9_223_372_036_854_775_808, none = 0, most = 9_223_372_036_854_775_807
}
