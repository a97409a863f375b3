/// A run of samples: of one channel, or of several that take turns.
@unsafe
public struct AudioBuffer {
  /// The number of channels that take turns.
  public var mNumberChannels: UInt32
  /// The number of bytes.
  public var mDataByteSize: UInt32
  /// The first byte.
  public var mData: UnsafeMutableRawPointer?

  /// A buffer from its three fields.
  public init(mNumberChannels: UInt32, mDataByteSize: UInt32, mData: UnsafeMutableRawPointer?) {
    unsafe self.mNumberChannels = mNumberChannels
    unsafe self.mDataByteSize = mDataByteSize
    unsafe self.mData = unsafe mData
  }

  /// No samples.
  public init() { unsafe self.init(mNumberChannels: 0, mDataByteSize: 0, mData: nil) }
}
