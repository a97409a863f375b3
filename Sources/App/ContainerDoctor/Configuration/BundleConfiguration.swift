import CommandLineSupport
import Foundation

/// An app or an extension as its files declare it: the Info.plist and the entitlements.
struct BundleConfiguration {
  /// The entitlements and where they are.
  struct Entitlements {
    var path: String
    var list: [String: Any]
  }

  /// The bundle; `nil` if only an Info.plist was named.
  let bundle: String?
  let infoPlist: String
  let info: [String: Any]
  /// `nil` if none were named or found.
  let entitlements: Entitlements?

  /// Reads the files of a bundle, or an Info.plist.
  ///
  /// - Parameters:
  ///   - path: a built `.app` or `.appex`, or an Info.plist.
  ///   - entitlements: the path of the entitlements; `nil` to look for those of a bundle.
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
    } else if let bundle {
      self.entitlements = try Self.entitlements(of: bundle, program: info["CFBundleExecutable"] as? String)
    } else {
      self.entitlements = nil
    }
  }

  /// The identifier, unless it is missing.
  var identifier: String? { text("CFBundleIdentifier") }

  /// The dictionary `NSExtension`.
  var extensionKeys: [String: Any]? { info["NSExtension"] as? [String: Any] }

  /// A text of the Info.plist that is not empty.
  func text(_ key: String) -> String? {
    guard let text = info[key] as? String, !text.isEmpty else { return nil }
    return text
  }

  /// The app groups; `nil` if the entitlements are unknown.
  var groups: [String]? { entitlements.map { $0.list[Self.groupsKey] as? [String] ?? [] } }

  static let groupsKey = "com.apple.security.application-groups"

  /// The bundles of the app extensions in an app, in order of their names.
  static func extensions(in app: String) throws(ProgramFailure) -> [BundleConfiguration] {
    let folder = app + "/PlugIns"
    guard isFolder(folder) else { return [] }
    let names: [String]
    do { names = try FileManager.default.contentsOfDirectory(atPath: folder) } catch {
      throw ProgramFailure(.inputOutput, "\(folder) cannot be listed: \(error.reasonText).")
    }
    var bundles: [BundleConfiguration] = []
    for name in names.sorted() where name.hasSuffix(".appex") {
      bundles.append(try BundleConfiguration(path: folder + "/" + name, entitlements: nil))
    }
    return bundles
  }

  /// Finds entitlements: in the bundle, beside it, and in the signature of its program.
  private static func entitlements(
    of bundle: String, program: String?
  ) throws(ProgramFailure) -> Entitlements? {
    let places = [bundle + "/archived-expanded-entitlements.xcent", bundle + ".xcent"]
    if let path = places.first(where: { FileManager.default.fileExists(atPath: $0) }) {
      return Entitlements(path: path, list: try PropertyListFile.dictionary(path))
    }
    guard let program else { return nil }
    let path = bundle + "/" + program
    return signedEntitlements(in: path).map { Entitlements(path: path, list: $0) }
  }

  /// Reads the entitlements in a program's code signature: a blob of this magic number, its length, and the list in XML.
  private static func signedEntitlements(in path: String) -> [String: Any]? {
    let magic = Data([0xFA, 0xDE, 0x71, 0x71])
    // A program that cannot be read has no known entitlements, which is a finding.
    guard let data = try? Data(contentsOf: URL(filePath: path), options: .mappedIfSafe),
      let start = data.range(of: magic, options: .backwards)?.lowerBound, data.count - start >= 8
    else { return nil }
    let length = data[(start + 4)..<(start + 8)].reduce(0) { $0 << 8 | Int($1) }
    guard length >= 8, length <= data.count - start else { return nil }
    return PropertyListFile.dictionary(in: Data(data[(start + 8)..<(start + length)]))
  }

  private static func isFolder(_ path: String) -> Bool {
    var isFolder: ObjCBool = false
    // UNSAFE: the out parameter is a local variable.
    return unsafe FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && isFolder.boolValue
  }
}
