import CommandLineSupport
import Foundation

/// An examination of the files of an app and its extension.
struct ConfigurationExamination {
  static let extensionPoint = "com.apple.broadcast-services-upload"
  static let processMode = "RPBroadcastProcessModeSampleBuffer"

  let app: BundleConfiguration
  /// The extension; `nil` if the app contains none.
  let `extension`: BundleConfiguration?
  let date = Date()
  private(set) var findings: [Finding] = []
  /// The files and keys of SDKs whose values are wrong in themselves, so that they are not compared.
  var wrongValues: Set<[String]> = []
  /// The values that Xcode sets at build time and that a check has encountered (values with build variables, and missing
  /// keys), by file.
  var variables: [String: Set<String>] = [:]

  init(app: BundleConfiguration, extension: BundleConfiguration?) {
    self.app = app
    self.extension = `extension`
  }

  var sides: [BundleConfiguration] { [app, `extension`].compactMap { $0 } }

  mutating func run() {
    checkPlace()
    checkPrograms()
    checkIdentifiers()
    checkVersions()
    checkUpload()
    checkProfiles()
    if let `extension` { checkExtensionKeys(of: `extension`) }
    checkGroups()
    checkValues()
    checkDeploymentTargets()
    checkBackgroundModes()
    checkPurposes()
    for (path, texts) in variables.sorted(by: { $0.key < $1.key }) {
      add(
        .buildVariable, path,
        "Xcode sets \(texts.sorted().joined(separator: ", ")) when it builds, so it was not compared")
    }
  }

  mutating func add(_ kind: Finding.Kind, _ path: String, _ description: String, remedy: String? = nil) {
    findings.append(Finding(kind, path, description, remedy: remedy))
  }

  /// Whether `text` has no build variable. A text with a variable is reported as not compared.
  mutating func isKnown(_ text: String, in path: String) -> Bool {
    guard text.contains("$(") || text.contains("${") else { return true }
    variables[path, default: []].insert(text)
    return false
  }

  private mutating func checkPlace() {
    guard let bundle = app.bundle else { return }
    let plugIns = bundle + "/PlugIns"
    guard let `extension` else {
      guard capturesStream else {
        return add(.noExtension, plugIns, "the app contains no broadcast upload extension")
      }
      let target = app.text("MinimumOSVersion")
      if let target, (Int(target.prefix { $0 != "." }) ?? 0) < 27 {
        add(
          .noEarlierPath, plugIns,
          "the app captures with ScreenCaptureKit, runs from iOS \(target) on, and contains no broadcast upload extension"
        )
      }
      return
    }
    guard let path = `extension`.bundle else { return }
    let parent = URL(filePath: path).resolvingSymlinksInPath().deletingLastPathComponent().path
    if parent != URL(filePath: plugIns).resolvingSymlinksInPath().path {
      add(.extensionOutside, path, "the extension is not in \(plugIns)")
    }
  }
}

extension [String] {
  /// The strings in quotes, separated by commas.
  var quotedText: String { map(\.quoted).joined(separator: ", ") }
}
