extension UInt8 {
    /// The byte, with the letters A to Z lowercased: how SQLite compares names, and how text is searched.
    @inline(__always)
    var folded: UInt8 { self &- UInt8(ascii: "A") < 26 ? self | 0x20 : self }
}
