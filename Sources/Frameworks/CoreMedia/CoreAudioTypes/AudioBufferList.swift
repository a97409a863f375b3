import Foundation

/// The runs of samples that belong together: one when the channels are interleaved, else one for each.
@unsafe
public struct AudioBufferList {
  /// The number of buffers.
  public var mNumberBuffers: UInt32
  /// The first buffer; further ones follow in memory. See ``UnsafeMutableAudioBufferListPointer``.
  public var mBuffers: AudioBuffer

  /// A list of one buffer, or the beginning of a longer one.
  public init(mNumberBuffers: UInt32, mBuffers: AudioBuffer) {
    unsafe self.mNumberBuffers = mNumberBuffers
    unsafe self.mBuffers = unsafe mBuffers
  }

  /// A list of no buffers.
  public init() { unsafe self.init(mNumberBuffers: 0, mBuffers: AudioBuffer()) }

  /// The bytes of a list of `maximumBuffers` buffers, at least one.
  public static func sizeInBytes(maximumBuffers: Int) -> Int {
    precondition(maximumBuffers >= 1, "a list has at least one buffer")
    return unsafe MemoryLayout<AudioBufferList>.size
      + (maximumBuffers - 1) * MemoryLayout<AudioBuffer>.stride
  }

  /// Memory for a list of `maximumBuffers` empty buffers. The caller frees it with `free` of its pointer.
  public static func allocate(maximumBuffers: Int) -> UnsafeMutableAudioBufferListPointer {
    let size = unsafe sizeInBytes(maximumBuffers: maximumBuffers)
    guard let memory = unsafe calloc(1, size) else {
      preconditionFailure("no memory for an audio buffer list")
    }
    let list = unsafe UnsafeMutableAudioBufferListPointer(
      memory.bindMemory(to: AudioBufferList.self, capacity: 1))
    unsafe list.count = maximumBuffers
    return unsafe list
  }
}
