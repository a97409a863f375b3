/// A Swift file of an Xcode target: the changes that it needs for Linux, and facts about its content.
///
/// ```swift
/// let rewrite = SwiftRewrite("@objc func tick() {}", modules: modules)
/// rewrite.text      // "func tick() {}"
/// ```
/// Each line keeps its number.
struct SwiftRewrite {
  /// The text to build.
  private(set) var text = ""
  /// The changes, in the order of the file.
  private(set) var changes: [Change] = []
  /// The places that the person must change.
  private(set) var gaps: [Gap] = []
  private(set) var imports: [Import] = []
  private(set) var classes: [ClassDeclaration] = []
  /// The types that the file declares.
  private(set) var types: Set<String> = []
  /// The string literals of the file that name an app group.
  private(set) var groups: [String] = []
  /// The string literals that are appended to paths.
  private(set) var fileNames: [String] = []
  /// The line of the first use of each kind.
  private(set) var uses: [SwiftUse: Int] = [:]
  /// The words of the file, without the declarations that were cut out.
  private(set) var words: Set<String> = []
  /// The names by which other files can use this file; `nil` if they can use the file without a name.
  private(set) var exports: Set<String>? = []

  struct Change: Equatable {
    /// The name of the change for people: `@objc`, `#selector`.
    let what: String
    let line: Int
  }

  struct Gap: Equatable {
    let line: Int
    /// The problem and the fix, without a full stop.
    let text: String
  }

  struct Import: Equatable {
    let module: String
    let line: Int
    /// Whether the import is within `#if canImport` of the module.
    let isConditional: Bool
  }

  struct ClassDeclaration: Equatable {
    let name: String
    /// The first type after the colon.
    let base: String?
    /// The name in `@objc(Name)`.
    let objectiveCName: String?
    /// Whether the class is `open`, for subclasses elsewhere.
    var isOpen = false
  }

  private let modules: KnownModules
  private let tokens: [SwiftToken]
  private let bytes: [UInt8]
  private var edits: [(range: Range<Int>, text: String)] = []
  private var scopes = SwiftScopes()
  /// The modules in the condition of each open `#if`.
  private var conditions: [Set<String>] = []
  private var objectiveCName: String?
  /// Whether the last visit has cut a declaration out.
  private var isCut = false
  /// The indices of closing parentheses, by the index of their opening parenthesis.
  private let closingParentheses: [Int: Int]

  init(_ source: String, modules: KnownModules) throws(NestingError) {
    self.modules = modules
    bytes = Array(source.utf8)
    tokens = try SwiftTokens(bytes).all
    closingParentheses = Self.closingParentheses(of: tokens)
    let all = Set(tokens.map(\.text))
    for (use, names) in SwiftUse.words where !all.isDisjoint(with: names) {
      uses[use] = tokens.first { names.contains($0.text) }?.line
    }
    fileNames = source.matches(of: /\Wappend\w*\((?:path: |component: )?"([^"\\\/]+)"/).map { String($0.1) }
    groups = source.matches(of: /"(group\.[A-Za-z0-9._-]+)"/).map { String($0.1) }
    var index = 0
    while index < tokens.count {
      let next = try visit(index)
      if !isCut { words.formUnion(tokens[index..<next].lazy.filter(\.isWord).map(\.text)) }
      (isCut, index) = (false, next)
    }
    text = edited
  }

  private static func closingParentheses(of tokens: [SwiftToken]) -> [Int: Int] {
    var (open, result) = ([Int](), [Int: Int]())
    for (index, token) in tokens.enumerated() {
      if token.text == "(" { open.append(index) }
      if token.text == ")", let start = open.popLast() { result[start] = index }
    }
    return result
  }

  private var edited: String {
    var (result, end) = ([UInt8](), 0)
    for edit in edits.sorted(by: { $0.range.lowerBound < $1.range.lowerBound }) {
      result += bytes[end..<max(end, edit.range.lowerBound)]
      result += edit.text.utf8
      end = max(end, edit.range.upperBound)
    }
    return String(decoding: result + bytes[end...], as: UTF8.self)
  }

