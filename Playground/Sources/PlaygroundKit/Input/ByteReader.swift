import Foundation

/// Reads the bytes of an open file in blocks of bounded size, and counts them.
struct ByteReader {
    /// The bytes that the last call of `fill` read; only as many as it returned are valid.
    private(set) var block = [UInt8](repeating: 0, count: 1 << 16)
    /// How many bytes have been read.
    private(set) var count = 0

    private let file: OpenFile
    private let copy: OpenFile?

    /// Makes a reader of `file` from its start, which also writes all bytes to `copy`, if given.
    init(_ file: OpenFile, copy: OpenFile? = nil) {
        self.file = file
        self.copy = copy
    }

    /// Reads the next bytes into `block` and returns how many; 0 at the end of the file.
    ///
    /// It reads fewer than `least` bytes only at the end. A pipe may deliver one byte at a time.
    mutating func fill(atLeast least: Int = 1) throws(PlaygroundError) -> Int {
        var length = 0
        while length < least {
            let more = readMore(into: length)
            guard more >= 0 else {
                throw PlaygroundError("reading stopped after \(count) bytes: \(OpenFile.systemReason())")
            }
            if more == 0 { break }
            (length, count) = (length + more, count + more)
        }
        try copy?.append(block[..<length])
        return length
    }

    private mutating func readMore(into start: Int) -> Int {
        let (file, position) = (file, off_t(count))
        return block.withUnsafeMutableBytes { block in
            let rest = UnsafeMutableRawBufferPointer(rebasing: block[start...])
            while true {
                let length =
                    file.isSeekable
                    ? pread(file.descriptor, rest.baseAddress, rest.count, position)
                    : read(file.descriptor, rest.baseAddress, rest.count)
                if length >= 0 || errno != EINTR { return length }
            }
        }
    }
}
