import CommandLineSupport
import Foundation

/// The emulator's package, as a dependency of a new package.
enum EmulatorPackage: Equatable {
  /// A clone.
  case folder(URL)
  /// - Parameter requirement: the version or the commit, as in a manifest.
  case remote(url: String, requirement: String)

  private static let name = "broadcast-emulator"

  /// Parses a path, or a URL with a version or a commit, as in `https://example.com/emulator.git@1.0.0`.
  init(_ text: String) throws(ProgramFailure) {
    if Self.isPackage(URL(filePath: text)) {
      self = .folder(URL(filePath: text).resolvingSymlinksInPath())
      return
    }
    guard let match = text.wholeMatch(of: /(.+)@(?:(\d+\.\d+\.\d+[0-9A-Za-z.+-]*)|([0-9a-f]{40}))/),
      match.1.contains(":") || match.1.hasPrefix("/")
    else {
      throw ProgramFailure(
        .usage,
        "--emulator expects the folder of the emulator's package, or a URL with '@' and a version or a commit of "
          + "40 digits, not \(text.quoted).")
    }
    let url = (match.1.hasPrefix("/") ? "file://" : "") + match.1
    let requirement =
      match.2.map { "from: \(String($0).swiftLiteral)" } ?? "revision: \"\(match.3 ?? "")\""
    self = .remote(url: url, requirement: requirement)
  }

  /// Finds the package that a program was built from, or the emulator among the dependencies of that package.
  init(ofProgram program: URL) throws(ProgramFailure) {
    guard let folder = try Self.folder(above: program.resolvingSymlinksInPath()) else {
      throw ProgramFailure(
        .usage,
        "The emulator's package is not above \(program.path); name its folder or its URL with --emulator.",
        pointsToHelp: false)
    }
    self = .folder(folder)
  }

  private static func folder(above program: URL) throws(ProgramFailure) -> URL? {
    var folder = program.deletingLastPathComponent()
    while folder.path != "/" {
      if isPackage(folder) { return folder }
      let checkouts = folder.appending(path: ".build/checkouts")
      if XcodeTarget.isFolder(checkouts.path) {
        do {
          let packages = try FileManager.default.contentsOfDirectory(
            at: checkouts, includingPropertiesForKeys: nil)
          if let package = packages.first(where: isPackage) { return package }
        } catch {
          throw ProgramFailure(.inputOutput, "\(checkouts.path) cannot be listed: \(error.reasonText).")
        }
      }
      folder.deleteLastPathComponent()
    }
    return nil
  }

  private static func isPackage(_ folder: URL) -> Bool {
    // A folder whose manifest cannot be read is not the package.
    (try? String(contentsOf: manifest(in: folder), encoding: .utf8))?.contains("name: \"\(name)\",") == true
  }

  private static func manifest(in folder: URL) -> URL { folder.appending(path: "Package.swift") }

  /// Returns the text of the emulator's manifest. For a URL it is the manifest of the package that `program` was built
  /// from; `nil` if there is none.
  func manifest(_ program: URL) throws(ProgramFailure) -> String? {
    var folder = program.resolvingSymlinksInPath()
    if case .folder(let path) = self {
      folder = path
    } else if let found = try Self.folder(above: folder) {
      folder = found
    } else {
      return nil
    }
    do { return try String(contentsOf: Self.manifest(in: folder), encoding: .utf8) } catch {
      throw ProgramFailure(.inputOutput, "\(folder.path)/Package.swift cannot be read: \(error.reasonText).")
    }
  }

  /// Returns the dependency for a manifest, and the package name by which its products are used.
  func dependency(from package: URL) -> (declaration: String, name: String) {
    switch self {
    case .folder(let folder):
      let path = Self.path(to: folder, from: package).swiftLiteral
      return (".package(name: \"\(Self.name)\", path: \(path))", Self.name)
    case .remote(let url, let requirement):
      return (".package(url: \(url.swiftLiteral), \(requirement))", Self.name(of: url))
    }
  }

  /// Returns the name that SwiftPM gives a package: the last part of its URL.
  static func name(of url: String) -> String {
    url.split(separator: "/").last.map { String($0.hasSuffix(".git") ? $0.dropLast(4) : $0) } ?? name
  }

  /// Returns a relative path if the folders have more than the root in common, so that both can be moved; otherwise the
  /// absolute path.
  static func path(to target: URL, from folder: URL) -> String {
    let (there, here) = (target.pathComponents, folder.pathComponents)
    let common = zip(there, here).prefix { $0 == $1 }.count
    guard common > 1 else { return target.path }
    let up = [String](repeating: "..", count: here.count - common)
    let path = (up + there[common...]).joined(separator: "/")
    return path.isEmpty ? "." : path
  }
}
