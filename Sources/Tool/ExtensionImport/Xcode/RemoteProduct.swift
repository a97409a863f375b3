/// A product of a package that Xcode fetches.
struct RemoteProduct {
  let name: String
  let url: String
  /// The version requirement, as in the project.
  let requirement: [String: String]
  /// Whether the extension's target links it.
  let isOfTarget: Bool

  /// The dependency on the package in a manifest.
  var dependency: String { ".package(url: \(url.swiftLiteral), \(versions))" }

  /// The dependency on the product in a manifest.
  var product: String {
    ".product(name: \(name.swiftLiteral), package: \(EmulatorPackage.name(of: url).swiftLiteral))"
  }

  private var versions: String {
    func text(_ key: String) -> String { (requirement[key] ?? "").swiftLiteral }
    return switch requirement["kind"] {
    case "upToNextMinorVersion": ".upToNextMinor(from: \(text("minimumVersion")))"
    case "exactVersion": "exact: \(text("version"))"
    case "versionRange": "\(text("minimumVersion"))..<\(text("maximumVersion"))"
    case "branch": "branch: \(text("branch"))"
    case "revision": "revision: \(text("revision"))"
    default: "from: \(text("minimumVersion"))"
    }
  }
}
