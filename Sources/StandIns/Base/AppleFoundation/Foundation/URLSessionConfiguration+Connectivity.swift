import FoundationNetworking

extension URLSessionConfiguration {
  /// Without effect, and `false`: a task fails at once when there is no network.
  @_disfavoredOverload public var waitsForConnectivity: Bool {
    get { false }
    set {}
  }
}
