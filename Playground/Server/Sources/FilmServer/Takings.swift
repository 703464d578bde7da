import Foundation

/// What a film has made since, or less than nothing to put a mistake right.
struct Takings: Decodable {
    let amount: Decimal

    init(from decoder: any Decoder) throws {
        amount = try decoder.fields(["amount"]).decode(Decimal.self, forKey: "amount")
    }
}
