import CommandLineSupport
import Foundation

// The requirements of the installation and the upload on the bundles of a built app.
extension ConfigurationExamination {
  mutating func checkPrograms() {
    for side in sides {
      guard let bundle = side.bundle else { continue }
      // If the app's program is missing, the comparison with the extension is still useful.
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

  /// Finds the properties of a built extension that the App Store rejects.
  mutating func checkUpload() {
    guard let `extension`, let bundle = `extension`.bundle else { return }
    for key in ["CFBundleDisplayName", "CFBundleName"] where `extension`.text(key) == nil {
      add(.noName, `extension`.infoPlist, "it has no \(key)")
    }
    for name in ["Frameworks", "PlugIns", "Extensions"] {
      let folder = bundle + "/" + name
      if BundleConfiguration.isFolder(folder) {
        add(.nestedBundles, folder, "the extension contains a folder \(name)")
      }
    }
  }

  /// Checks that the provisioning profiles allow the installation.
  mutating func checkProfiles() {
    for side in sides {
      guard let profile = side.profile else { continue }
      if let end = profile.expiration, end < date {
        add(.profileExpired, profile.path, "it expired on \(end.formatted(.iso8601.year().month().day()))")
      }
      // The team's prefix comes first. A profile for more than one app ends in an asterisk.
      guard let granted = profile.list["application-identifier"] as? String, let identifier = side.identifier,
        isKnown(identifier, in: side.infoPlist)
      else { continue }
      let name = granted.drop { $0 != "." }.dropFirst()
      let isGranted = name == identifier || (name.hasSuffix("*") && identifier.hasPrefix(name.dropLast()))
      if !isGranted {
        add(
          .profileIdentifier, profile.path,
          "it is for \(String(name).quoted), but the bundle is \(identifier.quoted)")
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
        "\(key) is \(inner.quoted), but in the app's Info.plist \(outer.quoted)")
    }
  }
}
