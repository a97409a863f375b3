import Foundation

/// Converts a `project.yml` into the project that XcodeGen generates from it, as far as an import needs: the targets with
/// their files and settings.
///
/// It supports a subset of YAML: mappings and lists by indentation, strings on one line, and lists of strings in brackets.
enum XcodeGenSpec {
  /// Whether a file of that name is a specification. The file system of a Mac ignores case.
  static func isSpec(_ file: URL) -> Bool { file.lastPathComponent.lowercased() == "project.yml" }

  /// A string with its enclosing keys. The key of a list item is its line.
  typealias Entry = (keys: ArraySlice<String>, text: String)

  /// Returns the content of a `project.pbxproj`.
  static func project(_ text: String) -> [String: Any] {
    let entries = entries(text)
    let targets = Dictionary(grouping: entries.filter { $0.keys.first == "targets" && $0.keys.count > 2 }) {
      $0.keys[1]
    }.mapValues { $0.map { Entry($0.keys.dropFirst(2), $0.text) } }
    var objects: [String: [String: Any]] = [:]
    func configure(_ id: String, _ values: [String: Any], _ settings: [String: String]) {
      objects[id] = values.merging(["buildConfigurationList": "\(id) list"]) { $1 }
      objects["\(id) list"] = ["buildConfigurations": ["\(id) Debug"]]
      objects["\(id) Debug"] = ["name": "Debug", "buildSettings": settings]
    }
    configure("project", ["targets": targets.keys.sorted()], settings(entries))
    for path in texts(entries, "packages", nil, "path") {
      objects["package \(path)"] = ["isa": "XCLocalSwiftPackageReference", "relativePath": path]
    }
    for (name, entries) in targets {
      var settings = settings(entries)
      settings["INFOPLIST_FILE"] = texts(entries, "info", "path").first ?? settings["INFOPLIST_FILE"]
      settings["CODE_SIGN_ENTITLEMENTS"] =
        texts(entries, "entitlements", "path").first ?? settings["CODE_SIGN_ENTITLEMENTS"]
      let sources = Dictionary(grouping: entries.filter { $0.keys.first == "sources" }) {
        $0.keys.dropFirst().first
      }
      var groups: [String] = []
      for item in sources.values {
        let left = texts(item, "sources", nil, "excludes") + texts(item, "sources", nil, "excludes", nil)
        for path in texts(item, "sources") + texts(item, "sources", nil) + texts(item, "sources", nil, "path")
        {
          groups.append("\(name) \(path)")
          objects["\(name) \(path)"] = [
            "isa": "PBXFileSystemSynchronizedRootGroup", "sourceTree": "SOURCE_ROOT", "path": path,
            "exceptions": ["without \(name) \(path)"],
          ]
          objects["without \(name) \(path)"] = ["target": name, "membershipExceptions": left]
        }
      }
      let others = texts(entries, "dependencies", nil, "target")
      for other in others { objects["on \(other)"] = ["target": other] }
      configure(
        name,
        [
          "name": name, "fileSystemSynchronizedGroups": groups, "dependencies": others.map { "on \($0)" },
          "productType": "com.apple.product-type.\(texts(entries, "type").first ?? "")",
          "extensionPoint": texts(
            entries, "info", "properties", "NSExtension", "NSExtensionPointIdentifier"
          ).first ?? "",
        ], settings)
    }
    return ["objects": objects, "rootObject": "project"]
  }

  /// Returns the settings of all configurations and of Debug.
  private static func settings(_ entries: [Entry]) -> [String: String] {
    var settings: [String: String] = [:]
    for place in [["settings"], ["settings", "base"], ["settings", "configs", "Debug"]] {
      for entry in entries where entry.keys.dropLast().elementsEqual(place) {
        settings[entry.keys.last ?? ""] = ["true": "YES", "false": "NO"][entry.text] ?? entry.text
      }
    }
    return settings
  }

  /// Returns the strings below a path of keys. `nil` matches any key.
  private static func texts(_ entries: [Entry], _ keys: String?...) -> [String] {
    entries.filter { $0.keys.elementsEqual(keys) { $1 == nil || $0 == $1 } }.flatMap { entry in
      guard entry.text.hasPrefix("["), entry.text.hasSuffix("]") else { return [entry.text] }
      return entry.text.dropFirst().dropLast().split(separator: ",").map {
        unquoted($0.trimmingCharacters(in: .whitespaces))
      }
    }
  }

  // MARK: YAML

  /// The maximum depth of keys. Deeper keys are ignored.
  private static let deepest = 64

  static func entries(_ text: String) -> [Entry] {
    var (entries, around) = ([Entry](), [(indent: Int, key: String)]())
    for (number, line) in text.split(whereSeparator: \.isNewline).enumerated() {
      var (rest, indent) = (withoutComment(line), line.prefix { $0 == " " }.count)
      if rest.isEmpty { continue }
      // A list may have the same indentation as its key.
      around.removeAll {
        $0.indent > indent || $0.indent == indent && ($0.key.hasPrefix("-") || !rest.hasPrefix("-"))
      }
      while rest == "-" || rest.hasPrefix("- "), around.count < deepest {
        around.append((indent, "-\(number)"))
        let item = rest.dropFirst().drop { $0 == " " }
        (indent, rest) = (indent + rest.count - item.count, String(item))
      }
      let pair = rest.wholeMatch(of: /["']?([^"'{\[][^"']*?)["']?\s*:(?:\s+(.*))?/)
      if let pair, around.count < deepest { around.append((indent, String(pair.1))) }
      let value = pair.map { String($0.2 ?? "") } ?? rest
      if !value.isEmpty { entries.append((around.map(\.key)[...], unquoted(value))) }
    }
    return entries
  }

  private static func unquoted(_ text: String) -> String {
    let isQuoted = text.count > 1 && text.first == text.last && (text.first == "\"" || text.first == "'")
    return isQuoted ? String(text.dropFirst().dropLast()) : text
  }

  private static func withoutComment(_ line: Substring) -> String {
    var (quote, previous, end) = (Character?.none, Character(" "), line.startIndex)
    for character in line {
      if character == quote {
        quote = nil
      } else if quote == nil, previous.isWhitespace {
        if character == "#" { break }
        if character == "\"" || character == "'" { quote = character }
      }
      (previous, end) = (character, line.index(after: end))
    }
    return line[..<end].trimmingCharacters(in: .whitespaces)
  }
}
