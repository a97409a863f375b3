import TestSupport

/// Tests the comments on the names of the stand-ins. Apple documents these names, so a comment says how the stand-in
/// differs.
@Suite struct StandInCommentTests {
  private static let folder = "Sources/StandIns"

  /// Words by which a short comment states a difference, as in "Without effect." and "Not posted here."
  private static let differences: Set = [
    "effect", "emulated", "ffmpeg", "here", "ignored", "libjpeg", "log", "nothing", "queue", "stand",
    "thread", "traps",
  ]

  /// Returns the words of a text in lower case, including the words within a name.
  private static func words(of text: String) -> [String] {
    text.matches(of: /[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+/).map { String($0.output).lowercased() }
  }

  /// Whether a comment of one line has at most five words beyond the name of its declaration, and no word of
  /// ``differences``.
  private static func isRepetition(_ comment: PublicComment) -> Bool {
    guard comment.lines.count == 1 else { return false }
    let known = Set(words(of: comment.name) + ["a", "an", "of", "returns", "the"])
    let further = words(of: comment.lines[0]).filter { !known.contains($0) }
    return further.count <= 5 && differences.isDisjoint(with: further)
  }

  /// Returns the comments in a source that repeat the name of a public declaration, with their line numbers.
  private static func repetitions(in source: String) throws -> [String] {
    try PublicComment.all(in: source).filter(isRepetition).map { "\($0.line): \($0.lines[0])" }
  }

  @Test func aCommentSaysWhatDiffersFromApple() throws {
    let root = Document.package.appending(path: Self.folder)
    let files = try FileManager.default.subpathsOfDirectory(atPath: root.path)
      .filter { $0.hasSuffix(".swift") && !$0.hasPrefix("Base/PixelAccess/") }
    for file in files.sorted() {
      let path = "\(Self.folder)/\(file)"
      let repetitions = try Self.repetitions(in: try Document(path).text)
      #expect(repetitions.isEmpty, "\(path): say what differs from Apple, or remove the comment.")
    }
    #expect(files.count > 100, "The folder of the stand-ins is another one.")
  }

  @Test(arguments: [
    "/// Returns the number of planes of a pixel buffer.\npublic func CVPixelBufferGetPlaneCount(",
    "/// The width, in pixels.\npublic let width: Int32",
    "/// The key of an extension.\n@frozen\npublic struct Key: RawRepresentable {",
    "/// Creates a view.\n  public override init(frame: CGRect = .zero) {",
    "/// True.\n@_disfavoredOverload public let kCFBooleanTrue: CFBoolean = true",
    "/// The state.\nopen var status: Status {",
  ]) func aRepetitionIsFound(source: String) throws { #expect(try Self.repetitions(in: source).count == 1) }
}
