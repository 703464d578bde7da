import Signals
import Testing

@Suite struct TokenSetTests {
    /// Storing a token checks one token, or all of them if the set is full, because it is swept then.
    @Test(
        "S34 R-M4 storing in a set checks a few tokens on average, however many of them are live",
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

    @Test(
        "S34 storing in an array checks a few tokens on average, if each new token replaces one that has ended",
        arguments: [1_023, 1_024, 6_143])
    func isAmortisedInAnArray(_ living: Int) {
        var tokens: [SignalToken] = []
        var checks = 0
        func store(_ token: SignalToken) {
            checks += tokens.count == tokens.capacity ? tokens.count + 1 : 1
            token.store(in: &tokens)
        }
        var live = (0..<living).map { _ in SignalToken() }
        live.forEach(store)
        for number in 0..<2_000 {
            let place = number % living
            live[place].cancel()
            live[place] = SignalToken()
            store(live[place])
        }
        #expect(checks < (living + 2_000) * 4)
        #expect(tokens.count { !$0.isEnded } == living)
    }
}
