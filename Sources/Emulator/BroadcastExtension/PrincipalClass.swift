import EmulatedSystem
import ReplayKit

/// A class that can be the principal class of the extension, and how an object of it is made.
///
/// ```swift
/// PrincipalClass(SampleHandler())
/// ```
/// The system of a device makes the object by the class' name. Swift can find a class by its name on Linux too, but
/// cannot call an `init()` that is not `required`; so a program says how its handlers are made.
public struct PrincipalClass: Sendable {
  /// The class with its module, as in an Info.plist: `MyExtension.SampleHandler`.
  public let name: String
  let make: @MainActor () -> RPBroadcastSampleHandler

  /// The class of `handler`, which is evaluated when the extension is launched, and only if this class is chosen.
  public init<Handler: RPBroadcastSampleHandler>(
    _ handler: @autoclosure @escaping @MainActor () -> Handler
  ) {
    name = String(reflecting: Handler.self)
    make = { handler() }
  }

  /// Whether this is the class an Info.plist calls `name`, where Xcode's `$(PRODUCT_MODULE_NAME)` stands for the
  /// module of any handler of the program.
  func isNamed(_ name: String) -> Bool {
    let placeholders = ["$(PRODUCT_MODULE_NAME).", "${PRODUCT_MODULE_NAME}."]
    guard let placeholder = placeholders.first(where: { name.hasPrefix($0) }) else {
      return name == self.name
    }
    return self.name.split(separator: ".").last.map(String.init) == String(name.dropFirst(placeholder.count))
  }
}

extension [PrincipalClass] {
  /// The one an Info.plist names; the first without an Info.plist. There is at least one.
  func chosen(by info: ExtensionInfo?) throws(ExtensionInfo.Failure) -> PrincipalClass {
    guard let info else { return self[0] }
    guard let chosen = first(where: { $0.isNamed(info.principalClass) }) else {
      throw ExtensionInfo.Failure.unknownClass(
        info.principalClass, path: info.path, known: map(\.name))
    }
    return chosen
  }
}
