import Observation
import Signals
import SignalsObservation
import SignalsTesting
import Testing

@Suite(.timeLimit(.minutes(5))) @MainActor struct ObservingTests {
    @Observable @MainActor final class Film {
        var title = "Fargo"
        var year = 1996
        var isShown = false
    }

    private let film = Film()

    @Test("S3 it delivers the current value, and each change after it") func follows() async {
        let recorder = Signal<String, Never>.observing { [film] in film.title }.record()
        #expect(recorder.values.isEmpty, "Nothing is delivered before attaching has returned.")
        #expect(await recorder.values(1) == ["Fargo"])
        film.title = "Lost Highway"
        #expect(await recorder.values(2) == ["Fargo", "Lost Highway"])
        film.title = "Gattaca"
        #expect(await recorder.values(3) == ["Fargo", "Lost Highway", "Gattaca"])
        recorder.cancel()
    }

    @Test func changesOfOneTurnAreOneValue() async {
        let recorder = Signal<String, Never>.observing { [film] in "\(film.title) \(film.year)" }.record()
        _ = await recorder.values(1)
        film.title = "Gattaca"
        film.year = 1997
        #expect(await recorder.values(2) == ["Fargo 1996", "Gattaca 1997"])
        recorder.cancel()
    }

    @Test func whatTheLastReadingHasReadIsTrackedAndNothingElse() async {
        let readings = CurrentValue<Int, Never>(0)
        let recorder = Signal<Int, Never>.observing { [film] in
            readings.modify { $0 += 1 }
            return film.isShown ? film.year : 0
        }.record()
        _ = await recorder.values(1)
        film.year = 1997
        film.title = "Gattaca"
        film.isShown = true
        #expect(await recorder.values(2) == [0, 1997] && readings.value == 2)
        film.year = 1998
        #expect(await recorder.values(3) == [0, 1997, 1998])
        recorder.cancel()
    }

    @Test("S2 each run reads for itself") func cold() async {
        let readings = CurrentValue<Int, Never>(0)
        let signal = Signal<Int, Never>.observing {
            readings.modify {
                $0 += 1; return $0
            }
        }
        let recorders = [signal.record(), signal.record()]
        #expect(readings.value == 0)
        for recorder in recorders { _ = await recorder.values(1) }
        #expect(recorders.map(\.values) == [[1], [2]])
        for recorder in recorders { recorder.cancel() }
    }

    @Test("S22 a sink without demand gets the latest value when it requests one") func demand() async {
        let signal = Signal<Int, Never>.observing { [film] in film.year }
        let watching = signal.record()
        let waiting = signal.record(demand: .none)
        for year in 1997...1999 {
            _ = await watching.values(year - 1996)
            film.year = year
        }
        _ = await watching.values(4)
        #expect(waiting.values.isEmpty)
        waiting.request(.max(1))
        #expect(await waiting.values(1) == [1999])
        for recorder in [watching, waiting] { recorder.cancel() }
    }

    @Test("S34 a cancel releases the object that was read, even if it never changes again") func releases() async {
        weak var watched: Film?
        do {
            let film = Film()
            watched = film
            let recorder = Signal<String, Never>.observing { film.title }.record()
            _ = await recorder.values(1)
            recorder.cancel()
        }
        #expect(watched == nil)
    }
}
