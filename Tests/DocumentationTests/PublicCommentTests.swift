import TestSupport

/// Tests that the comment of a public declaration begins in the form of its kind.
@Suite struct PublicCommentTests {
  /// Returns the faults of a source, each with its line.
  private static func faults(in source: String, isOfStandIn: Bool = false) throws -> [String] {
    try PublicComment.all(in: source).compactMap { comment in
      comment.fault(isOfStandIn: isOfStandIn).map { "\(comment.line): \(comment.lines[0]) \($0)" }
    }
  }

  @Test func aCommentBeginsInTheFormOfItsKind() throws {
    let files = try FileManager.default.subpathsOfDirectory(
      atPath: Document.package.appending(path: "Sources").path)
    var count = 0
    for file in files.filter({ $0.hasSuffix(".swift") }).sorted() {
      let text = try Document("Sources/\(file)").text
      guard text.contains("public ") || text.contains("open ") else { continue }
      count += 1
      let faults = try Self.faults(in: text, isOfStandIn: file.hasPrefix("StandIns/"))
      #expect(faults == [], "Sources/\(file)")
    }
    #expect(count > 100)
  }

  @Test(arguments: [
    "/// What a run found.\npublic struct Findings {",
    "/// Why a file cannot be read.\npublic enum Failure {",
    "/// Those of the app.\npublic let options: [Option]",
    "/// How long it takes.\npublic var time: Duration {",
    "/// The next frame.\npublic func next() -> Frame? {",
    "/// A reader of a ring.\npublic init(path: String) {",
    "/// The flag.\npublic var isOn: Bool { flag }", "/// The flag.\npublic let isOn: Bool\n",
    "/// The flag.\n@frozen\npublic private(set) var isOn = false\n",
    "/// The answer.\npublic func allows(\n  _ call: Call\n) throws -> Bool {",
    "/// Whether it runs.\npublic var state: State {",
    "/// Returns the state.\npublic var state: State {",
  ]) func anotherFormIsFound(source: String) throws { #expect(try Self.faults(in: source).count == 1) }
}
