import CommandLineSupport
import Foundation

/// A broadcast upload extension as it is installed: a bundle `Name.appex`, as Xcode makes it.
///
/// It holds `Info.plist` and, beside it, the program `CFBundleExecutable` names: any that is made with
/// `BroadcastExtensionMain`, or a link to one.
package struct AppExtension: Equatable, Sendable {
  /// The bundle's folder.
  package let path: String
  /// `CFBundleIdentifier`.
  package let identifier: String
  /// The name of the program in the bundle.
  let executableName: String
  /// Why it cannot broadcast; `nil` when it can.
  let refusal: ExtensionInfo.Failure?

  /// The bundle's Info.plist.
  package var infoPlist: String { path + "/Info.plist" }

  /// The bundle's program.
  package var executable: String { path + "/" + executableName }

  /// Reads the bundle at `path`; throws when it does not even say what it is.
  init(path: String) throws(ExtensionInfo.Failure) {
    self.path = path
    let infoPlist = path + "/Info.plist"
    let list = try InfoPropertyList.read(infoPlist)
    identifier = try Self.text("CFBundleIdentifier", in: list, path: infoPlist)
    executableName = try Self.text("CFBundleExecutable", in: list, path: infoPlist)
    do throws(ExtensionInfo.Failure) {
      _ = try ExtensionInfo(list, path: infoPlist)
      refusal = nil
    } catch {
      refusal = error
    }
  }

  /// Checks that it can be launched.
  func check() throws(PickerFailure) {
    if let refusal { throw .notBroadcasting(refusal) }
    // A name with a slash would lead out of the bundle.
    guard !executableName.contains("/"), FileManager.default.isProgram(atPath: executable) else {
      throw .noProgram(executable)
    }
  }

  private static func text(
    _ key: String, in list: [String: Any], path: String
  ) throws(ExtensionInfo.Failure) -> String {
    guard let text = list[key] as? String, !text.isEmpty else { throw .missingInBundle(key, path: path) }
    return text
  }
}