  /// Rewrites the construct that begins at a token. Returns the index of the next token.
  private mutating func visit(_ index: Int) throws(NestingError) -> Int {
    let token = tokens[index]
    guard max(scopes.depth, conditions.count) <= NestingError.limit else {
      throw NestingError(line: token.line)
    }
    switch token.text {
    case "@objc", "@objcMembers", "@IBOutlet", "@IBInspectable", "@_cdecl": return removeAttribute(at: index)
    case "#selector": return replaceSelector(at: index)
    case "#keyPath": return replaceKeyPath(at: index)
    case "#if", "#elseif", "#else", "#endif": return visitDirective(at: index)
    case "import": return visitImport(at: index)
    default:
      if let end = endOfView(at: index) { return cutView(index, upTo: end) }
      noteExport(at: index)
      guard let declaration = scopes.visit(tokens, index), token.text != "extension" else { return index + 1 }
      types.insert(declaration.name)
      if token.text == "class" {
        classes.append(
          ClassDeclaration(
            name: declaration.name, base: declaration.base, objectiveCName: objectiveCName,
            isOpen: tokens[..<index].last?.text == "open"))
        objectiveCName = nil
      }
      return index + 1
    }
  }

  private mutating func note(
    _ token: SwiftToken, _ range: Range<Int>, _ replacement: String, _ what: String? = nil
  ) {
    edits.append((range, replacement))
    changes.append(Change(what: what ?? token.text, line: token.line))
  }

  private func text(at index: Int) -> String? { tokens.indices.contains(index) ? tokens[index].text : nil }

  private func joined(_ range: Range<Int>) -> String { tokens[range].map(\.text).joined() }

  // MARK: Views and exports

  /// Types of SwiftUI and MapKit that an extension of a team's file extends.
  private static let viewTypes: Set = [
    "Animation", "AnyTransition", "Binding", "Color", "EdgeInsets", "EnvironmentValues", "Font", "Gradient",
    "Image", "LinearGradient", "LocalizedStringKey", "MKCoordinateRegion", "MKMapView", "Shape", "Text",
    "View",
  ]
  /// Protocols whose types are only for views.
  private static let viewProtocols: Set = [
    "App", "ButtonStyle", "EnvironmentKey", "LabelStyle", "PreferenceKey", "PreviewProvider", "Scene",
    "Shape",
    "TextFieldStyle", "UIViewControllerRepresentable", "UIViewRepresentable", "View", "ViewModifier",
    "Widget",
  ]

  /// Words of SwiftUI in code that draws the screen or observes it.
  private static let viewWords: Set = [
    "View", "Color", "Font", "Text", "Image", "Scene", "Binding", "MKMapView", "AVPlayerViewController",
    "WKWebView", "PHPickerViewController",
  ]

  /// Whether the rest of the file names no view.
  var hasNoViews: Bool { words.isDisjoint(with: Self.viewWords) }

  /// Returns the index after a declaration that only views need, in a file that imports a module of views.
  private func endOfView(at index: Int) -> Int? {
    let word = tokens[index].text
    guard ["extension", "struct", "class", "enum", "#Preview"].contains(word), scopes.depth == 0,
      imports.contains(where: { !$0.isConditional && modules.replacement(for: $0.module) != nil }),
      index + 1 < tokens.count,
      let start = tokens[index...].prefix(SwiftScopes.longestHead).firstIndex(where: { $0.text == "{" })
    else { return nil }
    let isView =
      switch word {
      case "#Preview": true
      case "extension": Self.viewTypes.contains(tokens[index + 1].text)
      default:
        tokens[index..<start].drop { $0.text != ":" }.contains { Self.viewProtocols.contains($0.text) }
      }
    var depth = 0
    guard isView,
      let end = tokens[start...].firstIndex(where: { token in
        depth += token.text == "{" ? 1 : token.text == "}" ? -1 : 0
        return depth == 0
      })
    else { return nil }
    return end + 1
  }

  private static let modifiers: Set = ["public", "private", "internal", "fileprivate", "package", "final"]

