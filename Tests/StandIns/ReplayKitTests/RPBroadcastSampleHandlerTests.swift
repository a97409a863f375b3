import ReplayKit
import TestSupport

@Suite struct RPBroadcastSampleHandlerTests {
  private let errors = Recorder<NSError?>()

  private func observe(_ handler: RPBroadcastSampleHandler) {
    handler.onFinish { [errors] in errors.add($0.map { $0 as NSError }) }
  }

  @Test func aHandlerGetsEventsAndFramesWithTheirOrientation() throws {
    let handler = SampleHandler()
    let system: RPBroadcastSampleHandler = handler
    system.broadcastStarted(withSetupInfo: nil)
    system.processSampleBuffer(try makeSample(orientation: .up), with: .video)
    system.broadcastPaused()
    system.broadcastResumed()
    system.processSampleBuffer(try makeSample(orientation: .left), with: .video)
    system.processSampleBuffer(try makeSample(orientation: .down), with: .audioMic)
    system.broadcastFinished()
    #expect(handler.events == ["started", "paused", "resumed", "finished"])
    #expect((handler.orientations, handler.widths) == ([.up, .left], [10, 10]))
  }

  @Test func anEndReachesTheSystemWithItsErrorOrWithoutOne() {
    let (failing, graceful) = (SampleHandler(), SampleHandler())
    for handler in [failing, graceful] { observe(handler) }
    failing.stopFromWithin()
    finishBroadcastGracefully(graceful)
    #expect(errors.values.map(\.?.localizedDescription) == ["Broadcast completed", nil])
    #expect(errors.values.map(\.?.domain) == ["DemoBroadcastExtension", nil])
  }

  @Test func anEndBeforeThereIsASystemReachesItOnce() {
    let handler = SampleHandler()
    handler.stopFromWithin()
    for _ in 0..<2 { observe(handler) }
    #expect(errors.values.map(\.?.localizedDescription) == ["Broadcast completed"])
  }

  @Test func aDetachedSystemReceivesNothing() {
    let handler = SampleHandler()
    observe(handler)
    handler.onFinish(nil)
    handler.stopFromWithin()
    #expect(errors.values.isEmpty)
  }

  @Test func anOverrideOfBeginRequestHasToCallSuper() {
    class Calling: RPBroadcastSampleHandler {
      override func beginRequest(with context: NSExtensionContext) { super.beginRequest(with: context) }
    }
    class Forgetting: RPBroadcastSampleHandler {
      override func beginRequest(with context: NSExtensionContext) {}
    }
    #expect(RPBroadcastSampleHandler().launch() && Calling().launch() && !Forgetting().launch())
  }

  @Test func aPlainHandlerEndsNoBroadcast() throws {
    let handler = RPBroadcastSampleHandler()
    observe(handler)
    handler.broadcastStarted(withSetupInfo: ["room": "1" as NSString])
    handler.broadcastAnnotated(withApplicationInfo: ["app": "demo"])
    handler.processSampleBuffer(try makeSample(orientation: .up), with: .video)
    handler.broadcastFinished()
    #expect(errors.values.isEmpty)
  }

  @Test func constantsHaveTheFrameworksValues() {
    #expect([RPSampleBufferType.video, .audioApp, .audioMic].map(\.rawValue) == [1, 2, 3])
    #expect((1...3).compactMap { RPSampleBufferType(rawValue: $0)?.rawValue } == [1, 2, 3])
    #expect(RPSampleBufferType(rawValue: 0)?.rawValue == 0)
    #expect(CGImagePropertyOrientation.left.rawValue == 8)
    #expect(RPRecordingErrorDomain == "com.apple.ReplayKit.RPRecordingErrorDomain")
    #expect(RPRecordingErrorCode(rawValue: -5819) == .broadcastSetupFailed)
    #expect(RPRecordingErrorCode(rawValue: -5820) == .failedToObtainURL)
    #expect(RPRecordingErrorCode(rawValue: -5837) == nil)
  }
}
