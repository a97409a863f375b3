import ReplayKit
import ScreenBroadcast
import TestSupport

@testable import ContainingApp

@MainActor @Suite struct WatchViewModelTests {
  /// Returns the messages that a change from one state to another shows.
  private func shown(
    _ old: (inout BroadcastState) -> Void, _ new: (inout BroadcastState) -> Void
  ) -> [WatchMessage] {
    let view = RecordingView()
    WatchViewModel(clock: TestClock(at: 77)) { view.show($0) }.update(
      from: makeState(old), to: makeState(new))
    return view.messages
  }

  @Test func theStatusIsShownWithItsTimeWhenItChanges() {
    #expect(shown({ _ in }, { $0.isActive = true }) == [.status(isActive: true, time: 77)])
    #expect(shown({ $0.isActive = true }, { _ in }) == [.status(isActive: false, time: 77)])
    #expect(shown({ $0.isActive = true }, { $0.isActive = true }).isEmpty)
  }

  @Test func theFormatIsShownWhenItChanges() throws {
    let upright = FrameFormat(try makeBroadcastFrame(width: 32, height: 16))
    let turned = FrameFormat(try makeBroadcastFrame(width: 32, height: 16, orientation: .left))
    #expect(shown({ _ in }, { $0.format = upright }) == [.format(upright)])
    #expect(shown({ $0.format = upright }, { $0.format = turned }) == [.format(turned)])
    #expect(shown({ $0.format = upright }, { $0.format = upright }).isEmpty)
  }

  @Test(arguments: [
    (BroadcastState.Phase.waiting, BroadcastState.Phase.live, WatchMessage.notice("The broadcast is live.")),
    (.live, .paused, .notice("The broadcast is paused.")),
    (.paused, .live, .notice("The broadcast continues.")),
    (.live, .ended(nil), .notice("The broadcast is over.")),
    (.live, .ended("Broadcast completed"), .notice("The broadcast is over: Broadcast completed.")),
    (.ended(nil), .waiting, .notice("A broadcast was announced; waiting for its first frame.")),
    (.live, .crashed(pid: 7), .crashed(pid: 7)), (.crashed(pid: 7), .live, .notice("The producer is back.")),
    (.live, .suspended(pid: 7), .suspended(pid: 7)), (.suspended(pid: 7), .live, .resumed(pid: 7)),
    (.suspended(pid: 7), .waiting, .resumed(pid: 7)),
    (.suspended(pid: 7), .crashed(pid: 7), .crashed(pid: 7)),
  ]) func everyPhaseHasItsMessage(
    _ old: BroadcastState.Phase, _ new: BroadcastState.Phase, _ output: WatchMessage
  ) {
    #expect(shown({ $0.phase = old }, { $0.phase = new }) == [output])
  }

  @Test func theFirstTearAndEachFailureAreShown() {
    #expect(
      shown({ _ in }, { $0.firstTear = "frame 2 is torn" }) == [.problem("Not intact: frame 2 is torn.")])
    #expect(shown({ $0.firstTear = "a" }, { $0.firstTear = "a" }).isEmpty)
    let failure = BroadcastFailure.status(FileError(.notAPropertyList, "/c/p.plist"))
    #expect(shown({ _ in }, { $0.failure = failure }) == [.problem("\(failure)")])
    #expect(shown({ $0.failure = failure }, { _ in }).isEmpty)
  }

  @Test func ratesAreCountedFromTheFirstFrameOfASessionOverAnInterval() throws {
    let view = RecordingView()
    let clock = TestClock()
    let viewModel = WatchViewModel(clock: clock) { view.show($0) }
    var state = makeState { $0.phase = .live }
    func advance(_ seconds: Double, published: UInt64, delivered: UInt64) {
      clock.advance(by: .seconds(seconds))
      state.framesPublished = published
      state.frames.framesDelivered = delivered
      viewModel.showStats(state, ratesOver: .milliseconds(950))
    }
    func rates() -> [Double] {
      guard case .stats(let stats)? = view.messages.last else { return [] }
      return [stats.framesPerSecondIn, stats.framesPerSecondOut]
    }
    advance(1, published: 0, delivered: 0)
    #expect(rates() == [0, 0])
    let old = state
    state.lastFrame = try makeBroadcastFrame(500, width: 16, height: 16).id
    state.frames.framesDelivered = 1
    viewModel.update(from: old, to: state)
    advance(0.1, published: 506, delivered: 4)
    #expect(rates() == [0, 0])
    advance(0.4, published: 530, delivered: 16)
    #expect(rates() == [60, 30])
    advance(0.5, published: 545, delivered: 20)
    #expect(rates() == [60, 30])
    advance(0.5, published: 590, delivered: 46)
    #expect(rates() == [60, 30])
    advance(1, published: 590, delivered: 46)
    #expect(rates() == [0, 0])
  }

  @Test func aClockOrACountThatGoesBackDoesNotTrap() throws {
    let view = RecordingView()
    let clock = TestClock(at: 10_000_000_000)
    let viewModel = WatchViewModel(clock: clock) { view.show($0) }
    let frame = try makeBroadcastFrame(.max, width: 16, height: 16)
    let state = makeState {
      $0.lastFrame = frame.id
      $0.frames.framesDelivered = .max
    }
    viewModel.update(from: BroadcastState(), to: state)
    clock.advance(by: .seconds(-10))
    viewModel.showStats(state, ratesOver: .seconds(1))
    clock.advance(by: .seconds(20))
    viewModel.showStats(makeState { $0.lastFrame = frame.id }, ratesOver: .seconds(1))
    #expect(view.messages.count == 2)
  }

  @Test func audioIsSilentDuringAPause() throws {
    var shown: [WatchMessage] = []
    let model = WatchViewModel(clock: TestClock(at: 1)) { shown.append($0) }
    var audio = AudioState()
    audio.level = -18
    for phase in [BroadcastState.Phase.live, .paused] {
      model.showStats(
        makeState { state in
          state.phase = phase
          state.appAudio = audio
        }, ratesOver: .seconds(1))
    }
    let levels = shown.map { output -> [Double?] in
      if case .stats(let stats) = output { [stats.appLevelDb, stats.micLevelDb] } else { [] }
    }
    #expect(levels == [[-18, nil], [-96, nil]])
  }
}
