import CommandLineSupport
import EmulatedSystem
import ReplayKitCore
import ScreenBroadcast

/// A class that can be the principal class of the extension, with a closure that creates its object.
///
/// ```swift
/// PrincipalClass(SampleHandler())
/// ```
/// A device creates the object by the name of the class. Swift on Linux also finds a class by name, but it cannot call an
/// `init()` that is not `required`. So the program states how its handlers are created.
public struct PrincipalClass: Sendable {
  /// The name of the class with its module, as in an Info.plist: `MyExtension.SampleHandler`.
  public let name: String
  /// Another name by which an Info.plist may name the class.
  let nameInInfoPlist: String?
  /// Whether the class is the handler of the article, or a subclass, so that its app is the consumer.
  let isArticles: Bool
  let make: @MainActor () -> RPBroadcastSampleHandler

  /// Describes the class of `handler`. The expression is evaluated only if the class is chosen, when the extension is
  /// launched.
  ///
  /// - Parameter objectiveCName: another name by which an Info.plist may name the class, such as `Name` of `@objc(Name)`.
  public init<Handler: RPBroadcastSampleHandler>(
    _ handler: @autoclosure @escaping @MainActor () -> Handler, objectiveCName: String? = nil
  ) {
    nameInInfoPlist = objectiveCName
    name = String(reflecting: Handler.self)
    isArticles = Handler.self is SampleHandler.Type
    make = { handler() }
  }

  /// Whether `name` in an Info.plist means this class. A variable of Xcode matches the module of any handler of the
  /// program.
  func isNamed(_ name: String) -> Bool {
    [self.name, nameInInfoPlist].contains(name)
      || ExtensionInfo.classBehindVariable(in: name).map { self.name.hasSuffix(".\($0)") } == true
  }
}

extension [PrincipalClass] {
  /// Returns the class that the Info.plist names, or the first class if there is no Info.plist.
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
