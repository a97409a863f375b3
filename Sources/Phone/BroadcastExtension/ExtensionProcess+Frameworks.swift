import AppleFoundation
import CommandLineSupport
import EmulatedDevice
import EmulatedSystem
import Foundation
import Platform
import os

/// A message that the handler has written with `Logger` or `os_log`.
struct LogEvent: JSONEvent {
  static let event = "log"
  /// The subsystem and the category of the message (empty for the default log).
  var subsystem: String
  var category: String
  /// `debug`, `info`, `default`, `error` or `fault`.
  var level: String
  /// The message, including private values.
  var text: String
}

extension ExtensionProcess {
  /// Writes the messages of `Logger` and `os_log` as JSON lines. By default they go to stderr.
  func writeLogAsJSON() {
    let lines = JSONLines(to: .output)
    LogOutput.set { message in
      let event = LogEvent(
        subsystem: message.subsystem, category: message.category, level: message.type.name, text: message.text
      )
      do throws(ProgramFailure) { try lines.write(event) } catch {
        NSLog("%@", "A log message is lost: \(error)")
      }
    }
  }

  /// Grants only the app groups of the entitlements at `path`, and gives the files of the data container the default class of the
  /// entitlements. If `path` is `nil`, all groups stay granted.
  func applyEntitlements(from path: String?) throws(ProgramFailure) {
    guard let path else { return }
    let list = try PropertyListFile.dictionary(path)
    let name = list["com.apple.developer.default-data-protection"] as? String
    do throws(FileError) {
      try dataContainer.protect(name.map(FileProtectionType.init(rawValue:)) ?? ProtectedFiles.standard)
    } catch {
      report("The default protection of the extension's files is not kept: \(error).")
    }
    AppGroupEntitlements.grant(Set(list["com.apple.security.application-groups"] as? [String] ?? []))
  }

  /// Fills `Bundle.main` as a build does: with the keys that a build adds, and with the values of the Info.plist at `path`,
  /// in which Xcode's variables are replaced. The file was checked before.
  func fillMainBundle(from path: String?) {
    let name = program.name
    let variables = [
      "PRODUCT_BUNDLE_IDENTIFIER": "com.example.\(name)", "PRODUCT_NAME": name, "PRODUCT_MODULE_NAME": name,
      "EXECUTABLE_NAME": name, "DEVELOPMENT_LANGUAGE": "en",
    ]
    func replaced(_ value: Any) -> Any {
      switch value {
      case let text as String:
        variables.reduce(text) { text, variable in
          text.replacingOccurrences(of: "$(\(variable.key))", with: variable.value)
            .replacingOccurrences(of: "${\(variable.key)}", with: variable.value)
        }
      case let values as [String: Any]: values.mapValues(replaced)
      case let values as [Any]: values.map(replaced)
      default: value
      }
    }
    MainBundle.add([
      "CFBundleIdentifier": "com.example.\(name)", "CFBundleName": name, "CFBundleExecutable": name,
      "CFBundleVersion": "1", "CFBundleShortVersionString": "1.0",
    ])
    guard let path else { return }
    do throws(ProgramFailure) {
      MainBundle.add(try PropertyListFile.dictionary(path).mapValues(replaced))
    } catch {
      NSLog("%@", "Bundle.main has no values of \(path): \(error)")
    }
  }
}
