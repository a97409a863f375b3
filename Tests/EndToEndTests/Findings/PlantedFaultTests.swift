import Causes
import Foundation
import TestSupport
import Testing

extension EndToEndTests {
  /// The subcommand `check` finds what is wrong with a handler that is right but for one fault, and says it once.
  @MainActor @Suite struct PlantedFaultTests {
    let sandbox: Sandbox
    private let pace = PaceMeter.ofCheck

    init() throws { sandbox = try Sandbox() }

    struct Fault: Sendable, CustomTestStringConvertible {
      /// A case of `PlantedFault`, in `RightHandlers`.
      var name: String
      var handler: String
      var scenarios: [String]
      var kind: String
      var says: String
      /// Whether it is FAILED, and not told as a warning.
      var fails = true
      /// What the check says of it up to now, or "" for nothing; `nil` if it is right.
      var wrong: String?

      var testDescription: String { name }
    }

    nonisolated static let faults = [
      Fault(
        name: "leavesLocked", handler: "PoolHandler", scenarios: ["misuse", "start-finish"], kind: "misuse",
        says: "with its buffer still locked"),
      Fault(
        name: "holdsSamples", handler: "PoolHandler", scenarios: ["misuse", "pace"], kind: "held",
        says: "holds so many samples"),
      Fault(
        name: "staysSilent", handler: "JPEGSocketHandler", scenarios: ["socket-reset"], kind: "network",
        says: "neither ended the broadcast nor connected again"),
      Fault(
        name: "leaksFrames", handler: "JPEGSocketHandler", scenarios: ["handler-time"], kind: "killed",
        says: "was killed for its memory"),
      Fault(
        name: "computesLong", handler: "JPEGSocketHandler", scenarios: ["handler-time"], kind: "slow",
        says: "needs longer for a frame than the 16.7 ms"),
      Fault(
        name: "crashesAtAnnotation", handler: "PictureFileHandler", scenarios: ["annotation"],
        kind: "crashed", says: "There is no such app."),
      Fault(
        name: "takesWidthForRow", handler: "JPEGSocketHandler", scenarios: ["pictures"], kind: "pictureWrong",
        says: "is sheared by"),
      Fault(
        name: "ignoresOrientation", handler: "JPEGSocketHandler", scenarios: ["pictures"],
        kind: "pictureWrong",
        says: "is turned clockwise by 270°"),
      Fault(
        name: "mirrors", handler: "JPEGSocketHandler", scenarios: ["pictures"], kind: "pictureWrong",
        says: "is mirrored"),
      Fault(
        name: "blanksAtRest", handler: "JPEGSocketHandler", scenarios: ["rests"], kind: "rests",
        says: "the app's picture is not that of the screen any more", fails: false),
      Fault(
        name: "writesInPlace", handler: "PictureFileHandler", scenarios: ["storage"], kind: "fileWrong",
        says: "frame.jpg is written in place", fails: false),
      Fault(
        name: "sendsLate", handler: "JPEGSocketHandler", scenarios: ["after-the-end"],
        kind: "writtenAfterEnd",
        says: "app.socket was written", fails: false),
      Fault(
        name: "writesLate", handler: "PictureFileHandler", scenarios: ["after-the-end"],
        kind: "writtenAfterEnd", says: "result.json was written", fails: false),
      Fault(
        name: "endsNever", handler: "MovieHandler", scenarios: ["start-finish"], kind: "hung",
        says: "broadcastFinished has not returned"),
      Fault(
        name: "leavesUnfinished", handler: "MovieHandler", scenarios: ["start-finish"], kind: "file",
        says: "is lost: the extension ended without finishWriting"),
      Fault(
        name: "startsEarly", handler: "MovieHandler", scenarios: ["start-finish"], kind: "file",
        says: "is black for its first 1.0 s", fails: false),
      Fault(
        name: "shiftsSound", handler: "HEVCHandler", scenarios: ["pause-resume"], kind: "file",
        says: "apart", wrong: ""),
    ]

    @Test(.needs(.ffmpeg, .libjpeg), arguments: faults)
    func aPlantedFaultIsFoundWithItsCause(fault: Fault) async throws {
      let check = try await sandbox.checkRightHandler(
        fault.handler, fault.scenarios, fault: fault.name,
        withApp: ["JPEGSocketHandler", "PictureFileHandler"].contains(fault.handler))
      try check.program.expectJudged(pace)
      let failed = try check.program.events("verdict").filter { $0.text("verdict") == "failed" }
      withKnownIssue {
        #expect(String(decoding: check.output, as: UTF8.self).contains(fault.says), "no '\(fault.kind)'")
        #expect(failed.filter { !$0.said.contains(fault.says) }.map(\.said) == [])
        #expect(check.exitCode == (fault.fails ? 65 : 0))
      } when: {
        fault.wrong != nil
      }
    }
  }
}
