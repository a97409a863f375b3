import CommandLineSupport
import Platform
import SharedMemory

extension ExtensionInfo {
  /// Why an extension cannot be run as its Info.plist says.
  package enum Failure: Error, Equatable, Sendable, CustomStringConvertible {
    /// The file cannot be read.
    case unreadable(SystemError)
    /// The file is no property list, or too large for one of these.
    case noPropertyList(path: String)
    /// A key is not there, or its value is no text.
    case missing(String, path: String)
    /// A key of every bundle is not there, or its value is no text.
    case missingInBundle(String, path: String)
    /// It is an extension of another kind.
    case otherExtensionPoint(String, path: String)
    /// It wants its broadcast in another form than samples.
    case otherMode(String, path: String)
    /// The program has no such handler.
    case unknownClass(String, path: String, known: [String])

    /// One sentence without a full stop: what is wrong, in which file, and the way out.
    package var description: String {
      switch self {
      case .unreadable(let error): error.description
      case .noPropertyList(let path): "\(path) is not a property list of an extension"
      case .missing(let key, let path):
        "\(path) does not say \(key); an extension's Info.plist has it below NSExtension"
      case .missingInBundle(let key, let path): "\(path) does not say \(key), as every bundle must"
      case .otherExtensionPoint(let point, let path):
        "\(path) is of an extension for \(point.quoted); a broadcast upload extension says "
          + "NSExtensionPointIdentifier \(ExtensionInfo.extensionPoint)"
      case .otherMode(let mode, let path):
        "\(path) wants RPBroadcastProcessMode \(mode.quoted), which is not emulated; "
          + "a handler of samples says \(ExtensionInfo.processMode)"
      case .unknownClass(let name, let path, let known) where !name.contains("."):
        "\(path) names the principal class \(name.quoted) without its module, by which no Swift class is found; "
          + "this program has \(known.joined(separator: ", "))"
      case .unknownClass(let name, let path, let known):
        "\(path) names the principal class \(name.quoted), but this program has \(known.joined(separator: ", "))"
      }
    }

    /// What the program ends with: 64 for a file whose content cannot be followed.
    package var programFailure: ProgramFailure {
      switch self {
      case .unreadable(let error): ProgramFailure(errno: error.code, "\(self).")
      case .noPropertyList: ProgramFailure(.inputOutput, "\(self).")
      default: ProgramFailure(.usage, "\(self).", pointsToHelp: false)
      }
    }
  }
}
