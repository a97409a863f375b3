/// The options both programs have.
public struct CommonOptions: Equatable, Sendable {
  /// The folder that holds the app groups' folders; `nil` for the default place.
  public var container: String?
  /// The configuration whose app group is used.
  public var environment: AppEnvironment
  /// The app group's identifier: the one given, else the configuration's. Not checked but for being there.
  public var group: String
  /// How long to run; `nil` for no limit.
  public var duration: Duration?
  /// How many frames to run for; `nil` for no limit.
  public var frames: Int?
  /// Whether standard output carries JSON lines.
  public var json: Bool
  /// Whether only errors and JSON lines are printed.
  public var quiet: Bool

  /// The values of a command line.
  public init(_ invocation: Invocation) throws(UsageError) {
    container = try invocation.value(of: Self.container)
    environment = try invocation.value(of: Self.environment) ?? .dev
    group = try invocation.value(of: Self.group) ?? environment.groupIdentifier
    duration = try invocation.value(of: Self.duration)
    frames = try invocation.value(of: Self.frames)
    json = invocation.has(Self.json)
    quiet = invocation.has(Self.quiet)
  }

  /// The arguments that lead another program to the same container and app group.
  public var sharedArguments: [String] {
    (container.map { ["\(Self.container.declaration.name)=\($0)"] } ?? [])
      + ["\(Self.group.declaration.name)=\(group)"]
  }
}
