import CommandLineSupport
import Foundation
import Platform

/// A broadcast upload extension as it is installed: a bundle `Name.appex`, as Xcode builds it.
///
/// The bundle holds `Info.plist` and the program that `CFBundleExecutable` names: one built with
/// `BroadcastExtensionMain`, or a link to one.
package struct AppExtension: Equatable, Sendable {
  private let path: String
  /// `CFBundleIdentifier`.
  package let identifier: String
  private let executableName: String
  /// The reason why the extension cannot broadcast; `nil` if it can.
  private let refusal: ProgramFailure?

  package var infoPlist: String { path + "/Info.plist" }
  package var executable: String { path + "/" + executableName }

  /// Reads the bundle at `path`. Throws if its Info.plist cannot be read or lacks the bundle's identifier or program.
  private init(path: String) throws(ProgramFailure) {
    self.path = path
    let infoPlist = path + "/Info.plist"
    let list = try PropertyListFile.dictionary(infoPlist)
    func text(_ key: String) throws(ProgramFailure) -> String {
      guard let text = list[key] as? String, !text.isEmpty else {
        throw .refusedExtension("\(infoPlist) has no \(key), which every bundle needs.")
      }
      return text
    }
    identifier = try text("CFBundleIdentifier")
    executableName = try text("CFBundleExecutable")
    do throws(ProgramFailure) {
      _ = try ExtensionInfo(list, path: infoPlist)
      refusal = nil
    } catch {
      refusal = error
    }
  }

  /// Returns the extension that a person can choose of those in `folder`: the preferred one, or the only one. Where this
  /// throws, a device shows an empty list, or nothing happens.
  package static func chosen(
    in folder: String, preferring preferred: String?
  ) throws(ProgramFailure) -> AppExtension {
    let (installed, problems) = try installed(in: folder)
    // The system lists only extensions that can broadcast. The refusal of the only extension says more than an empty list.
    var shown = installed.filter { $0.refusal == nil }
    if shown.isEmpty, installed.count == 1 { shown = installed }
    if let preferred { shown = installed.filter { $0.identifier == preferred } }
    guard shown.count == 1, let chosen = shown.first else {
      let (known, paths) = (Set(installed.map(\.identifier)).sorted(), shown.map(\.path))
      let problem =
        switch (preferred, shown.count) {
        case (nil, 0): "There is no extension in \(folder), which needs bundles 'Name.appex'." + problems
        case (nil, let count):
          "The picker shows \(count) extensions: \(list(shown.map(\.identifier).sorted())); choose one with --extension."
        case (let preferred?, 0):
          "No extension in \(folder) has the identifier \(preferred.quoted); there is "
            + (known.isEmpty ? "none." : "\(list(known)).") + problems
        case (let preferred?, let count):
          "\(count) extensions have the identifier \(preferred.quoted): \(list(paths)); remove one."
        }
      throw .refusedExtension(problem)
    }
    if let refusal = chosen.refusal { throw refusal }
    // A name with a slash would lead out of the bundle.
    guard !chosen.executableName.contains("/"), FileManager.default.isProgram(atPath: chosen.executable)
    else {
      throw ProgramFailure(
        .inputOutput, "\(chosen.executable), which CFBundleExecutable names, is not a program.")
    }
    return chosen
  }

  /// The readable bundles in `folder`, sorted by path, and sentences about the others.
  private static func installed(
    in folder: String
  ) throws(ProgramFailure) -> (extensions: [AppExtension], problems: String) {
    let names: [String]
    do {
      _ = try System.open(URL(filePath: folder).resolvingSymlinksInPath().path, System.folder)
      names = try FileManager.default.contentsOfDirectory(atPath: folder)
    } catch {
      let code = (error as? FileError)?.code ?? EIO
      throw ProgramFailure(
        errno: code,
        code == ENOTDIR
          ? "\(folder) is not a folder; name the folder of the installed extensions."
          : "The folder of extensions cannot be read: \(error).")
    }
    var (extensions, problems) = ([AppExtension](), "")
    for name in names.sorted() where name.hasSuffix(".appex") {
      do throws(ProgramFailure) { extensions.append(try AppExtension(path: folder + "/" + name)) } catch {
        problems += " " + error.message
      }
    }
    return (extensions, problems)
  }

  private static func list(_ words: [String]) -> String { words.map(\.quoted).joined(separator: ", ") }
}
