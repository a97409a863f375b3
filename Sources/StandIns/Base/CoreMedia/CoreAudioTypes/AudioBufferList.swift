import Foundation

// Models AudioBuffer and AudioBufferList in CoreAudioTypes/CoreAudioBaseTypes.h, and their Swift overlay in CoreAudio.

@unsafe
public struct AudioBuffer {
  public var mNumberChannels: UInt32
  public var mDataByteSize: UInt32
  public var mData: UnsafeMutableRawPointer?

  public init(mNumberChannels: UInt32, mDataByteSize: UInt32, mData: UnsafeMutableRawPointer?) {
    unsafe self.mNumberChannels = mNumberChannels
    unsafe self.mDataByteSize = mDataByteSize
    unsafe self.mData = unsafe mData
  }

  public init() { unsafe self.init(mNumberChannels: 0, mDataByteSize: 0, mData: nil) }
}

@unsafe
public struct AudioBufferList {
  public var mNumberBuffers: UInt32
  public var mBuffers: AudioBuffer

  public init(mNumberBuffers: UInt32, mBuffers: AudioBuffer) {
    unsafe self.mNumberBuffers = mNumberBuffers
    unsafe self.mBuffers = unsafe mBuffers
  }

  public init() { unsafe self.init(mNumberBuffers: 0, mBuffers: AudioBuffer()) }

  public static func sizeInBytes(maximumBuffers: Int) -> Int {
    precondition(maximumBuffers >= 1, "a list has at least one buffer")
    return unsafe MemoryLayout<AudioBufferList>.size
      + (maximumBuffers - 1) * MemoryLayout<AudioBuffer>.stride
  }

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

@unsafe
public struct UnsafeMutableAudioBufferListPointer {
  public var unsafeMutablePointer: UnsafeMutablePointer<AudioBufferList>

  public init(_ pointer: UnsafeMutablePointer<AudioBufferList>) {
    unsafe unsafeMutablePointer = unsafe pointer
  }

  public init?(_ pointer: UnsafeMutablePointer<AudioBufferList>?) {
    guard let pointer = unsafe pointer else { return nil }
    unsafe self.init(pointer)
  }

  public var unsafePointer: UnsafePointer<AudioBufferList> {
    unsafe UnsafePointer(unsafeMutablePointer)
  }

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
  public var startIndex: Int { 0 }
  public var endIndex: Int { unsafe count }

  public subscript(index: Int) -> AudioBuffer {
    get { unsafe buffer(at: index).pointee }
    nonmutating set { unsafe buffer(at: index).pointee = unsafe newValue }
  }
}
