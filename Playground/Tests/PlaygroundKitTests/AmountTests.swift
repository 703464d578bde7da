import Foundation
import Testing

@testable import PlaygroundKit

@Suite("Amounts")
struct AmountTests {
    @Test(
        "Plain numbers are read exactly",
        arguments: [
            ("0", "0"), ("146083", "146083"), ("-12.50", "-12.5"), ("+1", "1"), ("1.5e8", "150000000"), (".5", "0.5"),
            ("5.", "5"), ("272583739559", "272583739559"), ("922337203685477.5807", "922337203685477.5807"),
        ])
    func read(text: String, written: String) {
        #expect(Amount.parse(text).map(Amount.text) == written)
    }

    @Test(
        "Anything else is not an amount",
        arguments: ["", ".", "-", "12abc", "$5", "1,000", " 1", "1e", "1e9999", "e5", "NaN", "inf", "0x10", "1.2.3"])
    func refused(text: String) {
        #expect(Amount.parse(text) == nil)
    }

    @Test(
        "S-L10 A number with more digits than are read is not exact",
        arguments: [
            ("1.000000000000000000000000000000000000000001", false), ("0.000e-2", true),
            ("12345678901234.0000000000000000000000000000000001", false), ("922337203685477.5807", true),
            ("00000000000000000000000000000000000000000000.5000000000", true), ("-1000000000000000000000e-8", true),
            ("99999999999999999999999999999999999999999", false), ("0", true), ("-0.0", true), ("12", true),
        ])
    func exact(text: String, isExact: Bool) {
        #expect(Amount.isExact(text) == isExact)
    }

    @Test(
        "An amount that cannot be stored without loss is recognized",
        arguments: [
            ("0.0001", true), ("0.00001", false), ("922337203685477.5807", true), ("922337203685477.5808", false),
            ("1e20", false),
        ])
    func storable(text: String, isStorable: Bool) throws {
        #expect(Amount.isStorable(try #require(Amount.parse(text))) == isStorable)
    }
}
