import CommandLineSupport
import Platform
import SharedMemory

/// Why the picker has no extension to launch. On a device it shows an empty list, or nothing happens.
package enum PickerFailure: Error, Equatable, Sendable, CustomStringConvertible {
  /// The folder of the extensions cannot be read.
  case noFolder(SystemError)
  /// There is no extension in it.
  case empty(String, unreadable: [ExtensionInfo.Failure])
  /// None has the preferred identifier.
  case unknown(String, known: [String], unreadable: [ExtensionInfo.Failure], folder: String)
  /// Several have it.
  case doubled(String, [String])
  /// No one is preferred, and there are several.
  case severalToChooseFrom([String])
  /// It is no broadcast upload extension, or one of another kind.
  case notBroadcasting(ExtensionInfo.Failure)
  /// Its program is not there, or is none.
  case noProgram(String)

  /// One sentence without a full stop: what is wrong, and the way out.
  package var description: String {
    switch self {
    case .noFolder(let error): "The extensions cannot be looked at: \(error)"
    case .empty(let folder, let unreadable):
      "There is no extension in \(folder), which wants bundles 'Name.appex'" + Self.also(unreadable)
    case .unknown(let identifier, let known, let unreadable, let folder):
      "No extension in \(folder) is called \(identifier.quoted); "
        + (known.isEmpty ? "there is none" : "there is \(Self.list(known))")
        + Self.also(unreadable)
    case .doubled(let identifier, let paths):
      "\(paths.count) extensions are called \(identifier.quoted): \(Self.list(paths)); take one away"
    case .severalToChooseFrom(let identifiers):
      "The picker shows \(identifiers.count) extensions: \(Self.list(identifiers)); "
        + "choose one with --extension"
    case .notBroadcasting(let failure): failure.description
    case .noProgram(let path): "\(path) is not a program; it is what CFBundleExecutable names"
    }
  }

  /// What the program ends with.
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
