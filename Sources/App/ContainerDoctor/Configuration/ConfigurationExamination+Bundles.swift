import CommandLineSupport
import Foundation

// What the installation of a built app and its upload require of both bundles.
extension ConfigurationExamination {
  mutating func checkPrograms() {
    for side in sides {
      guard let bundle = side.bundle else { continue }
      // Without the program of the app, the comparison with the extension is still worth its result.
      let kind: Finding.Kind = bundle == app.bundle ? .noAppProgram : .noProgram
      guard let program = side.program else {
        add(kind, side.infoPlist, "it has no CFBundleExecutable")
        continue
      }
      if !FileManager.default.fileExists(atPath: program) {
        add(kind, program, "the program that CFBundleExecutable names is missing")
      }
    }
  }

  mutating func checkVersions() {
    guard let `extension` else { return }
    for key in ["CFBundleShortVersionString", "CFBundleVersion"] {
      for side in sides where side.bundle != nil && side.text(key) == nil {
        add(.noVersion, side.infoPlist, "it has no \(key)")
      }
      guard let outer = app.text(key), let inner = `extension`.text(key),
        [isKnown(outer, in: app.infoPlist), isKnown(inner, in: `extension`.infoPlist)] == [true, true],
        outer != inner
      else { continue }
      add(
        .versionUnlike, `extension`.infoPlist,
        "\(key) is \(inner.quoted), and in the app's Info.plist \(outer.quoted)")
    }
  }
}
