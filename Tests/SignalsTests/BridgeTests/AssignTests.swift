import Observation
import Signals
import SignalsTesting
import Testing

@Suite(.timeLimit(.minutes(5))) @MainActor struct AssignTests {
    @MainActor final class Label {
        var text = ""
        private var token: SignalToken?

        func show(_ name: Signal<String, Never>) { token = name.assign(to: \.text, on: self) }
    }

    @Observable @MainActor final class Model {
        var count = 0
    }

    @Test("S3 an available value is stored before the call returns, and later ones as they are sent") func stores() {
        let name = CurrentValue<String, Never>("a")
        let label = Label()
        let token = name.signal.assign(to: \.text, on: label)
        #expect(label.text == "a")
        name.value = "b"
        #expect(label.text == "b")
        token.cancel()
        name.value = "c"
        #expect(label.text == "b")
    }

    @Test("S33 S34 an object that owns its token is released, and its run cancelled") func cycle() {
        let probe = Probe<String, Never>()
        weak var watched: Label?
        do {
            let label = Label()
            watched = label
            label.show(probe.signal)
            probe.send("a")
            #expect(label.text == "a")
        }
        #expect(watched == nil && probe.liveCount == 0)
    }

    @Test("S6 the first value after the object was released cancels the run") func released() {
        let probe = Probe<String, Never>()
        var label: Label? = Label()
        let token = label.map { probe.signal.assign(to: \.text, on: $0) }
        label = nil
        #expect(probe.liveCount == 1 && token?.isEnded == false)
        probe.send("a")
        #expect(probe.liveCount == 0 && token?.isEnded == true)
    }

    @Test func anObservableObjectTellsWhoFollowsIt() {
        let clicks = CurrentValue<Int, Never>(0)
        let model = Model()
        let token = clicks.signal.assign(to: \.count, on: model)
        let changes = Count()
        withObservationTracking {
            _ = model.count
        } onChange: {
            changes.raise()
        }
        clicks.value = 7
        #expect(model.count == 7 && changes.value == 1)
        token.cancel()
    }
}
