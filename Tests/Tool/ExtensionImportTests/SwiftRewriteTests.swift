import TestSupport

@testable import ExtensionImport

/// Tests that the rewrite changes only the code that does not compile on Linux.
@Suite struct SwiftRewriteTests {
  /// A source text with its rewrite, and the changes: ‹before|after› marks each changed part.
  private static let cases: [(text: String, changes: [String])] = [
    ("import ReplayKit\nclass A {}\n", []), ("‹@objc ›func tick() {}", ["@objc"]),
    ("  ‹@objc(tick:) ›private func tick(_ t: Timer) {}", ["@objc"]),
    ("‹@objcMembers›\nclass A: NSObject {}", ["@objcMembers"]),
    ("extension UserDefaults {\n  ‹@objc ›dynamic var live: Bool { false }\n}", ["@objc"]),
    ("‹@objc(Handler)›\nfinal class A: RPBroadcastSampleHandler {}", ["@objc"]),
    ("class V { ‹@IBOutlet ›weak var label: UILabel! }", ["@IBOutlet"]),
    ("class A {\n  func f() { t(selector: ‹#selector(tick)|Selector(A.tick)›) }\n}", ["#selector"]),
    ("extension A.B { func f() { t(‹#selector(self.tick(_:))|Selector(A.B.tick(_:))›) } }", ["#selector"]),
    (
      "class A { class func make() { t(‹#selector(B.tick(timer:with:))|Selector(B.tick(timer:with:))›) } }",
      ["#selector"]
    ),
    ("class A { struct B {} ; class C { func f() { t(‹#selector(g)|Selector(A.C.g)›) } } }", ["#selector"]),
    (
      "let key = ‹#keyPath(UserDefaults.live)|\"live\"›, other = ‹#keyPath(self.a.b)|\"a.b\"›",
      ["#keyPath", "#keyPath"]
    ),
    (
      "#if ‹os(iOS)|(os(iOS) || os(Linux))›\nclass A {\n#elseif os(macOS)\nclass A: B {\n#endif\n "
        + "func f() { t(‹#selector(g)|Selector(A.g)›) } }", ["#if os(iOS)", "#selector"]
    ),
    ("#if !‹os(iOS)|(os(iOS) || os(Linux))› && DEBUG\n#endif", ["#if os(iOS)"]),
    ("#if os(iOS) || os(Linux)\n#endif", []),
    ("import UIKit‹.UIImage›\nimport os.log\nimport struct Foundation.URL", ["import UIKit.UIImage"]),
    ("import Darwin\nimport Darwin‹.C›\nimport CoreFoundation", ["import Darwin.C"]),
    ("import os‹.lock›\nimport os", ["import os.lock"]),
    ("‹@objc import ObjectiveC›", ["@objc", "import ObjectiveC"]),
    ("‹@preconcurrency import ObjectiveC›\nimport Combine", ["import ObjectiveC"]),
    (
      "‹import CoreML›\nimport LiveKit\n#if canImport(Metal)\nimport Metal\n#endif\nlet a = MLModel.self",
      ["import CoreML"]
    ),
    ("‹@objc ›public protocol P‹|: AnyObject› { func f() }", ["@objc"]),
    ("‹@objc ›protocol P: ‹|AnyObject, ›Q, R {}", ["@objc"]),
    ("‹@objc ›protocol P: NSObjectProtocol {}", ["@objc"]),
    (
      "// @objc\n/* #selector(a) /* @objc */ #if os(iOS) */\nlet a = \"@objc \\(b(\"#selector(a)\")) @objc\"",
      []
    ),
    (
      "let a = #\"@objc \" \\#(b) @objc\"#\nlet c = \"\"\"\n  @objc \"quoted\" \\(d)\n  \"\"\"\nlet e = \"\\\"@objc\"",
      []
    ),
    ("@objcish var a = 1; if #available(iOS 15, *) {}", []),
    ("let päth = \"ü\"; ‹@objc ›func größe() {}", ["@objc"]),
  ]

  private func rewrite(_ text: String) throws(NestingError) -> SwiftRewrite {
    try SwiftRewrite(text, modules: KnownModules(manifest: "let standIns = [\"UIKit\", \"os\"]"))
  }

  @Test(arguments: cases.indices) func onlyWhatLinuxForcesIsChanged(index: Int) throws {
    let (marked, changes) = Self.cases[index]
    let text = marked.replacing(/‹([^|›]*)\|?([^›]*)›/) { $0.1 }
    let result = try rewrite(text)
    #expect(result.text == marked.replacing(/‹([^|›]*)\|?([^›]*)›/) { $0.2 } && result.gaps.isEmpty)
    #expect(result.changes.map(\.what) == changes)
    #expect(result.text.count { $0 == "\n" } == text.count { $0 == "\n" })
  }

