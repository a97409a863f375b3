import Foundation

// Models AudioBuffer and AudioBufferList of CoreAudioTypes/CoreAudioBaseTypes.h, and their Swift overlay in CoreAudio.

/// The samples of one channel, or of several interleaved channels.
@unsafe
public struct AudioBuffer {
  /// The number of interleaved channels.
  public var mNumberChannels: UInt32
  /// The size of the samples, in bytes.
  public var mDataByteSize: UInt32
  /// The address of the samples.
  public var mData: UnsafeMutableRawPointer?

  /// Creates a buffer from its three fields.
  public init(mNumberChannels: UInt32, mDataByteSize: UInt32, mData: UnsafeMutableRawPointer?) {
    unsafe self.mNumberChannels = mNumberChannels
    unsafe self.mDataByteSize = mDataByteSize
    unsafe self.mData = unsafe mData
  }

  /// Creates a buffer without samples.
  public init() { unsafe self.init(mNumberChannels: 0, mDataByteSize: 0, mData: nil) }
}

/// The buffers of one packet of audio: one of interleaved channels, else one per channel.
@unsafe
public struct AudioBufferList {
  /// The number of buffers.
  public var mNumberBuffers: UInt32
  /// The first buffer; the others follow in memory. See ``UnsafeMutableAudioBufferListPointer``.
  public var mBuffers: AudioBuffer

  /// Creates a list of one buffer, or the head of a longer one.
  public init(mNumberBuffers: UInt32, mBuffers: AudioBuffer) {
    unsafe self.mNumberBuffers = mNumberBuffers
    unsafe self.mBuffers = unsafe mBuffers
  }

  /// Creates a list without buffers.
  public init() { unsafe self.init(mNumberBuffers: 0, mBuffers: AudioBuffer()) }

  /// Returns the size of a list of `maximumBuffers` buffers, in bytes. Traps below one buffer.
  public static func sizeInBytes(maximumBuffers: Int) -> Int {
    precondition(maximumBuffers >= 1, "a list has at least one buffer")
    return unsafe MemoryLayout<AudioBufferList>.size
      + (maximumBuffers - 1) * MemoryLayout<AudioBuffer>.stride
  }

  /// Allocates a list of `maximumBuffers` empty buffers, which the caller releases with `free`.
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

/// The buffers of an audio buffer list as a collection.
///
/// ```swift
/// for buffer in UnsafeMutableAudioBufferListPointer(&list) { write(buffer.mData, buffer.mDataByteSize) }
/// ```
@unsafe
public struct UnsafeMutableAudioBufferListPointer {
  /// The address of the list.
  public var unsafeMutablePointer: UnsafeMutablePointer<AudioBufferList>

  /// Creates a collection over a list, which must outlive it.
  public init(_ pointer: UnsafeMutablePointer<AudioBufferList>) {
    unsafe unsafeMutablePointer = unsafe pointer
  }

  /// Creates a collection over a list, or `nil` without one.
  public init?(_ pointer: UnsafeMutablePointer<AudioBufferList>?) {
    guard let pointer = unsafe pointer else { return nil }
    unsafe self.init(pointer)
  }

  /// The address of the list, for reading.
  public var unsafePointer: UnsafePointer<AudioBufferList> {
    unsafe UnsafePointer(unsafeMutablePointer)
  }

  /// The number of buffers.
  public var count: Int {
    get { Int(unsafe unsafeMutablePointer.pointee.mNumberBuffers) }
    nonmutating set { unsafe unsafeMutablePointer.pointee.mNumberBuffers = UInt32(newValue) }
  }

  private func buffer(at index: Int) -> UnsafeMutablePointer<AudioBuffer> {
    precondition(unsafe index >= 0 && index < count, "the list has no buffer \(index)")
    let offset = unsafe MemoryLayout<AudioBufferList>.size - MemoryLayout<AudioBuffer>.size
    // UNSAFE: the buffers are adjacent in memory.
    return unsafe (UnsafeMutableRawPointer(unsafeMutablePointer) + offset)
      .assumingMemoryBound(to: AudioBuffer.self) + index
  }
}

extension UnsafeMutableAudioBufferListPointer: @unsafe MutableCollection, @unsafe RandomAccessCollection {
  /// The index of the first buffer: zero.
  public var startIndex: Int { 0 }
  /// The index after the last buffer.
  public var endIndex: Int { unsafe count }

  /// One buffer. Traps outside of the list.
  public subscript(index: Int) -> AudioBuffer {
    get { unsafe buffer(at: index).pointee }
    nonmutating set { unsafe buffer(at: index).pointee = unsafe newValue }
  }
}
