import CommandLineSupport
import Foundation

/// Finds the reasons why an app and its extension do not work together on a device: compares their Info.plists and
/// entitlements.
///
/// ```swift
/// let diagnosis = try ConfigurationDoctor(app: "MyApp.app").examine()
/// print(diagnosis.text)
/// ```
package struct ConfigurationDoctor {
  private let app: String
  private let appEntitlements: String?
  private let `extension`: String?
  private let extensionEntitlements: String?

  /// - Parameters:
  ///   - app: the path of the app's Info.plist, or of a built `.app`.
  ///   - extension: the path of the extension's Info.plist or bundle; `nil` for the broadcast upload extension in the
  ///     `.app`.
  ///   - appEntitlements: the path of the app's entitlements; `nil` for those in the bundle. `extensionEntitlements` works
  ///     alike.
  package init(
    app: String, appEntitlements: String? = nil, extension: String? = nil,
    extensionEntitlements: String? = nil
  ) {
    self.app = app
    self.appEntitlements = appEntitlements
    self.extension = `extension`
    self.extensionEntitlements = extensionEntitlements
  }

  /// Reads and compares the files. Throws if a file cannot be read, or if it is unclear what to compare.
  package func examine() throws(ProgramFailure) -> Diagnosis {
    let path = app
    let app = try BundleConfiguration(path: path, entitlements: appEntitlements)
    guard app.extensionKeys == nil else {
      throw ProgramFailure(
        .usage, "\(app.infoPlist) belongs to an extension; name the app with --app.", pointsToHelp: false)
    }
    var examination = ConfigurationExamination(app: app, extension: try uploadExtension(of: app))
    examination.run()
    return Diagnosis(configurationOf: path, findings: examination.findings)
  }

  /// Returns the extension that was named, or the one in the app; `nil` if the app contains none.
  private func uploadExtension(of app: BundleConfiguration) throws(ProgramFailure) -> BundleConfiguration? {
    if let path = `extension` {
      return try BundleConfiguration(path: path, entitlements: extensionEntitlements)
    }
    guard let bundle = app.bundle else {
      throw ProgramFailure(
        .usage,
        "\(app.infoPlist) does not contain the extension; name the extension's Info.plist with --extension.",
        pointsToHelp: false)
    }
    let all = try BundleConfiguration.extensions(in: bundle)
    let uploads = all.filter {
      $0.extensionKeys?["NSExtensionPointIdentifier"] as? String == ConfigurationExamination.extensionPoint
    }
    guard uploads.count < 2 else {
      let names = uploads.compactMap(\.bundle).map { URL(filePath: $0).lastPathComponent }.quotedText
      throw ProgramFailure(
        .usage,
        "\(bundle) contains \(uploads.count) broadcast upload extensions: \(names); choose one with --extension.",
        pointsToHelp: false)
    }
    // If the app has a single extension, it is meant, even with another extension point.
    guard let found = uploads.first ?? (all.count == 1 ? all.first : nil), let path = found.bundle else {
      return nil
    }
    return extensionEntitlements == nil
      ? found : try BundleConfiguration(path: path, entitlements: extensionEntitlements)
  }
}
