import Causes
import TestSupport

extension EndToEndTests {
  /// The subcommand `check` finds the fault of an otherwise correct handler, and reports it once.
  @MainActor @Suite(.busyMachine) struct PlantedFaultTests {
    let sandbox = Sandbox.ofSuite()
    private let pace = PaceMeter.ofCheck

    struct Fault: Sendable, CustomTestStringConvertible {
      /// A case of `PlantedFault`, in `RightHandlers`.
      var name: String
      var handler: String
      var scenarios: [String]
      var says: String
      /// Whether the fault fails the check, and is not only a warning.
      var fails = true

      var testDescription: String { name }
    }

    nonisolated static let faults = [
      Fault(
        name: "holdsSamples", handler: "PoolHandler", scenarios: ["misuse", "pace"],
        says: "holds so many samples"),
      Fault(
        name: "leaksFrames", handler: "JPEGSocketHandler", scenarios: ["handler-time"],
        says: "was killed for its memory"),
      Fault(
        name: "takesWidthForRow", handler: "JPEGSocketHandler", scenarios: ["pictures"],
        says: "is sheared by"),
      Fault(
        name: "ignoresOrientation", handler: "JPEGSocketHandler", scenarios: ["pictures"],
        says: "is rotated clockwise by 270°"),
      Fault(name: "mirrors", handler: "JPEGSocketHandler", scenarios: ["pictures"], says: "is mirrored"),
      Fault(
        name: "blanksAtRest", handler: "JPEGSocketHandler", scenarios: ["idle-screen"],
        says: "the app's picture no longer matches the screen", fails: false),
      Fault(
        name: "writesInPlace", handler: "PictureFileHandler", scenarios: ["storage"],
        says: "frame.jpg is written in place", fails: false),
      Fault(
        name: "sendsLate", handler: "JPEGSocketHandler", scenarios: ["after-the-end"],
        says: "app.socket was written", fails: false),
      Fault(
        name: "staysBusy", handler: "JPEGSocketHandler",
        scenarios: ["app-dies", "app-suspended", "socket-reset"], says: "sen"),
      Fault(name: "shiftsSound", handler: "HEVCHandler", scenarios: ["pause-resume"], says: "s apart"),
      Fault(
        name: "mixesSound", handler: "HEVCHandler", scenarios: ["call"],
        says: "is lost: its AVAssetWriter failed"),
    ]

    @Test(.needs(.ffmpeg, .libjpeg), arguments: faults)
    func aPlantedFaultIsFoundWithItsCause(fault: Fault) async throws {
      let check = try await sandbox.checkRightHandler(
        fault.handler, fault.scenarios, fault: fault.name,
        withApp: ["JPEGSocketHandler", "PictureFileHandler"].contains(fault.handler))
      try check.program.expectJudged(pace)
      let failed = try check.program.events("verdict").filter { $0.text("verdict") == "failed" }
      // The few frames of an overloaded host show no leak.
      try pace.expect {
        #expect(String(decoding: check.output, as: UTF8.self).contains(fault.says))
        #expect(failed.filter { !$0.said.contains(fault.says) }.map(\.said) == [])
        #expect(check.exitCode == (fault.fails ? 65 : 0))
      }
    }
  }
}
