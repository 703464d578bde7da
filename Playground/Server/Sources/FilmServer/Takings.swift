import Foundation

/// The takings to add to a film's box office; a negative amount corrects a mistake.
struct Takings: Decodable {
    let amount: Decimal

    init(from decoder: any Decoder) throws {
        amount = try decoder.fields(["amount"]).decode(Decimal.self, forKey: "amount")
    }
}
