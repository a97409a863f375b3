/// Where a packet of varying size lies in its buffer. Linear PCM needs none.
public struct AudioStreamPacketDescription: Sendable, Equatable {
  /// Its first byte.
  public var mStartOffset: Int64
  /// Its frames, when they vary.
  public var mVariableFramesInPacket: UInt32
  /// Its bytes.
  public var mDataByteSize: UInt32

  /// A description from its three fields.
  public init(mStartOffset: Int64, mVariableFramesInPacket: UInt32, mDataByteSize: UInt32) {
    self.mStartOffset = mStartOffset
    self.mVariableFramesInPacket = mVariableFramesInPacket
    self.mDataByteSize = mDataByteSize
  }
}
