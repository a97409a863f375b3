import BroadcastTesting
import EmulatedCapture
import ReplayKit
import ScreenCapture
import TestSupport

/// An app in the style of public code: a picker, a stream with a private queue, and an end by the delegate.
@MainActor
private final class ScreenSharing: NSObject {
  private(set) var stream: SCStream?
  private(set) var endings: [Int] = []
  private(set) var cancellations = 0
  let frames = FrameCounter()
  private let queue = DispatchQueue(label: "com.example.frames")

  func start() {
    let picker = SCContentSharingPicker.shared
    picker.add(self)
    picker.isActive = true
    picker.present()
  }

  fileprivate func begin(_ filter: SCContentFilter) async {
    let stream = SCStream(filter: filter, configuration: SCStreamConfiguration(), delegate: self)
    do {
      try stream.addStreamOutput(frames, type: .screen, sampleHandlerQueue: queue)
      try await stream.startCapture()
      self.stream = stream
    } catch {
      endings.append((error as NSError).code)
    }
  }

  fileprivate func end(_ code: Int) {
    endings.append(code)
    stream = nil
  }

  fileprivate func cancel() { cancellations += 1 }
}

extension ScreenSharing: SCContentSharingPickerObserver, SCStreamDelegate {
  nonisolated func contentSharingPicker(
    _ picker: SCContentSharingPicker, didUpdateWith filter: SCContentFilter, for stream: SCStream?
  ) {
    nonisolated(unsafe) let filter = filter
    Task { @MainActor in unsafe await begin(filter) }
  }

  nonisolated func contentSharingPicker(_ picker: SCContentSharingPicker, didCancelFor stream: SCStream?) {
    Task { @MainActor in cancel() }
  }

  nonisolated func contentSharingPickerStartDidFailWithError(_ error: any Error) {
    let code = (error as NSError).code
    Task { @MainActor in end(code) }
  }

  nonisolated func stream(_ stream: SCStream, didStopWithError error: any Error) {
    let code = (error as NSError).code
    Task { @MainActor in end(code) }
  }
}

private final class FrameCounter: NSObject, SCStreamOutput, Sendable {
  private let complete = Mutex(0)
  private let others = Mutex(0)

  var counts: [Int] { [complete.withLock(\.self), others.withLock(\.self)] }

  func stream(
    _ stream: SCStream, didOutputSampleBuffer sampleBuffer: CMSampleBuffer, of type: SCStreamOutputType
  ) {
    let attachments =
      CMSampleBufferGetSampleAttachmentsArray(sampleBuffer, createIfNecessary: false)
      as? [[SCStreamFrameInfo: Any]]
    let isComplete = attachments?.first?[.status] as? Int == SCFrameStatus.complete.rawValue
    if isComplete { complete.withLock { $0 += 1 } } else { others.withLock { $0 += 1 } }
  }
}

@MainActor @Suite struct TestCaptureTests {
  private let sharing = ScreenSharing()

  private func capture(
    _ picker: TestCapture.PickerAnswer = .display, backgroundModes: Set<String> = ["screen-capture"]
  ) -> TestCapture {
    TestCapture(picker: picker, backgroundModes: backgroundModes) { [sharing] in sharing.start() }
  }

  @Test func aSecondOfAScreenIs60Frames() async throws {
    let capture = capture()
    try await capture.start()
    #expect(sharing.stream != nil, "the app has learned of the start")
    let before = capture.figures.framesDelivered
    try await capture.run(for: .seconds(3))
    #expect(capture.figures.framesDelivered - before == 180 && capture.figures.framesDropped == 0)
    #expect(UInt64(sharing.frames.counts[0]) == capture.figures.framesDelivered)
  }

  @Test func theAppLearnsOfAStopAndStartsAgain() async throws {
    let capture = capture()
    try await capture.start()
    try await capture.run(for: .seconds(1))
    try await capture.perform("stop")
    #expect(sharing.endings == [-3817] && sharing.stream == nil && !capture.isCapturing)
    #expect(capture.figures.endingCode == -3817)
    try await capture.start()
    #expect(capture.isCapturing && capture.figures.starts == 2 && capture.figures.endingCode == nil)
  }

  @Test func withoutTheBackgroundModeTheStreamEnds() async throws {
    let capture = capture(backgroundModes: [])
    try await capture.start()
    try await capture.perform("background")
    #expect(sharing.endings == [-3824])
  }

  @Test func aScreenThatRestsHasAStatus() async throws {
    let capture = capture()
    try await capture.start()
    try await capture.perform("still:2")
    let before = sharing.frames.counts
    try await capture.run(for: .seconds(1))
    #expect(sharing.frames.counts[0] == before[0] && sharing.frames.counts[1] >= before[1] + 59)
  }

  @Test func thePersonMayCloseThePicker() async throws {
    let capture = capture(.cancel)
    try await capture.start()
    try await capture.run(for: .seconds(1))
    #expect(sharing.cancellations == 1 && !capture.isCapturing)
  }

  /// The stop of ScreenCaptureKit, which is asynchronous.
  @Test func theAppStopsItsStream() async throws {
    let capture = capture()
    try await capture.start()
    try await capture.asApp { try await sharing.stream?.stopCapture() }
    #expect(!capture.isCapturing && sharing.endings.isEmpty)
  }

  @Test func anAppThatStartsNothingFailsWithTheReason() async throws {
    let capture = TestCapture { SCContentSharingPicker.shared.present() }
    let error = await #expect(throws: TestCapture.Failure.self) { try await capture.start() }
    #expect(error?.description.contains("No stream started") == true)
    #expect(error?.description.contains("The picker is not active") == true)
  }

  @Test(arguments: [
    ("kill", "the process of the tests"), ("pause", "There is no event 'pause'"),
    ("unlock", "The device is not locked."),
  ]) func anImpossibleEventFailsWithTheReason(event: String, reason: String) async throws {
    let capture = capture()
    try await capture.start()
    let error = await #expect(throws: TestCapture.Failure.self) { try await capture.perform(event) }
    #expect(error?.description.contains(reason) == true)
  }

  @Test func twoCapturesOfAProcessDoNotMeet() async throws {
    let other = ScreenSharing()
    let (one, two) = (capture(), TestCapture { other.start() })
    try await one.start()
    try await two.start()
    try await one.perform("stop")
    #expect(!one.isCapturing && two.isCapturing && other.endings.isEmpty)
  }
}
