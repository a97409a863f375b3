/// The key, in what `broadcastAnnotated(withApplicationInfo:)` gets, of the bundle identifier of the app that the screen
/// shows.
public let RPApplicationInfoBundleIdentifierKey: String = "RPApplicationInfoBundleIdentifier"
