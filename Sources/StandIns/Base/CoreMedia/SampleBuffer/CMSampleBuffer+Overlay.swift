import EmulatedDevice
import Foundation

// Models the additions of Core Media's Swift overlay to CMSampleBuffer.

extension CMSampleBuffer {
  public convenience init(
    copying sampleBuffer: CMSampleBuffer, withNewTiming sampleTimings: [CMSampleTimingInfo]
  ) throws {
    guard var state = sampleBuffer.copiedState else { throw NSError(code: kCMSampleBufferError_Invalidated) }
    guard [0, 1, state.sampleCount].contains(sampleTimings.count) else {
      throw NSError(code: kCMSampleBufferError_InvalidEntryCount)
    }
    state.timings = sampleTimings
    self.init(state)
    propagate(from: sampleBuffer)
  }

  public convenience init(
    imageBuffer: CVImageBuffer, formatDescription: CMFormatDescription, sampleTiming: CMSampleTimingInfo
  ) throws {
    guard formatDescription.matches(imageBuffer) else {
      throw NSError(code: kCMSampleBufferError_InvalidMediaFormat)
    }
    self.init(
      State(content: .image(imageBuffer), formatDescription: formatDescription, timings: [sampleTiming]))
  }

  public func sampleTimingInfos() throws -> [CMSampleTimingInfo] {
    guard let content else { throw NSError(code: kCMSampleBufferError_Invalidated) }
    return content.timings
  }

  public enum DataReadiness: Equatable, Sendable {
    case notReady, ready, failed(OSStatus)
  }

  public var dataReadiness: DataReadiness {
    guard let content else { return .failed(kCMSampleBufferError_Invalidated) }
    return content.isReady ? .ready : .notReady
  }

  public var decodeTimeStamp: CMTime { content?.timings.first?.decodeTimeStamp ?? .invalid }

  /// Equals the presentation time, because no buffer here has an offset.
  public var outputPresentationTimeStamp: CMTime { presentationTimeStamp }

  public struct Flags: OptionSet, Sendable {
    public let rawValue: UInt32
    public init(rawValue: UInt32) { self.rawValue = rawValue }
    public static let audioBufferListAssure16ByteAlignment = Flags(
      rawValue: kCMSampleBufferFlag_AudioBufferList_Assure16ByteAlignment)
  }

  public func withAudioBufferList<Result>(
    blockBufferMemoryAllocator: CFAllocator? = nil,
    flags: Flags = .audioBufferListAssure16ByteAlignment,
    body: (UnsafeMutableAudioBufferListPointer, CMBlockBuffer) throws -> Result
  ) throws -> Result {
    let stream = formatDescription?.audioStreamBasicDescription
    let channels = stream?.isInterleaved == false ? Int(stream?.mChannelsPerFrame ?? 1) : 1
    // UNSAFE: the list has a buffer for each channel and is freed after `body`; the block buffer outlives it.
    let list = unsafe AudioBufferList.allocate(maximumBuffers: max(1, channels))
    defer { unsafe free(list.unsafeMutablePointer) }
    var block: CMBlockBuffer?
    let code = unsafe CMSampleBufferGetAudioBufferListWithRetainedBlockBuffer(
      self, bufferListSizeNeededOut: nil, bufferListOut: list.unsafeMutablePointer,
      bufferListSize: AudioBufferList.sizeInBytes(maximumBuffers: list.count), blockBufferAllocator: nil,
      blockBufferMemoryAllocator: blockBufferMemoryAllocator, flags: flags.rawValue, blockBufferOut: &block)
    guard code == 0, let block else { throw NSError(code: code) }
    return try unsafe body(list, block)
  }
}
