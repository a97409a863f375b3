/// The version both programs report.
public enum Version {
  /// The version, as in `producer 0.1.0`.
  public static let current = "0.1.0"
}
