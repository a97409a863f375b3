import CommandLineSupport
import Foundation

/// The configuration of an app or an extension: its Info.plist and its entitlements.
struct BundleConfiguration {
  /// Entitlements and the path of the file that contains them.
  struct Entitlements {
    var path: String
    var list: [String: Any]
    /// When the provisioning profile that grants the entitlements expires.
    var expiration: Date?

    var groups: [String] { list[BundleConfiguration.groupsKey] as? [String] ?? [] }
  }

  /// The path of the bundle; `nil` if only an Info.plist was named.
  let bundle: String?
  let infoPlist: String
  let info: [String: Any]
  /// The entitlements; `nil` if none were named or found.
  let entitlements: Entitlements?
  /// Why the entitlements are unknown, as a clause.
  let entitlementsGap: String
  /// The entitlements that its provisioning profile grants; `nil` if there is no profile.
  let profile: Entitlements?

  /// Reads the files of a bundle, or an Info.plist.
  ///
  /// - Parameters:
  ///   - path: a built `.app` or `.appex`, or an Info.plist.
  ///   - entitlements: the path of the entitlements; `nil` to look for the entitlements of the bundle.
  init(path: String, entitlements: String?) throws(ProgramFailure) {
    bundle = Self.isFolder(path) ? path : nil
    infoPlist = bundle.map { $0 + "/Info.plist" } ?? path
    if let bundle, !FileManager.default.fileExists(atPath: infoPlist) {
      throw ProgramFailure(
        .inputOutput,
        "The folder \(bundle) has no Info.plist; name a built .app or .appex, or the file of an Info.plist.")
    }
    info = try PropertyListFile.dictionary(infoPlist)
    if let entitlements {
      self.entitlements = Entitlements(
        path: entitlements, list: try PropertyListFile.dictionary(entitlements))
      entitlementsGap = ""
    } else if let bundle {
      (self.entitlements, entitlementsGap) = try Self.entitlements(
        of: bundle, program: info["CFBundleExecutable"] as? String)
    } else {
      (self.entitlements, entitlementsGap) = (nil, "none were named")
    }
    profile = try bundle.flatMap { path throws(ProgramFailure) in try Self.profile(of: path) }
  }

  /// The bundle identifier; `nil` if it is missing or empty.
  var identifier: String? { text("CFBundleIdentifier") }

  var extensionKeys: [String: Any]? { info["NSExtension"] as? [String: Any] }

  /// Returns a string of the Info.plist; `nil` if it is missing or empty.
  func text(_ key: String) -> String? {
    guard let text = info[key] as? String, !text.isEmpty else { return nil }
    return text
  }

  /// The app groups; `nil` if the entitlements are unknown.
  var groups: [String]? { entitlements?.groups }

  /// The path of the program; `nil` if the Info.plist does not name one.
  var program: String? {
    guard let bundle, let name = text("CFBundleExecutable") else { return nil }
    return bundle + "/" + name
  }

  static let groupsKey = "com.apple.security.application-groups"
  static let protectionKey = "com.apple.developer.default-data-protection"

  /// Returns the app extensions in an app, sorted by name.
  static func extensions(in app: String) throws(ProgramFailure) -> [BundleConfiguration] {
    try names(in: app + "/PlugIns", with: ".appex").map { name throws(ProgramFailure) in
      try BundleConfiguration(path: app + "/PlugIns/" + name, entitlements: nil)
    }
  }

  /// Returns the names in a folder that end with a suffix, sorted. Empty if the folder does not exist.
  static func names(in folder: String, with suffix: String) throws(ProgramFailure) -> [String] {
    guard isFolder(folder) else { return [] }
    do {
      return try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasSuffix(suffix) }
        .sorted()
    } catch {
      throw ProgramFailure(.inputOutput, "\(folder) cannot be listed: \(error.reasonText).")
    }
  }

  /// Finds the entitlements in the signature of the program, in the bundle, or next to the bundle. Otherwise returns the reason
  /// why there are none.
  private static func entitlements(
    of bundle: String, program: String?
  ) throws(ProgramFailure) -> (Entitlements?, String) {
    var reason = "its program is not named"
    if let path = program.map({ bundle + "/" + $0 }), path != bundle + "/" {
      switch CodeSignature.read(path) {
      case .entitlements(let list): return (Entitlements(path: path, list: list), "")
      case .unknown(let why): reason = why
      }
    }
    let places = [bundle + "/archived-expanded-entitlements.xcent", bundle + ".xcent"]
    guard let path = places.first(where: { FileManager.default.fileExists(atPath: $0) }) else {
      return (nil, reason)
    }
    return (Entitlements(path: path, list: try PropertyListFile.dictionary(path)), "")
  }

  /// Reads the entitlements that the bundle's provisioning profile grants. A profile is a signed message with an XML property
  /// list.
  private static func profile(of bundle: String) throws(ProgramFailure) -> Entitlements? {
    let path = bundle + "/embedded.mobileprovision"
    guard FileManager.default.fileExists(atPath: path) else { return nil }
    let data = Data(try PropertyListFile.bytes(path, limit: PropertyListFile.limit))
    guard let start = data.range(of: Data("<?xml".utf8))?.lowerBound,
      let end = data.range(of: Data("</plist>".utf8), in: start..<data.endIndex)?.upperBound,
      let list = PropertyListFile.dictionary(in: Data(data[start..<end]))
    else { throw ProgramFailure(.inputOutput, "\(path) is not a provisioning profile.") }
    return Entitlements(
      path: path, list: list["Entitlements"] as? [String: Any] ?? [:],
      expiration: list["ExpirationDate"] as? Date)
  }

  static func isFolder(_ path: String) -> Bool {
    var isFolder: ObjCBool = false
    // UNSAFE: the out parameter is a local variable.
    return unsafe FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && isFolder.boolValue
  }
}
