import Foundation
import Hummingbird

extension Film {
    /// The film itself, if its texts are short and its number leaves room for sums.
    ///
    /// A list of 100 films is then a small response, and no sum of fewer than 90,000 films is too large for a column.
    func checked() throws(HTTPError) -> Film {
        guard (1...1_000).contains(title.utf8.count), (studio ?? "").utf8.count <= 200 else {
            throw HTTPError(.unprocessableContent, message: "A title has 1 to 1000 bytes, a studio at most 200.")
        }
        guard boxOffice.magnitude <= 10_000_000_000 else {
            throw HTTPError(.unprocessableContent, message: "A boxOffice is at most 10 billion.")
        }
        return self
    }
}