  /// Removes a declaration with its attributes and modifiers. The lines stay.
  private mutating func cutView(_ index: Int, upTo end: Int) -> Int {
    var first = index
    while first > 0 {
      let before = tokens[first - 1]
      if before.text.hasPrefix("@") || Self.modifiers.contains(before.text) {
        first -= 1
      } else if before.text == ")",
        let open = (max(0, first - 64)..<(first - 1)).last(where: { closingParentheses[$0] == first - 1 }),
        open > 0,
        tokens[open - 1].text.hasPrefix("@")
      {
        first = open - 1
      } else {
        break
      }
    }
    let range = tokens[first].range.lowerBound..<tokens[end - 1].range.upperBound
    let lines = String(repeating: "\n", count: bytes[range].count { $0 == UInt8(ascii: "\n") })
    note(tokens[index], range, lines, "a declaration for views")
    isCut = true
    return end
  }

  private static let declarations: Set = [
    "func", "var", "let", "case", "typealias", "class", "struct", "enum", "actor", "protocol", "extension",
    "init",
    "subscript", "operator",
  ]

  /// Records a declaration that other files can use: at the top level, or in an extension of a type of another file.
  private mutating func noteExport(at index: Int) {
    let token = tokens[index]
    guard Self.declarations.contains(token.text), let name = text(at: index + 1),
      let around = scopes.typesAround, around.first.map(types.contains) != true,
      !tokens[..<index].suffix(3).contains(where: {
        $0.line == token.line && ["private", "fileprivate"].contains($0.text)
      })
    else { return }
    switch token.text {
    // A conformance and an initializer are used by the name of their type.
    case "extension" where text(at: index + 2) == ":" && !types.contains(name): exports?.insert(name)
    case "init": if let type = around.last { exports?.insert(type) }
    case "subscript", "operator": exports = nil
    case "extension": break
    // `class func` is not a class.
    default: if !["func", "var", "let"].contains(name) { exports?.insert(name) }
    }
  }

  // MARK: Attributes

  private mutating func removeAttribute(at index: Int) -> Int {
    let token = tokens[index]
    var (last, next) = (token.range.upperBound, index + 1)
    // The argument of an attribute follows without a blank.
    if next < tokens.count, tokens[next].range.lowerBound == last, let close = closingParentheses[next] {
      // The name counts only for a class, not for a method.
      if tokens[(close + 1)...].prefix(4).contains(where: { $0.text == "class" }) {
        objectiveCName = joined((next + 1)..<close)
      }
      (last, next) = (tokens[close].range.upperBound, close + 1)
    }
    while last < bytes.count, [0x20, 0x09].contains(bytes[last]) { last += 1 }
    note(token, token.range.lowerBound..<last, "")
    reportOptionalRequirement(from: next)
    if token.text == "@objc" { keepClassBound(from: next) }
    return next
  }

  /// Adds `AnyObject` to a protocol of Objective-C, so that a `weak` reference to it compiles.
  private mutating func keepClassBound(from start: Int) {
    guard
      let word = tokens[min(start, tokens.count)...].firstIndex(where: { !Self.modifiers.contains($0.text) }),
      tokens[word].text == "protocol", word + 2 < tokens.count
    else { return }
    let bases = tokens[(word + 2)...].prefix(SwiftScopes.longestHead).prefix { $0.text != "{" }
    guard !bases.contains(where: { ["AnyObject", "class", "NSObjectProtocol"].contains($0.text) }) else {
      return
    }
    let end = (bases.first?.text == ":" ? tokens[word + 2] : tokens[word + 1]).range.upperBound
    edits.append((end..<end, bases.isEmpty ? ": AnyObject" : " AnyObject,"))
  }

  /// Reports an optional requirement, because only protocols of Objective-C can have one.
  private mutating func reportOptionalRequirement(from start: Int) {
    let ends: Set = ["func", "var", "let", "class", "protocol", "extension", "init", "{", "}"]
    for token in tokens[min(start, tokens.count)...].prefix(6) {
      if ends.contains(token.text) { return }
      if token.text == "optional" {
        gaps.append(
          Gap(
            line: token.line,
            text:
              "'optional' needs Objective-C; give the protocol an extension with an empty implementation, and call it "
              + "without '?'"))
        return
      }
    }
  }

  // MARK: Expressions

