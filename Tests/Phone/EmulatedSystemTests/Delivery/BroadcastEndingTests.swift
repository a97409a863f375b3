import Causes
import EmulatedSystem
import PictureFormats
import ReplayKit
import ScreenBroadcast
import TestSupport

@Suite struct BroadcastEndingTests {
  @Test(arguments: [
    (BroadcastEnding.bySystem, "stoppedBySystem"), (.endOfContent, "endOfSource"),
    (.durationReached, "duration"), (.framesReached, "frames"),
    (.byExtension(RecordingHandler.error()), "stoppedByApp"), (.gracefullyByExtension, "endedByExtension"),
  ])
  func anOrderlyEndingHasItsReasonAndNoFailure(_ ending: BroadcastEnding, _ reason: String) {
    #expect(ending.reason == reason)
    #expect(ending.failure == nil)
  }

  @Test func anErrorWithACauseHasTheExitCodeOfTheCause() {
    let held = BroadcastEnding.byExtension(
      RecordingHandler.error(2, underlying: FileError(.held(by: 7), "lock")))
    #expect(held.reason == "extensionError")
    #expect(held.failure == ProgramFailure(.cannotCreate, "Broadcast completed."))
    let denied = FileError(.call("open", Errno(rawValue: EACCES)), "x")
    let forbidden = BroadcastEnding.byExtension(RecordingHandler.error(2, underlying: denied))
    #expect(forbidden.failure?.exitCode == .notPermitted)
  }

  /// An error of a handler other than the article's, with or without an underlying error.
  @Test(arguments: [
    ("com.example.Extension", 1, false), ("com.acme.BroadcastExtension", 1, false),
    ("BroadcastExtension.com", 1, false), (RPRecordingErrorDomain, -5806, false),
    ("com.example.Extension", 1, true),
    ("TestBroadcastExtension", 2, true), ("", 0, false),
  ])
  func anErrorOfAnotherHandlerHasItsOwnExitCode(_ domain: String, _ code: Int, _ hasCause: Bool) {
    var userInfo: [String: Any] = [NSLocalizedDescriptionKey: "Screen sharing stopped"]
    if hasCause { userInfo[NSUnderlyingErrorKey] = CocoaError(.fileNoSuchFile) }
    let ending = BroadcastEnding.byExtension(NSError(domain: domain, code: code, userInfo: userInfo))
    #expect(ending.reason == "extensionError")
    #expect(
      ending.failure
        == ProgramFailure(
          .endedByHandler,
          "The handler ended the broadcast with \(domain), code \(code): Screen sharing stopped."))
  }

  @Test func anErrorWithoutATextHasTheWordsOfADevice() {
    let ending = BroadcastEnding.byExtension(NSError(domain: "a.b", code: 7))
    #expect(
      ending.failure?.message
        == "The handler ended the broadcast with a.b, code 7: The operation couldn’t be completed. (a.b error 7.)"
    )
  }

  @Test func theArticlesCodeWithAnUnderlyingErrorIsAFailure() {
    let domain = SampleHandler.errorDomain
    let cause = FileError(.call("open", Errno(rawValue: EACCES)), "x")
    func failure(_ code: Int, _ cause: (any Error)?) -> ProgramFailure? {
      var userInfo: [String: Any] = [NSLocalizedDescriptionKey: "Ended."]
      userInfo[NSUnderlyingErrorKey] = cause
      return BroadcastEnding.byExtension(NSError(domain: domain, code: code, userInfo: userInfo)).failure
    }
    #expect(failure(1, nil) == nil)
    #expect(failure(1, cause) == ProgramFailure(.notPermitted, "Ended."))
    #expect(failure(3, CocoaError(.fileNoSuchFile)) == ProgramFailure(.internalError, "Ended."))
    #expect(failure(9, nil)?.exitCode == .endedByHandler)
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
