import Dispatch
import Platform

/// A call of a receiver that has not returned.
struct OpenCall: Equatable, Sendable {
  /// Its number among the calls of its receiver.
  var id: UInt64
  /// The method, as in ``CallEvent``.
  var name: String
  var thread: Int32
  /// How much longer the call takes by a request.
  var delay = Duration.zero
}
