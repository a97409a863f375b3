/// The configuration an app is built in, each with an app group of its own.
public enum AppEnvironment: String, CaseIterable, Sendable {
  /// The developers' build.
  case dev
  /// The build that testers get.
  case stg
  /// The build in the store.
  case prod

  /// The identifier of the app group both processes share in this configuration.
  public var groupIdentifier: String {
    switch self {
    case .dev, .stg: "group.com.example.screenshare.\(rawValue)"
    case .prod: "group.com.example.screenshare"
    }
  }
}
