import CommandLineSupport
import EmulatedSystem
import ReplayKitCore
import ScreenBroadcast

/// A class that can be the principal class of the extension, and the way to make an object of it.
///
/// ```swift
/// PrincipalClass(SampleHandler())
/// ```
/// A device makes the object by the class' name. Swift on Linux finds a class by its name too, but it cannot call an
/// `init()` that is not `required`; so a program states how its handlers are made.
public struct PrincipalClass: Sendable {
  /// The class with its module, as in an Info.plist: `MyExtension.SampleHandler`.
  public let name: String
  /// Another name by which an Info.plist may name the class.
  let nameInInfoPlist: String?
  /// Whether it is the handler of the article or a subclass, whose app is the consumer.
  let isArticles: Bool
  let make: @MainActor () -> RPBroadcastSampleHandler

  /// The class of `handler`, which is evaluated when the extension is launched, and only if this class is chosen.
  ///
  /// - Parameter objectiveCName: another name by which an Info.plist may name the class, such as that of `@objc(Name)`.
  public init<Handler: RPBroadcastSampleHandler>(
    _ handler: @autoclosure @escaping @MainActor () -> Handler, objectiveCName: String? = nil
  ) {
    nameInInfoPlist = objectiveCName
    name = String(reflecting: Handler.self)
    isArticles = Handler.self is SampleHandler.Type
    make = { handler() }
  }

  /// Whether an Info.plist with the class `name` means this class. A variable of Xcode stands for the module of any handler of
  /// the program.
  func isNamed(_ name: String) -> Bool {
    [self.name, nameInInfoPlist].contains(name)
      || ExtensionInfo.classBehindVariable(in: name).map { self.name.hasSuffix(".\($0)") } == true
  }
}

extension [PrincipalClass] {
  /// Returns the class that an Info.plist names, or the first class without an Info.plist.
  func chosen(by info: ExtensionInfo?) throws(ProgramFailure) -> PrincipalClass {
    guard let info else { return self[0] }
    let (name, known) = (info.principalClass, map(\.name).joined(separator: ", "))
    if let chosen = first(where: { $0.isNamed(name) }) { return chosen }
    throw .refusedExtension(
      name.contains(".")
        ? "\(info.path) names the principal class \(name.quoted), but this program has \(known)."
        : "\(info.path) names the principal class \(name.quoted) without its module, and Swift finds no class by that "
          + "name; this program has \(known).")
  }
}
