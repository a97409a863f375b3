import CoreMedia
import Foundation

@safe
public class AVAudioBuffer: NSObject {
  public let format: AVAudioFormat
  public let mutableAudioBufferList: UnsafeMutablePointer<AudioBufferList>
  public let audioBufferList: UnsafePointer<AudioBufferList>

  fileprivate init(
    format: AVAudioFormat, list: UnsafeMutablePointer<AudioBufferList>,
    used: UnsafeMutablePointer<AudioBufferList>
  ) {
    self.format = format
    unsafe mutableAudioBufferList = unsafe list
    unsafe audioBufferList = unsafe UnsafePointer(used)
  }
}

/// Not thread-safe: use it on one thread at a time.
@safe
public final class AVAudioPCMBuffer: AVAudioBuffer {
  public let frameCapacity: AVAudioFrameCount
  private let channels: UnsafeMutablePointer<UnsafeMutableRawPointer>
  private let release: () -> Void

  public convenience init?(pcmFormat format: AVAudioFormat, frameCapacity: AVAudioFrameCount) {
    let (size, overflow) = Int(format.stream.mBytesPerFrame).multipliedReportingOverflow(
      by: Int(frameCapacity))
    guard frameCapacity > 0, !overflow, UInt32(exactly: size) != nil else { return nil }
    // UNSAFE: memory of `size` bytes for each buffer, which the last call frees.
    let memory = unsafe (0..<format.bufferCount).map { _ in
      let memory = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 16)
      unsafe memset(memory, 0, size)
      return unsafe memory
    }
    unsafe self.init(format, frameCapacity, memory) { unsafe memory.forEach { unsafe $0.deallocate() } }
  }

  public convenience init?(
    pcmFormat format: AVAudioFormat, bufferListNoCopy bufferList: UnsafePointer<AudioBufferList>,
    deallocator: ((UnsafePointer<AudioBufferList>) -> Void)? = nil
  ) {
    // UNSAFE: the caller's list, whose memory stays until the last call.
    let list = unsafe UnsafeMutableAudioBufferListPointer(UnsafeMutablePointer(mutating: bufferList))
    let memory = unsafe list.compactMap { unsafe $0.mData }
    let sizes = unsafe Set(list.map { unsafe $0.mDataByteSize })
    guard let size = sizes.first, size > 0, sizes.count == 1, format.stream.mBytesPerFrame > 0,
      unsafe memory.count == format.bufferCount, unsafe list.count == format.bufferCount
    else { return nil }
    unsafe self.init(format, size / format.stream.mBytesPerFrame, memory) { unsafe deallocator?(bufferList) }
    frameLength = frameCapacity
  }

  /// - Parameter memory: the memory of each buffer.
  private init(
    _ format: AVAudioFormat, _ frameCapacity: AVAudioFrameCount, _ memory: [UnsafeMutableRawPointer],
    release: @escaping () -> Void
  ) {
    self.frameCapacity = frameCapacity
    self.release = release
    // UNSAFE: the lists are freed by this object; a channel is within its buffer.
    let list = unsafe AudioBufferList.allocate(maximumBuffers: memory.count)
    let used = unsafe AudioBufferList.allocate(maximumBuffers: memory.count)
    let channels = UnsafeMutablePointer<UnsafeMutableRawPointer>.allocate(capacity: Int(format.channelCount))
    for channel in 0..<Int(format.channelCount) {
      if unsafe channel < memory.count {
        unsafe list[channel] = unsafe AudioBuffer(
          mNumberChannels: format.isInterleaved ? format.channelCount : 1,
          mDataByteSize: frameCapacity * format.stream.mBytesPerFrame, mData: memory[channel])
        unsafe used[channel] = unsafe list[channel]
        unsafe used[channel].mDataByteSize = 0
      }
      unsafe (channels + channel).initialize(
        to: channel < memory.count
          ? memory[channel] : memory[0] + channel * Int(format.stream.mBitsPerChannel / 8))
    }
    unsafe self.channels = unsafe channels
    unsafe super.init(format: format, list: list.unsafeMutablePointer, used: used.unsafeMutablePointer)
  }

  deinit {
    release()
    // UNSAFE: the memory that the initialiser has allocated.
    unsafe free(mutableAudioBufferList)
    unsafe free(UnsafeMutablePointer(mutating: audioBufferList))
    unsafe channels.deallocate()
  }

  /// Traps if it is set to more than ``frameCapacity``.
  public var frameLength: AVAudioFrameCount = 0 {
    didSet {
      precondition(frameLength <= frameCapacity, "frameLength is above frameCapacity")
      // UNSAFE: both lists of this object, which have the same buffers. A caller may have changed the sizes in the writable list.
      let used = unsafe UnsafeMutableAudioBufferListPointer(UnsafeMutablePointer(mutating: audioBufferList))
      let list = unsafe UnsafeMutableAudioBufferListPointer(mutableAudioBufferList)
      for index in 0..<(unsafe used.count) {
        unsafe used[index].mDataByteSize = frameLength * format.stream.mBytesPerFrame
        unsafe list[index].mDataByteSize = frameCapacity * format.stream.mBytesPerFrame
      }
    }
  }

  public var stride: Int { format.isInterleaved ? Int(format.channelCount) : 1 }
  public var floatChannelData: UnsafePointer<UnsafeMutablePointer<Float>>? {
    unsafe data(.pcmFormatFloat32)
  }
  public var int16ChannelData: UnsafePointer<UnsafeMutablePointer<Int16>>? { unsafe data(.pcmFormatInt16) }
  public var int32ChannelData: UnsafePointer<UnsafeMutablePointer<Int32>>? { unsafe data(.pcmFormatInt32) }

  private func data<Sample>(_ wanted: AVAudioCommonFormat) -> UnsafePointer<UnsafeMutablePointer<Sample>>? {
    guard format.commonFormat == wanted else { return nil }
    // UNSAFE: pointers of one size; the samples have the type of the format.
    return unsafe UnsafePointer(
      UnsafeRawPointer(channels).assumingMemoryBound(to: UnsafeMutablePointer<Sample>.self))
  }
}

extension AVAudioFormat {
  fileprivate var bufferCount: Int { isInterleaved ? 1 : Int(channelCount) }
}
