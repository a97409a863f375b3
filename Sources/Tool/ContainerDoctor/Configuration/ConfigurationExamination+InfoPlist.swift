import CommandLineSupport
import Foundation

// The checks of the keys of an Info.plist, and of the keys that the programs need.
extension ConfigurationExamination {
  mutating func checkIdentifiers() {
    for side in sides where side.identifier == nil {
      guard side.bundle == nil else {
        add(.noIdentifier, side.infoPlist, "it has no CFBundleIdentifier")
        continue
      }
      // Xcode adds the key to a target's generated Info.plist.
      variables[side.infoPlist, default: []].insert("CFBundleIdentifier")
    }
    guard let `extension`, let outer = app.identifier, let inner = `extension`.identifier else { return }
    let areKnown = [isKnown(outer, in: app.infoPlist), isKnown(inner, in: `extension`.infoPlist)]
    guard areKnown == [true, true], !inner.hasPrefix(outer + ".") || inner.count == outer.count + 1 else {
      return
    }
    add(
      .identifierOutside, `extension`.infoPlist,
      "the bundle identifier \(inner.quoted) is not below the app's, \(outer.quoted)",
      remedy: "give the extension an identifier such as '\(outer).broadcast'")
  }

  mutating func checkExtensionKeys(of side: BundleConfiguration) {
    let path = side.infoPlist
    let keys = side.extensionKeys ?? [:]
    func text(_ key: String) -> String? { keys[key] as? String }
    let point = text("NSExtensionPointIdentifier")
    if point != Self.extensionPoint {
      let found = point.map { "is \($0.quoted)" } ?? "is missing below NSExtension"
      add(.extensionPoint, path, "NSExtensionPointIdentifier \(found)")
    }
    let attributes = keys["NSExtensionAttributes"] as? [String: Any]
    let mode = text("RPBroadcastProcessMode") ?? attributes?["RPBroadcastProcessMode"] as? String
    if mode != Self.processMode {
      add(
        .processMode, path,
        "RPBroadcastProcessMode " + (mode.map { "is \($0.quoted)" } ?? "is missing below NSExtension"))
    }
    guard let name = text("NSExtensionPrincipalClass") else {
      if text("NSExtensionMainStoryboard") == nil {
        add(.principalClass, path, "NSExtensionPrincipalClass is missing below NSExtension")
      }
      return
    }
    let words = name.replacing(/\$[({][^)}]*[)}]/, with: "Variable").split(
      separator: ".", omittingEmptySubsequences: false)
    if !words.allSatisfy({ $0.wholeMatch(of: /[\p{L}_][\p{L}\p{N}_]*/) != nil }) {
      add(.principalClass, path, "NSExtensionPrincipalClass is \(name.quoted), not the name of a class")
    } else if words.count == 1 {
      add(.plainClass, path, "NSExtensionPrincipalClass is \(name.quoted), without a module")
    }
  }

  mutating func checkDeploymentTargets() {
    func version(_ side: BundleConfiguration?) -> (text: String, numbers: [Int])? {
      guard let side, let text = side.text("MinimumOSVersion"), isKnown(text, in: side.infoPlist) else {
        return nil
      }
      return (text, text.split(separator: ".").map { Int($0) ?? 0 } + [0, 0])
    }
    let (outer, inner) = (version(app), version(`extension`))
    if let outer, let inner, let `extension`,
      outer.numbers.prefix(2).lexicographicallyPrecedes(inner.numbers.prefix(2))
    {
      add(
        .targetAbove, `extension`.infoPlist,
        "the extension needs iOS \(inner.text), but the app runs from iOS \(outer.text) on")
    }
    if let outer, outer.numbers[0] < 12 {
      add(.targetOld, app.infoPlist, "the app runs from iOS \(outer.text) on")
    }
  }

  /// Permissions that iOS asks the person for: a name that occurs in programs that request the permission, and the Info.plist keys
  /// of the texts that iOS can show (one is required).
  private static let purposes = [
    ("requestRecordPermission", ["NSMicrophoneUsageDescription"]),
    ("PHPhotoLibrary", ["NSPhotoLibraryUsageDescription", "NSPhotoLibraryAddUsageDescription"]),
  ]

  mutating func checkPurposes() {
    // A program that cannot be read is another finding.
    guard let path = app.program, let program = try? CodeSignature.program(path) else { return }
    for (name, keys) in Self.purposes
    where keys.allSatisfy({ app.text($0) == nil }) && program.range(of: Data(name.utf8)) != nil {
      add(
        .noPurpose, app.infoPlist,
        "the program has \(name), but the Info.plist has no \(keys.joined(separator: " or "))")
    }
  }

  private var backgroundModes: [String] { app.info["UIBackgroundModes"] as? [String] ?? [] }

  private var hasCapturePurpose: Bool { app.info["NSScreenCaptureUsageDescription"] != nil }

  /// Whether the app captures with ScreenCaptureKit, according to its Info.plist.
  var capturesStream: Bool { hasCapturePurpose || backgroundModes.contains("screen-capture") }

  mutating func checkBackgroundModes() {
    let modes = backgroundModes
    if hasCapturePurpose, !modes.contains("screen-capture") {
      add(
        .noBackgroundCapture, app.infoPlist,
        "it has NSScreenCaptureUsageDescription, but UIBackgroundModes has no 'screen-capture'")
    }
    guard Set(modes).isDisjoint(with: ["audio", "voip"]) else { return }
    add(
      .noBackgroundAudio, app.infoPlist,
      modes.isEmpty
        ? "UIBackgroundModes is missing" : "UIBackgroundModes has \(modes.quotedText) and not 'audio'")
  }
}
