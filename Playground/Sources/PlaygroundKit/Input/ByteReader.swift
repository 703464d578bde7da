import Foundation

/// Hands out the bytes of an open file in blocks of bounded size, and counts them.
struct ByteReader {
    /// The bytes that the last call of `fill` brought; only the first so many that it returned are meant.
    private(set) var block = [UInt8](repeating: 0, count: 1 << 16)
    /// How many bytes have been handed out.
    private(set) var count = 0

    private let file: OpenFile
    private let copy: OpenFile?

    /// Reads `file` from its start; with `copy`, everything that is read is written there as well.
    init(_ file: OpenFile, copy: OpenFile? = nil) {
        self.file = file
        self.copy = copy
    }

    /// Reads the next bytes into `block` and returns how many; 0 at the end of the file.
    ///
    /// Fewer than `least` are returned at the end alone: a pipe may hand out one byte at a time.
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
