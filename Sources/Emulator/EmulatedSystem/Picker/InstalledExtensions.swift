import CommandLineSupport
import Foundation
import Platform

/// The extensions of a device: the bundles `*.appex` in a folder.
package struct InstalledExtensions: Sendable {
  /// The path of the folder.
  package let folder: String
  /// The readable bundles, sorted by path.
  let extensions: [AppExtension]
  /// The problems of the other bundles.
  let unreadable: [ExtensionInfo.Failure]

  /// Reads a folder. Throws ``PickerFailure/noFolder(_:)`` if the folder cannot be read.
  package init(folder: String) throws(PickerFailure) {
    self.folder = folder
    let names: [String]
    do { names = try FileManager.default.contentsOfDirectory(atPath: folder) } catch {
      throw .noFolder(
        SystemError(call: "opendir", path: folder, code: InfoPropertyList.errno(of: error)))
    }
    var (extensions, unreadable) = ([AppExtension](), [ExtensionInfo.Failure]())
    for name in names.sorted() where name.hasSuffix(".appex") {
      do throws(ExtensionInfo.Failure) {
        extensions.append(try AppExtension(path: folder + "/" + name))
      } catch {
        unreadable.append(error)
      }
    }
    (self.extensions, self.unreadable) = (extensions, unreadable)
  }

  /// Returns the extension that a person can choose: the preferred one, or the only one.
  package func choose(_ preferredExtension: String?) throws(PickerFailure) -> AppExtension {
    let chosen = if let preferredExtension { try find(preferredExtension) } else { try findOnly() }
    try chosen.check()
    return chosen
  }

  private func find(_ identifier: String) throws(PickerFailure) -> AppExtension {
    let found = extensions.filter { $0.identifier == identifier }
    guard found.count < 2 else { throw .duplicates(identifier, found.map(\.path)) }
    guard let chosen = found.first else {
      let known = Set(extensions.map(\.identifier)).sorted()
      throw .unknown(identifier, known: known, unreadable: unreadable, folder: folder)
    }
    return chosen
  }

  private func findOnly() throws(PickerFailure) -> AppExtension {
    // The system lists only extensions that can broadcast.
    let shown = extensions.filter { $0.refusal == nil }
    guard shown.count < 2 else { throw .severalToChooseFrom(shown.map(\.identifier).sorted()) }
    if let only = shown.first { return only }
    // The refusal of the only extension says more than an empty list.
    guard let only = extensions.first, extensions.count == 1 else {
      throw .empty(folder, unreadable: unreadable)
    }
    return only
  }
}

/// Why the picker has no extension to launch. A device shows an empty list, or nothing happens.
package enum PickerFailure: Error, Equatable, Sendable, CustomStringConvertible {
  /// The folder of the extensions cannot be read.
  case noFolder(SystemError)
  /// The folder has no extension.
  case empty(String, unreadable: [ExtensionInfo.Failure])
  /// No extension has the preferred identifier.
  case unknown(String, known: [String], unreadable: [ExtensionInfo.Failure], folder: String)
  /// Several extensions have the preferred identifier; their paths.
  case duplicates(String, [String])
  /// There are several extensions and no preferred one; their identifiers.
  case severalToChooseFrom([String])
  /// The extension is not a broadcast upload extension that processes samples.
  case notBroadcasting(ExtensionInfo.Failure)
  /// The extension's program is missing or cannot be executed.
  case noProgram(String)

  /// One sentence without a full stop: the problem and the way out.
  package var description: String {
    switch self {
    case .noFolder(let error): "The folder of extensions cannot be read: \(error)"
    case .empty(let folder, let unreadable):
      "There is no extension in \(folder), which needs bundles 'Name.appex'" + Self.also(unreadable)
    case .unknown(let identifier, let known, let unreadable, let folder):
      "No extension in \(folder) has the identifier \(identifier.quoted); "
        + (known.isEmpty ? "there is none" : "there is \(Self.list(known))")
        + Self.also(unreadable)
    case .duplicates(let identifier, let paths):
      "\(paths.count) extensions have the identifier \(identifier.quoted): \(Self.list(paths)); remove one"
    case .severalToChooseFrom(let identifiers):
      "The picker shows \(identifiers.count) extensions: \(Self.list(identifiers)); "
        + "choose one with --extension"
    case .notBroadcasting(let failure): failure.description
    case .noProgram(let path): "\(path), which CFBundleExecutable names, is not a program"
    }
  }

  /// The program's failure.
  package var programFailure: ProgramFailure {
    switch self {
    case .noFolder(let error): ProgramFailure(errno: error.code, "\(self).")
    case .noProgram: ProgramFailure(.inputOutput, "\(self).")
    case .notBroadcasting(let failure): failure.programFailure
    default: ProgramFailure(.usage, "\(self).", pointsToHelp: false)
    }
  }

  private static func list(_ words: [String]) -> String { words.map(\.quoted).joined(separator: ", ") }

  private static func also(_ unreadable: [ExtensionInfo.Failure]) -> String {
    unreadable.map { "; \($0)" }.joined()
  }
}
