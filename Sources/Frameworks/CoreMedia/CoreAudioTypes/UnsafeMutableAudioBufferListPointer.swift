/// The buffers of an audio buffer list as a collection.
///
/// ```swift
/// for buffer in UnsafeMutableAudioBufferListPointer(&list) { write(buffer.mData, buffer.mDataByteSize) }
/// ```
@unsafe
public struct UnsafeMutableAudioBufferListPointer {
  /// The list.
  public var unsafeMutablePointer: UnsafeMutablePointer<AudioBufferList>

  /// The buffers of a list, which must outlive this.
  public init(_ pointer: UnsafeMutablePointer<AudioBufferList>) {
    unsafe unsafeMutablePointer = unsafe pointer
  }

  /// The buffers of a list, if there is one.
  public init?(_ pointer: UnsafeMutablePointer<AudioBufferList>?) {
    guard let pointer = unsafe pointer else { return nil }
    unsafe self.init(pointer)
  }

  /// The list, for reading.
  public var unsafePointer: UnsafePointer<AudioBufferList> {
    unsafe UnsafePointer(unsafeMutablePointer)
  }

  /// The number of buffers.
  public var count: Int {
    get { Int(unsafe unsafeMutablePointer.pointee.mNumberBuffers) }
    nonmutating set { unsafe unsafeMutablePointer.pointee.mNumberBuffers = UInt32(newValue) }
  }

  private func buffer(at index: Int) -> UnsafeMutablePointer<AudioBuffer> {
    precondition(unsafe index >= 0 && index < count, "no such buffer")
    let offset = unsafe MemoryLayout<AudioBufferList>.size - MemoryLayout<AudioBuffer>.size
    // UNSAFE: the buffers follow one another in memory, from the first on.
    return unsafe (UnsafeMutableRawPointer(unsafeMutablePointer) + offset)
      .assumingMemoryBound(to: AudioBuffer.self) + index
  }
}

extension UnsafeMutableAudioBufferListPointer: @unsafe MutableCollection, @unsafe RandomAccessCollection {
  /// 0.
  public var startIndex: Int { 0 }
  /// The number of buffers.
  public var endIndex: Int { unsafe count }

  /// One buffer. Traps when there is no such one.
  public subscript(index: Int) -> AudioBuffer {
    get { unsafe buffer(at: index).pointee }
    nonmutating set { unsafe buffer(at: index).pointee = unsafe newValue }
  }
}
