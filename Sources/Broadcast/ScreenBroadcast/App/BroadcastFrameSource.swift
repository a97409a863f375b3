/// Where the app's frames come from, whatever their layout.
protocol BroadcastFrameSource {
  /// The session read last; `nil` before the first, while it cannot be read, and where the layout does not tell.
  var session: BroadcastSession? { get }
  /// Reads thrown away because the extension overtook them.
  var overtaken: UInt64 { get }
  /// The frame to tell now; `nil` when there is none.
  mutating func next() throws(BroadcastBufferContext.Failure) -> BroadcastFrame?
}

extension BroadcastFrameReader: BroadcastFrameSource {}