  @Test func aChangeHasItsLine() throws {
    let result = try rewrite("class A {\n  /* a\n b */ @objc func f() {}\n\n  @objc func g() {}\n}\n")
    #expect(result.changes == [.init(what: "@objc", line: 3), .init(what: "@objc", line: 5)])
  }

  @Test(arguments: [
    ("@objc protocol P {\n  @objc optional func f()\n}", 2),
    ("let a = #selector(getter: B.c)", 1),
    ("let a = #selector(outside)", 1),
  ]) func whatCannotBeRewrittenIsNamedWithItsLine(text: String, line: Int) throws {
    #expect(try rewrite(text).gaps.map(\.line) == [line])
  }

  /// Nesting as deep as the compiler accepts is rewritten. Deeper nesting is an error with a line.
  @Test(arguments: [
    ("\"\\(", ")\""), ("#\"\\#(", ")\"#"), ("\"\"\"\n\\(", ")\n\"\"\""), ("{", "}"), ("#if a\n", "\n#endif"),
  ]) func codeThatIsTooDeepHasItsLine(start: String, end: String) throws {
    func nested(_ depth: Int) -> String {
      "\n" + String(repeating: start, count: depth) + "1" + String(repeating: end, count: depth)
    }
    #expect(try rewrite(nested(200)).changes.isEmpty)
    let error = #expect(throws: NestingError.self) { try rewrite(nested(100_000)) }
    #expect(error?.line ?? 0 >= 2)
  }

  /// Returns the CPU time of a rewrite.
  private func time(of text: String) throws -> Duration {
    let start = processorTime()
    _ = try rewrite(text)
    return processorTime() - start
  }

  /// Expects that a ratio of CPU times is below a limit in one of five rounds, because the speed of a CPU changes with the load
  /// of the host between two measurements.
  private func expectRatio(
    below limit: Double, sourceLocation: SourceLocation = #_sourceLocation, _ measure: () throws -> Double
  ) rethrows {
    var ratios: [Double] = []
    while ratios.count < 5, ratios.last.map({ $0 >= limit }) ?? true { ratios.append(try measure()) }
    #expect(ratios.contains { $0 < limit }, "\(ratios)", sourceLocation: sourceLocation)
  }

  /// Eight times as many lines take about eight times as long, not 64 times.
  @Test(arguments: [
    "@objc(\n", "#selector(\n", "@objc protocol P\n", "class A\n", "import Vision\n", "#if Linux #else ",
    "#if a\n#endif\n", "class A: B {}\n", "#",
  ]) func theTimeIsInProportionToTheLines(line: String) throws {
    func time(_ lines: Int) throws -> Duration { try self.time(of: String(repeating: line, count: lines)) }
    _ = try time(100)
    try expectRatio(below: 24) {
      let few = try min(time(1000), time(1000))
      return try time(8000) / few
    }
  }

  /// A change does not move the rest of the file.
  @Test func theTimeOfAChangeDoesNotDependOnTheFile() throws {
    let changes = String(repeating: "@objc foo(1)\n", count: 10000)
    let rest = "// " + String(repeating: "x", count: 4_000_000)
    try expectRatio(below: 1.6) {
      let apart = try time(of: changes) + time(of: rest)
      return try time(of: changes + rest) / apart
    }
  }

  @Test func theImportsAreFound() throws {
    // The keyword in a string literal is not an import of this file.
    let word = "import"
    let result = try rewrite(
      """
      @preconcurrency \(word) ReplayKit
      #if canImport(Vision)
      \(word) Vision
      #endif
      \(word) class LiveKit.Room
      // import Comment
      """)
    #expect(
      result.imports == [
        .init(module: "ReplayKit", line: 1, isConditional: false),
        .init(module: "Vision", line: 3, isConditional: true),
        .init(module: "LiveKit", line: 5, isConditional: false),
      ])
  }

  @Test func theClassesAndTheGroupsAreFound() throws {
    let result = try rewrite(
      """
      @objc(Upload) public final class Handler: RPBroadcastSampleHandler, @unchecked Sendable {
        @objc(start:) func start(_ a: Int) {}
        class func make() -> Handler { Handler() }
        let group = "group.com.example.app"
      }
      class Other<T> {}
      protocol P: class {}
      """)
    #expect(
      result.classes == [
        .init(name: "Handler", base: "RPBroadcastSampleHandler", objectiveCName: "Upload"),
        .init(name: "Other", base: nil, objectiveCName: nil),
      ])
    #expect((result.groups, result.types) == (["group.com.example.app"], ["Handler", "Other", "P"]))
  }
}
