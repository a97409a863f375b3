import CommandLineSupport
import EmulatedSystem
import Foundation
import Platform

/// A team's statements about its extension, so that a check does not report intended behaviour as a fault.
///
/// `Docs/Check.md` describes the file.
package struct CheckDesign: Equatable, Sendable {
  /// The behaviour of the extension when its app was swiped away or suspended.
  package enum WithoutApp: String, CaseIterable, Sendable {
    /// The extension ends the broadcast.
    case ends
    /// The extension continues, and waits for the app.
    case waits
  }

  /// The behaviour without the app; `nil` if it is not stated, so that both are accepted.
  package var withoutApp: WithoutApp?
  /// Whether the handler may refuse a broadcast without its app.
  package var refusesWithoutApp = false
  package var recording = RecordingDesign()
  /// The names of files that each broadcast may leave in the container (`*` matches any characters). A matching recording
  /// may be incomplete.
  package var leftoverFiles: [String] = []
  /// The skipped scenarios, each with the reason why it does not concern the extension.
  package var skippedScenarios: [String: String] = [:]
  /// The path of the file in verdicts.
  package var file = ""

  package init() {}

  /// Reads the file at `path`.
  package init(path: String) throws(ProgramFailure) {
    let text: String
    do { text = String(decoding: try PlainFile.read(path, limit: 1 << 20), as: UTF8.self) } catch {
      throw ProgramFailure(error)
    }
    do {
      try self.init(parsing: text, file: path, scenarios: BuiltInScenarios.all().map(\.name))
    } catch {
      throw ProgramFailure(.verificationFailed, error.description)
    }
  }

  init(parsing text: String, file: String, scenarios: [String]) throws(ScenarioError) {
    self.file = file
    var keys = try ScenarioLine(parsing: text[...], place: file)
    withoutApp = try keys.choice("withoutApp", "'ends' or 'waits'")
    refusesWithoutApp = try keys.flag("refusesWithoutApp")
    if var keys = try keys.object("recording") {
      recording.pauses = try keys.choice("pauses", "'kept' or 'cut'")
      recording.startsWithSound = try keys.flag("startsWithSound")
      if let word = try keys.text("length") {
        guard word == "free" else { throw keys.wrong("length", "'free'", .string(word)) }
        recording.isFree = true
      }
      try keys.finish()
    }
    leftoverFiles = try keys.texts("leftoverFiles")
    if var reasons = try keys.object("skippedScenarios") {
      for name in scenarios where reasons.has(name) {
        skippedScenarios[name] = try reasons.required(name, "why the scenario does not concern the extension")
      }
      try reasons.finish()
    }
    try keys.finish()
  }

  /// The file extensions of recordings. An extension that records leaves one recording for each broadcast.
  private static let recordings: Set = [
    "mp4", "mov", "m4v", "m4a", "m4s", "ts", "m3u8", "aac", "caf", "wav", "h264",
  ]

  /// Whether a file that a broadcast left is part of the design.
  func allows(leftFile path: String) -> Bool {
    Self.recordings.contains(URL(filePath: path).pathExtension.lowercased()) || names(leftFile: path)
  }

  /// Whether ``leftoverFiles`` contains the file.
  func names(leftFile path: String) -> Bool {
    leftoverFiles.contains { pattern in
      let parts = pattern.split(separator: "*", omittingEmptySubsequences: false)
        .map { NSRegularExpression.escapedPattern(for: String($0)) }
      let name = URL(filePath: path).lastPathComponent
      return name.range(of: "^\(parts.joined(separator: ".*"))$", options: .regularExpression) != nil
    }
  }
}
