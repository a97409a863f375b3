import CommandLineSupport

/// What the command line of `benchmark` asks for.
struct BenchmarkOptions: Equatable {
  /// The picture sizes.
  var sizes: [Size]
  /// The groups of rows.
  var groups: [Group]
  /// How often each row is measured.
  var rounds: Int
  /// Whether only to see that everything runs.
  var isQuick: Bool
  /// Where the machine output goes: a path, or `-` for standard output.
  var json: String?
  /// Whether the table is Markdown.
  var markdown: Bool
  /// Where the shared files are made; `nil` for the default place.
  var folder: String?

  /// The size the bars are for.
  static let standardSize = Size(width: 1170, height: 2532)
  /// The article's output, and the screens of a phone, a tablet and a television.
  static let allSizes = [
    Size(width: 1080, height: 720), standardSize, Size(width: 2064, height: 2752),
    Size(width: 3840, height: 2160),
  ]

  /// What a command line, without the program's name, asks for.
  static func parse(_ arguments: [String]) throws(UsageError) -> Request<BenchmarkOptions> {
    try program.request(arguments, makeOptions: BenchmarkOptions.init)
  }

  init(_ invocation: Invocation) throws(UsageError) {
    if invocation.has(Self.everySize), invocation.has(Self.size) {
      throw UsageError("--size and --all-sizes both give the size; leave one out.")
    }
    sizes =
      invocation.has(Self.everySize)
      ? Self.allSizes : [try invocation.value(of: Self.size) ?? Self.standardSize]
    groups = try invocation.value(of: Self.only) ?? Group.allCases
    isQuick = invocation.has(Self.quick)
    rounds = try invocation.value(of: Self.rounds) ?? (isQuick ? 2 : 5)
    json = try invocation.value(of: Self.json)
    markdown = invocation.has(Self.markdown)
    folder = try invocation.value(of: Self.folder)
    if markdown, json == "-" {
      throw UsageError("--markdown and --json=- both go to standard output; give --json a path.")
    }
  }

  /// How long things are measured.
  var pace: Pace { isQuick ? .quick : .thorough }
}
