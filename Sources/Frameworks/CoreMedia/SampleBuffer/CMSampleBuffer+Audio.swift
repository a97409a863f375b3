/// A number of items, such as the frames of a sample buffer.
public typealias CMItemCount = Int

/// The parameter that says what the samples are is missing or contradicts the data.
public let kCMSampleBufferError_RequiredParameterMissing: OSStatus = -12731
/// The memory given for a list is too small for it.
public let kCMSampleBufferError_ArrayTooSmall: OSStatus = -12737
/// The number of samples is not positive.
public let kCMSampleBufferError_InvalidEntryCount: OSStatus = -12738
/// The call is for another kind of media.
public let kCMSampleBufferError_InvalidMediaTypeForOperation: OSStatus = -12741
/// The data is not what the number of samples and the format ask for.
public let kCMSampleBufferError_InvalidSampleData: OSStatus = -12742

/// The buffers of a list begin at multiples of 16 bytes; here they do when the samples make it so.
public let kCMSampleBufferFlag_AudioBufferList_Assure16ByteAlignment: UInt32 = 1 << 0

/// Creates a sample buffer of linear PCM, ready to be read: a packet of sound.
///
/// `sampleCount` counts frames, and `presentationTimeStamp` is the first one's time. Nothing is copied: the sample
/// holds the block buffer itself. Packet descriptions are of encodings other than linear PCM, and not looked at.
/// - Returns: 0; `kCMSampleBufferError_InvalidMediaFormat` when the description is not of linear PCM,
///   `kCMSampleBufferError_InvalidEntryCount` or `kCMSampleBufferError_InvalidSampleData` when the block buffer has
///   not the bytes of so many frames.
public func CMAudioSampleBufferCreateReadyWithPacketDescriptions(
  allocator: CFAllocator?, dataBuffer: CMBlockBuffer, formatDescription: CMFormatDescription,
  sampleCount numSamples: CMItemCount, presentationTimeStamp: CMTime,
  packetDescriptions: UnsafePointer<AudioStreamPacketDescription>?,
  sampleBufferOut: UnsafeMutablePointer<CMSampleBuffer?>
) -> OSStatus {
  guard let stream = formatDescription.audioStreamBasicDescription, stream.mFormatID == kAudioFormatLinearPCM
  else { return kCMSampleBufferError_InvalidMediaFormat }
  guard numSamples > 0 else { return kCMSampleBufferError_InvalidEntryCount }
  let (size, overflow) = numSamples.multipliedReportingOverflow(by: stream.bytesOfAllChannels)
  guard !overflow, size > 0, size <= dataBuffer.dataLength else {
    return kCMSampleBufferError_InvalidSampleData
  }
  let timing = CMSampleTimingInfo(
    duration: stream.frameDuration, presentationTimeStamp: presentationTimeStamp, decodeTimeStamp: .invalid)
  // UNSAFE: the caller's out parameter, valid for the call.
  unsafe sampleBufferOut.pointee = CMSampleBuffer(
    content: .sound(dataBuffer, frames: numSamples), formatDescription: formatDescription, timing: timing)
  return 0
}

/// The bytes of a sample of sound; `nil` when it is a picture, and once the sample was made invalid.
public func CMSampleBufferGetDataBuffer(_ sbuf: CMSampleBuffer) -> CMBlockBuffer? { sbuf.dataBuffer }

/// Fills an audio buffer list with where the samples of a packet of sound lie.
///
/// The list points into the block buffer that comes with it: it is valid as long as that is kept. Nothing is copied.
/// - Parameters:
///   - bufferListSizeNeededOut: the bytes that the list takes.
///   - bufferListOut: `nil` to ask for the size alone.
///   - bufferListSize: the bytes there are for the list.
/// - Returns: 0; `kCMSampleBufferError_InvalidMediaTypeForOperation` of a picture,
///   `kCMSampleBufferError_Invalidated` after that, `kCMSampleBufferError_ArrayTooSmall`.
public func CMSampleBufferGetAudioBufferListWithRetainedBlockBuffer(
  _ sbuf: CMSampleBuffer, bufferListSizeNeededOut: UnsafeMutablePointer<Int>?,
  bufferListOut: UnsafeMutablePointer<AudioBufferList>?, bufferListSize: Int,
  blockBufferAllocator: CFAllocator?, blockBufferMemoryAllocator: CFAllocator?, flags: UInt32,
  blockBufferOut: UnsafeMutablePointer<CMBlockBuffer?>?
) -> OSStatus {
  guard let stream = sbuf.formatDescription.audioStreamBasicDescription else {
    return kCMSampleBufferError_InvalidMediaTypeForOperation
  }
  guard let data = sbuf.dataBuffer else { return kCMSampleBufferError_Invalidated }
  let buffers = stream.isInterleaved ? 1 : Int(stream.mChannelsPerFrame)
  let size = unsafe AudioBufferList.sizeInBytes(maximumBuffers: buffers)
  // UNSAFE: the caller's out parameters, valid for the call; the list is written only when it has the room.
  unsafe bufferListSizeNeededOut?.pointee = size
  if let bufferListOut = unsafe bufferListOut {
    guard bufferListSize >= size else { return kCMSampleBufferError_ArrayTooSmall }
    let list = unsafe UnsafeMutableAudioBufferListPointer(bufferListOut)
    let byteCount = sbuf.numSamples * Int(stream.mBytesPerFrame)
    unsafe list.count = buffers
    for index in 0..<buffers {
      unsafe list[index] = unsafe AudioBuffer(
        mNumberChannels: stream.isInterleaved ? stream.mChannelsPerFrame : 1,
        mDataByteSize: UInt32(byteCount), mData: data.base + index * byteCount)
    }
  }
  unsafe blockBufferOut?.pointee = data
  return 0
}

extension AudioStreamBasicDescription {
  /// Whether the samples of all channels take turns.
  package var isInterleaved: Bool { mFormatFlags & kAudioFormatFlagIsNonInterleaved == 0 }

  /// The bytes of a frame of all channels.
  package var bytesOfAllChannels: Int {
    Int(mBytesPerFrame) * (isInterleaved ? 1 : Int(mChannelsPerFrame))
  }

  /// How long one frame lasts; invalid when the rate is not a whole number that fits a time scale.
  fileprivate var frameDuration: CMTime {
    CMTimeScale(exactly: mSampleRate).map { CMTime(value: 1, timescale: $0) } ?? .invalid
  }
}
