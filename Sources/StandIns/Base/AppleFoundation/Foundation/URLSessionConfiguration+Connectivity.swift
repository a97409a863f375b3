import FoundationNetworking

extension URLSessionConfiguration {
  /// Without effect, and always `false`: a task fails at once if there is no network.
  @_disfavoredOverload public var waitsForConnectivity: Bool {
    get { false }
    set {}
  }
}
