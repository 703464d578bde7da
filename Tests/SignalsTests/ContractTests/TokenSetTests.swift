import Signals
import Testing

@Suite struct TokenSetTests {
    /// A store looks at one token, or at all of them when the set is swept, which is when it is full.
    @Test(
        "S34 R-M4 storing in a set looks at a few tokens on average, however many of them live",
        arguments: [767, 6_143])
    func isAmortised(_ living: Int) {
        var tokens: Set<SignalToken> = []
        var looks = 0
        func store(_ token: SignalToken) {
            looks += tokens.count == tokens.capacity ? tokens.count + 1 : 1
            token.store(in: &tokens)
        }
        for _ in 0..<living { store(SignalToken()) }
        for _ in 0..<2_000 {
            let short = SignalToken()
            short.cancel()
            store(short)
        }
        #expect(looks < (living + 2_000) * 4)
        #expect(tokens.count { !$0.isEnded } == living)
    }
}
