/// Successive rows of an input: the films and the rejects.
struct RowBatch: Sendable {
    var films: [Film] = []
    var rejects: [RejectedRow] = []
    /// The number of bytes of the input that were read up to and including this batch.
    var bytesRead = 0

    /// Reads up to `size` rows, fewer if they reach `largestBatch` bytes of text; nil at the end of the input.
    static func read(_ size: Int, from reader: inout any RecordReader) throws(PlaygroundError) -> RowBatch? {
        var batch = RowBatch()
        var text = 0
        while batch.films.count + batch.rejects.count < size, text < largestBatch, let record = try reader.next() {
            text += record.size
            do throws(RowRejection) {
                batch.films.append(try Film(record))
            } catch {
                batch.rejects.append(RejectedRow(record: record, reason: error.reason))
            }
        }
        batch.bytesRead = reader.bytesRead
        return batch.films.isEmpty && batch.rejects.isEmpty ? nil : batch
    }
}
