import CommandLineSupport
import Foundation

/// The build settings of a target in one configuration. Empty for a folder without a project.
struct BuildSettings {
  private var values: [String: String] = [:]

  /// The maximum length of a value, in bytes. Names, paths and lists of conditions are shorter.
  private static let longest = 1024

  init(_ values: [String: String] = [:]) { self.values = values }

  /// Merges the settings of a higher level, which override the present ones.
  mutating func merge(_ settings: [String: Any]) {
    for (name, value) in settings.sorted(by: { $0.key < $1.key }) {
      guard let text = value as? String ?? (value as? [String])?.joined(separator: " ") else { continue }
      // Settings for devices only are used here too.
      let key = name.replacing("[sdk=iphoneos*]", with: "")
      guard text.utf8.count <= Self.longest else { continue }
      let whole = text.replacing(/\$[({]inherited[)}]/, with: values[key] ?? "")
      if whole.utf8.count <= Self.longest { values[key] = whole }
    }
  }

  /// Merges the lines of a configuration file. Files that it includes are not read.
  mutating func merge(configuration text: String) {
    for line in text.split(whereSeparator: \.isNewline) {
      // Not a regular expression, whose time grows with the square of the length of the line.
      var level = 0
      let end = line.firstIndex { character in
        level += character == "[" ? 1 : character == "]" ? -1 : 0
        return character == "=" && level <= 0
      }
      guard let end else { continue }
      let name = line[..<end].trimmingCharacters(in: .whitespaces)
      var value = line[line.index(after: end)...]
      if let comment = value.firstRange(of: "//") { value = value[..<comment.lowerBound] }
      var text = value.trimmingCharacters(in: .whitespaces)
      if text.hasSuffix(";") { text = text.dropLast().trimmingCharacters(in: .whitespaces) }
      if name.wholeMatch(of: /[\w\[\]=*]+/) != nil { merge([name: text]) }
    }
  }

  /// Returns a setting with the values of its variables; `nil` if it is missing or empty.
  subscript(name: String) -> String? {
    values[name].map { expanded($0) }.flatMap { $0.isEmpty ? nil : $0 }
  }

  func isOn(_ name: String) -> Bool { self[name] == "YES" }

  /// Replaces `$(NAME)` and `${NAME}` if the setting is known. A variable can refer to other variables, or to itself.
  func expanded(_ text: String, except kept: Set<String> = []) -> String {
    var result = text
    for _ in 0..<8 {
      let next = result.replacing(/\$(?:\((\w+)(?::\w+)?\)|\{(\w+)(?::\w+)?\})/) { match in
        let name = String(match.1 ?? match.2 ?? "")
        return kept.contains(name) ? String(match.0) : values[name] ?? String(match.0)
      }
      if next == result { break }
      guard next.utf8.count <= text.utf8.count + 64 * Self.longest else { return text }
      result = next
    }
    return result
  }

  /// The variables that the package's program replaces by its own names.
  private static let ofProgram: Set = [
    "PRODUCT_MODULE_NAME", "PRODUCT_NAME", "EXECUTABLE_NAME", "TARGET_NAME",
  ]

  /// Returns a property list with the values of its variables, as long as all expanded strings have at most
  /// ``PropertyListFile/limit`` bytes together.
  func expanded(_ list: [String: Any]) -> [String: Any] {
    var room = PropertyListFile.limit
    return list.mapValues { expanded(value: $0, &room) }
  }

  private func expanded(value: Any, _ room: inout Int) -> Any {
    switch value {
    case let text as String where room >= 0 && text.contains("$"):
      let whole = expanded(text, except: Self.ofProgram)
      room -= whole.utf8.count
      return room >= 0 ? whole : text
    case let list as [String: Any]: return list.mapValues { expanded(value: $0, &room) }
    case let values as [Any]: return values.map { expanded(value: $0, &room) }
    default: return value
    }
  }

  // MARK: Swift

  var languageMode: String {
    switch self["SWIFT_VERSION"]?.prefix(1) {
    case "6": "v6"
    case "4": "v4"
    default: "v5"
    }
  }

  /// The features whose names differ from the words of their build settings.
  private static let renamed = [
    "DISABLE_OUTWARD_ACTOR_ISOLATION": "DisableOutwardActorInference",
    "IMPORT_OBJC_FORWARD_DECLS": "ImportObjcForwardDeclarations",
    "NONFROZEN_ENUM_EXHAUSTIVITY": "NonfrozenEnumExhaustivity",
  ]
  private static let approachable = [
    "DisableOutwardActorInference", "GlobalActorIsolatedTypesUsability", "InferIsolatedConformances",
    "InferSendableFromCaptures", "NonisolatedNonsendingByDefault",
  ]
  /// The features that Swift 6 does not include. Naming any other feature in Swift 6 mode is an error.
  private static let beyondSix: Set = [
    "ExistentialAny", "InferIsolatedConformances", "InternalImportsByDefault", "MemberImportVisibility",
    "NonisolatedNonsendingByDefault",
  ]

  private var isOnMainActor: Bool { self["SWIFT_DEFAULT_ACTOR_ISOLATION"] == "MainActor" }

  /// Whether the package has no default isolation, unlike the target. A class of the main actor may override methods of
  /// Objective-C, but here the methods are Swift's. In Swift 6, such a handler would crash on a device.
  var lacksIsolation: Bool { isOnMainActor && languageMode != "v6" }

  /// The settings of the target in a manifest, in addition to the language mode and the settings of all targets.
  var swiftSettings: [String] {
    let prefix = "SWIFT_UPCOMING_FEATURE_"
    var features = Set(isOn("SWIFT_APPROACHABLE_CONCURRENCY") ? Self.approachable : [])
    for name in values.keys where name.hasPrefix(prefix) && isOn(name) {
      let words = String(name.dropFirst(prefix.count))
      features.insert(
        Self.renamed[words]
          ?? words.split(separator: "_").map { $0.prefix(1) + $0.dropFirst().lowercased() }.joined())
    }
    if languageMode == "v6" { features.formIntersection(Self.beyondSix) }
    let conditions = (self["SWIFT_ACTIVE_COMPILATION_CONDITIONS"] ?? "").split(separator: " ").map(
      String.init)
    return (isOnMainActor && !lacksIsolation ? [".defaultIsolation(MainActor.self)"] : [])
      + features.sorted().map { ".enableUpcomingFeature(\($0.swiftLiteral))" }
      // SwiftPM defines DEBUG itself.
      + conditions.filter { $0.isSwiftIdentifier && $0 != "DEBUG" }.map { ".define(\($0.swiftLiteral))" }
  }
}
