import BroadcastHost
import CommandLineSupport
import Foundation
import PictureFormats
import SharedMemory
import Testing

@Suite struct BroadcastEndingTests {
  @Test(arguments: [
    (BroadcastEnding.bySystem, "stoppedBySystem"), (.endOfContent, "endOfSource"),
    (.durationReached, "duration"), (.framesReached, "frames"),
    (.byExtension(RecordingHandler.error()), "stoppedByApp"),
  ])
  func anEndInOrderHasItsReasonAndNoFailure(_ ending: BroadcastEnding, _ reason: String) {
    #expect(ending.reason == reason)
    #expect(ending.failure == nil)
  }

  @Test func anErrorWithACauseHasTheExitCodeOfTheCause() {
    let held = BroadcastEnding.byExtension(
      RecordingHandler.error(2, underlying: ProducerLock.Failure.held(by: 7)))
    #expect(held.reason == "extensionError")
    #expect(held.failure == ProgramFailure(.cannotCreate, "Broadcast completed."))
    let denied = SystemError(call: "open", path: "x", code: EACCES)
    let forbidden = BroadcastEnding.byExtension(
      RecordingHandler.error(2, underlying: StorageError.system(denied)))
    #expect(forbidden.failure?.exitCode == .notPermitted)
    let other = BroadcastEnding.byExtension(
      RecordingHandler.error(2, underlying: CocoaError(.coderInvalidValue)))
    #expect(other.failure?.exitCode == .internalError)
  }

  @Test(arguments: [
    (Y4MReader.Error.open(path: "clip.y4m", errno: EACCES), ExitCode.notPermitted),
    (.open(path: "clip.y4m", errno: ENOENT), .inputOutput),
    (.truncated(path: "clip.y4m", frame: 3), .inputOutput),
  ])
  func aClipThatCannotBeReadHasTheExitCodeOfTheSystemsError(_ error: Y4MReader.Error, _ code: ExitCode) {
    let ending = BroadcastEnding.contentFailed(.clip(error))
    #expect(ending.reason == "sourceError")
    #expect(ending.failure == ProgramFailure(code, "\(error)."))
  }
}
