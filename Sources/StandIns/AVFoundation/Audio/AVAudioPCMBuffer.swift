import CoreMedia
import Foundation

/// There are buffers of linear PCM only here.
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

/// For one thread at a time.
@safe
public final class AVAudioPCMBuffer: AVAudioBuffer {
  public let frameCapacity: AVAudioFrameCount
  private let channels: UnsafeMutablePointer<UnsafeMutableRawPointer>

  public init?(pcmFormat format: AVAudioFormat, frameCapacity: AVAudioFrameCount) {
    let description = format.stream
    let buffers = format.isInterleaved ? 1 : Int(format.channelCount)
    let (size, overflow) = Int(description.mBytesPerFrame).multipliedReportingOverflow(by: Int(frameCapacity))
    guard frameCapacity > 0, !overflow, UInt32(exactly: size) != nil else { return nil }
    self.frameCapacity = frameCapacity
    // UNSAFE: the list and its buffers are freed by this object; a channel is within its buffer.
    let list = unsafe AudioBufferList.allocate(maximumBuffers: buffers)
    let used = unsafe AudioBufferList.allocate(maximumBuffers: buffers)
    let channels = UnsafeMutablePointer<UnsafeMutableRawPointer>.allocate(capacity: Int(format.channelCount))
    for channel in 0..<Int(format.channelCount) {
      if channel < buffers {
        let memory = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 16)
        unsafe memset(memory, 0, size)
        unsafe list[channel] = unsafe AudioBuffer(
          mNumberChannels: format.isInterleaved ? format.channelCount : 1, mDataByteSize: UInt32(size),
          mData: memory)
        unsafe used[channel] = unsafe list[channel]
        unsafe used[channel].mDataByteSize = 0
        unsafe (channels + channel).initialize(to: memory)
      } else {
        unsafe (channels + channel).initialize(
          to: channels[0] + channel * Int(description.mBitsPerChannel / 8))
      }
    }
    unsafe self.channels = unsafe channels
    unsafe super.init(format: format, list: list.unsafeMutablePointer, used: used.unsafeMutablePointer)
  }

  deinit {
    // UNSAFE: the memory that the initialiser has allocated.
    let list = unsafe UnsafeMutableAudioBufferListPointer(mutableAudioBufferList)
    for index in 0..<(unsafe list.count) { unsafe list[index].mData?.deallocate() }
    unsafe free(mutableAudioBufferList)
    unsafe free(UnsafeMutablePointer(mutating: audioBufferList))
    unsafe channels.deallocate()
  }

  /// Traps above ``frameCapacity``.
  public var frameLength: AVAudioFrameCount = 0 {
    didSet {
      precondition(frameLength <= frameCapacity, "frameLength is above frameCapacity")
      // UNSAFE: the lists of this object, of the same buffers. A caller may have changed the sizes of the one for writing.
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
    // UNSAFE: pointers of one size; the samples are those of the format.
    return unsafe UnsafePointer(
      UnsafeRawPointer(channels).assumingMemoryBound(to: UnsafeMutablePointer<Sample>.self))
  }
}