  private mutating func replaceSelector(at index: Int) -> Int {
    let token = tokens[index]
    guard let close = closingParentheses[index + 1] else { return index + 1 }
    var inner = (index + 2)..<close
    if text(at: inner.lowerBound) == "self", text(at: inner.lowerBound + 1) == "." {
      inner = (inner.lowerBound + 2)..<close
    }
    let name = joined(inner)
    let isOfAccessor = ["getter:", "setter:"].contains(where: name.hasPrefix)
    let hasType = name.unicodeScalars.first?.properties.isUppercase == true
    guard !isOfAccessor, hasType || scopes.typeName != nil else {
      gaps.append(Gap(line: token.line, text: "#selector(\(name)) cannot be replaced; use a closure"))
      return close + 1
    }
    let method = hasType ? name : "\(scopes.typeName ?? "").\(name)"
    note(token, token.range.lowerBound..<tokens[close].range.upperBound, "Selector(\(method))")
    return close + 1
  }

  private mutating func replaceKeyPath(at index: Int) -> Int {
    let token = tokens[index]
    guard let close = closingParentheses[index + 1] else { return index + 1 }
    let names = joined((index + 2)..<close).split(separator: ".").drop {
      $0 == "self" || $0.unicodeScalars.first?.properties.isUppercase == true
    }
    note(
      token, token.range.lowerBound..<tokens[close].range.upperBound,
      "\"\(names.joined(separator: "."))\"")
    return close + 1
  }

  // MARK: Directives and imports

  private mutating func visitDirective(at index: Int) -> Int {
    let token = tokens[index]
    let rest = tokens[(index + 1)...].prefix { $0.line == token.line }
    switch token.text {
    case "#if": conditions.append(modulesAsked(for: rest.indices))
    case "#endif": _ = conditions.popLast()
    default: if !conditions.isEmpty { conditions[conditions.count - 1] = modulesAsked(for: rest.indices) }
    }
    scopes.visitDirective(token.text)
    guard ["#if", "#elseif"].contains(token.text), !rest.contains(where: { $0.text == "Linux" }) else {
      return rest.endIndex
    }
    for start in rest.indices.dropLast(3)
    where (start..<(start + 4)).map({ tokens[$0].text }) == ["os", "(", "iOS", ")"] {
      note(
        token, tokens[start].range.lowerBound..<tokens[start + 3].range.upperBound,
        "(os(iOS) || os(Linux))", "\(token.text) os(iOS)")
    }
    return rest.endIndex
  }

  private func modulesAsked(for condition: Range<Int>) -> Set<String> {
    Set(
      condition.filter { tokens[$0].text == "canImport" && text(at: $0 + 1) == "(" }
        .compactMap { text(at: $0 + 2) })
  }

  private mutating func visitImport(at index: Int) -> Int {
    let kinds: Set = ["class", "struct", "enum", "protocol", "func", "var", "let", "typealias"]
    var start = index + 1
    let hasKind = text(at: start).map(kinds.contains) ?? false
    if hasKind { start += 1 }
    guard start < tokens.count, tokens[start].isWord, tokens[start].line == tokens[index].line else {
      return index + 1
    }
    var end = start
    while text(at: end + 1) == ".", end + 2 < tokens.count, tokens[end + 2].isWord { end += 2 }
    let module = tokens[start].text
    let isConditional = conditions.contains { $0.contains(module) }
    imports.append(Import(module: module, line: tokens[index].line, isConditional: isConditional))
    if !isConditional, modules.isSuperfluous(module) {
      var first = tokens[index].range.lowerBound
      // Remove an attribute before the import, such as `@preconcurrency`, as well.
      if index > 0, tokens[index - 1].text.hasPrefix("@"), tokens[index - 1].line == tokens[index].line {
        first = tokens[index - 1].range.lowerBound
      }
      let replacement = hasKind ? nil : modules.replacement(for: module)
      note(
        tokens[index], first..<tokens[end].range.upperBound, replacement.map { "import \($0)" } ?? "",
        "import \(module)")
    } else {
      let name = joined(start..<(end + 1))
      // Only Apple's modules have submodules, as in `UIKit.UIImage`. `os.log` is a separate module here too.
      if !hasKind, end > start, name != "os.log", modules.has(module) {
        note(
          tokens[index], tokens[start].range.upperBound..<tokens[end].range.upperBound, "", "import \(name)")
      }
    }
    return end + 1
  }
}
