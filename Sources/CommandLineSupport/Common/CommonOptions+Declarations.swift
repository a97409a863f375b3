extension CommonOptions {
  /// The longest time an option takes: 1,000,000 seconds, eleven days and a half.
  public static let longest = Duration.seconds(1_000_000)

  static let sharing = "What both programs must agree on"
  static let printing = "What is printed"

  /// The heading of the options that say when to end.
  public static let ending = "When to end"

  /// `--container`.
  public static let container = Option(
    "--container", "DIR", .text("a folder"), help: "The folder that holds the app groups' folders.",
    default: "$BROADCAST_CONTAINER, else a folder of your own in a memory file system", group: sharing)

  /// `--group`.
  public static let group = Option(
    "--group", "ID", .text("an app group identifier, such as 'group.com.example.screenshare'"),
    help: "The app group's identifier, such as group.com.example.screenshare.",
    default: "the one of --environment", group: sharing)

  /// `--environment`.
  public static let environment = Option<AppEnvironment>(
    "--environment", "NAME", .choice,
    help: "The configuration of the app, which selects the app group: dev, stg or prod.",
    default: "dev", group: sharing)

  /// `--duration`.
  public static let duration = Option(
    "--duration", "SECONDS", .seconds(in: .milliseconds(1)...longest),
    help: "End after so many seconds, 0.001 to 1000000.", default: "no limit", group: ending)

  /// `--frames`.
  public static let frames = Option(
    "--frames", "N", .integer(in: 1...1_000_000_000),
    help: "End after so many frames, 1 to 1000000000.", default: "no limit", group: ending)

  /// `--json`.
  public static let json = Flag(
    "--json", help: "Print one JSON object a line on standard output, and no other text there.",
    group: printing)

  /// `--quiet`.
  public static let quiet = Flag(
    "--quiet", help: "Print nothing but errors, and the JSON lines of --json.", group: printing)

  /// `--help`.
  public static let help = Flag("--help", help: "Print this text. Short form: -h.", group: printing)

  /// `--version`.
  public static let version = Flag("--version", help: "Print the name and the version.", group: printing)

  /// The names of the options that two programs which share a broadcast must agree on.
  public static let sharingNames = [
    container.declaration.name, group.declaration.name, environment.declaration.name,
  ]

  /// The options that say when to end.
  public static let endingDeclarations = [duration.declaration, frames.declaration]

  /// The options of ``declarations``, of which those about the broadcast go with certain verbs only.
  public static func declarations(sharedBy verbs: [String]) -> [OptionDeclaration] {
    declarations.map { sharingNames.contains($0.name) ? $0.only(with: verbs) : $0 }
  }

  /// The options that every verb has.
  public static let declarations = [
    container.declaration, group.declaration, environment.declaration, json.declaration, quiet.declaration,
    help.declaration, version.declaration,
  ]
}
