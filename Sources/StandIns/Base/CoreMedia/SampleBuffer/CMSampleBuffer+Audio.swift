// Models the audio part of CoreMedia/CMSampleBuffer.h.

public typealias CMItemCount = Int

public let kCMSampleBufferError_AlreadyHasDataBuffer: OSStatus = -12732
public let kCMSampleBufferError_BufferNotReady: OSStatus = -12733
public let kCMSampleBufferError_BufferHasNoSampleTimingInfo: OSStatus = -12736
public let kCMSampleBufferError_RequiredParameterMissing: OSStatus = -12731
public let kCMSampleBufferError_SampleIndexOutOfRange: OSStatus = -12734
public let kCMSampleBufferError_ArrayTooSmall: OSStatus = -12737
public let kCMSampleBufferError_InvalidEntryCount: OSStatus = -12738
public let kCMSampleBufferError_InvalidMediaTypeForOperation: OSStatus = -12741
public let kCMSampleBufferError_InvalidSampleData: OSStatus = -12742

/// Without effect: a list points into its block buffer.
public let kCMSampleBufferFlag_AudioBufferList_Assure16ByteAlignment: UInt32 = 1 << 0

@discardableResult
public func CMAudioSampleBufferCreateReadyWithPacketDescriptions(
  allocator: CFAllocator?, dataBuffer: CMBlockBuffer, formatDescription: CMFormatDescription,
  sampleCount numSamples: CMItemCount, presentationTimeStamp: CMTime,
  packetDescriptions: UnsafePointer<AudioStreamPacketDescription>?,
  sampleBufferOut: UnsafeMutablePointer<CMSampleBuffer?>
) -> OSStatus {
  // UNSAFE: the caller's parameters, valid for the call.
  unsafe CMAudioSampleBufferCreateWithPacketDescriptions(
    allocator: allocator, dataBuffer: dataBuffer, dataReady: true, makeDataReadyCallback: nil, refcon: nil,
    formatDescription: formatDescription, sampleCount: numSamples,
    presentationTimeStamp: presentationTimeStamp, packetDescriptions: packetDescriptions,
    sampleBufferOut: sampleBufferOut)
}

/// Supports linear PCM only, so `packetDescriptions` are ignored.
/// - Returns: zero; `kCMSampleBufferError_InvalidMediaFormat` if the format is not linear PCM;
///   `kCMSampleBufferError_RequiredParameterMissing` if the data is ready, but absent;
///   `kCMSampleBufferError_InvalidEntryCount` or `kCMSampleBufferError_InvalidSampleData` if the block buffer
///   does not have the bytes of `numSamples` frames.
@discardableResult
public func CMAudioSampleBufferCreateWithPacketDescriptions(
  allocator: CFAllocator?, dataBuffer: CMBlockBuffer?, dataReady: Bool,
  makeDataReadyCallback: CMSampleBufferMakeDataReadyCallback?, refcon: UnsafeMutableRawPointer?,
  formatDescription: CMFormatDescription, sampleCount numSamples: CMItemCount, presentationTimeStamp: CMTime,
  packetDescriptions: UnsafePointer<AudioStreamPacketDescription>?,
  sampleBufferOut: UnsafeMutablePointer<CMSampleBuffer?>
) -> OSStatus {
  guard dataBuffer != nil || !dataReady else { return kCMSampleBufferError_RequiredParameterMissing }
  guard let stream = formatDescription.audioStreamBasicDescription, stream.mFormatID == kAudioFormatLinearPCM
  else { return kCMSampleBufferError_InvalidMediaFormat }
  guard numSamples > 0 else { return kCMSampleBufferError_InvalidEntryCount }
  let (size, overflow) = numSamples.multipliedReportingOverflow(by: stream.bytesOfAllChannels)
  guard !overflow, size > 0, size <= dataBuffer?.dataLength ?? size else {
    return kCMSampleBufferError_InvalidSampleData
  }
  // Without interleaving, the channels of a frame are not contiguous, so frames have no sizes.
  let sizes = stream.isInterleaved ? [Int(stream.mBytesPerFrame)] : []
  let frameDuration = CMTimeScale(exactly: stream.mSampleRate).map { CMTime(value: 1, timescale: $0) }
  let timing = CMSampleTimingInfo(
    duration: frameDuration ?? .invalid, presentationTimeStamp: presentationTimeStamp,
    decodeTimeStamp: .invalid)
  // UNSAFE: the caller's out parameter, valid for the call.
  unsafe sampleBufferOut.pointee = CMSampleBuffer(
    CMSampleBuffer.State(
      content: dataBuffer.map(CMSampleBuffer.Content.data), isReady: dataReady,
      formatDescription: formatDescription, sampleCount: numSamples, timings: [timing], sizes: sizes))
  return 0
}

public func CMSampleBufferGetDataBuffer(_ sbuf: CMSampleBuffer) -> CMBlockBuffer? { sbuf.dataBuffer }

/// The list points into the block buffer; nothing is copied. Returns `kCMSampleBufferError_InvalidSampleData` for a
/// packet of 4 GiB or more.
@discardableResult
public func CMSampleBufferGetAudioBufferListWithRetainedBlockBuffer(
  _ sbuf: CMSampleBuffer, bufferListSizeNeededOut: UnsafeMutablePointer<Int>?,
  bufferListOut: UnsafeMutablePointer<AudioBufferList>?, bufferListSize: Int,
  blockBufferAllocator: CFAllocator?, blockBufferMemoryAllocator: CFAllocator?, flags: UInt32,
  blockBufferOut: UnsafeMutablePointer<CMBlockBuffer?>?
) -> OSStatus {
  guard sbuf.isValid else { return kCMSampleBufferError_Invalidated }
  guard let stream = sbuf.formatDescription?.audioStreamBasicDescription else {
    return kCMSampleBufferError_InvalidMediaTypeForOperation
  }
  guard let data = sbuf.dataBuffer else { return kCMSampleBufferError_BufferNotReady }
  // UNSAFE: bytes of the block buffer, which is retained during the call.
  guard let base = unsafe data.base else { return kCMBlockBufferUnallocatedBlockErr }
  let buffers = stream.isInterleaved ? 1 : Int(stream.mChannelsPerFrame)
  let size = unsafe AudioBufferList.sizeInBytes(maximumBuffers: buffers)
  // UNSAFE: the caller's out parameters, valid for the call; the list is written only when it fits.
  unsafe bufferListSizeNeededOut?.pointee = size
  if let bufferListOut = unsafe bufferListOut {
    guard bufferListSize >= size else { return kCMSampleBufferError_ArrayTooSmall }
    guard let byteCount = UInt32(exactly: sbuf.numSamples * Int(stream.mBytesPerFrame)) else {
      return kCMSampleBufferError_InvalidSampleData
    }
    let list = unsafe UnsafeMutableAudioBufferListPointer(bufferListOut)
    unsafe list.count = buffers
    for index in 0..<buffers {
      unsafe list[index] = unsafe AudioBuffer(
        mNumberChannels: stream.isInterleaved ? stream.mChannelsPerFrame : 1,
        mDataByteSize: byteCount, mData: base + index * Int(byteCount))
    }
  }
  unsafe blockBufferOut?.pointee = data
  return 0
}

@discardableResult
public func CMSampleBufferCopyPCMDataIntoAudioBufferList(
  _ sbuf: CMSampleBuffer, at frameOffset: Int32, frameCount numFrames: Int32,
  into bufferList: UnsafeMutablePointer<AudioBufferList>
) -> OSStatus {
  guard sbuf.isValid else { return kCMSampleBufferError_Invalidated }
  guard let stream = sbuf.formatDescription?.audioStreamBasicDescription else {
    return kCMSampleBufferError_InvalidMediaTypeForOperation
  }
  guard let data = sbuf.dataBuffer else { return kCMSampleBufferError_BufferNotReady }
  // UNSAFE: bytes of the block buffer, which is retained during the call.
  guard let base = unsafe data.base else { return kCMBlockBufferUnallocatedBlockErr }
  let (offset, count) = (Int(frameOffset), Int(numFrames))
  guard offset >= 0, count >= 0, offset + count <= sbuf.numSamples else {
    return kCMSampleBufferError_SampleIndexOutOfRange
  }
  let frame = Int(stream.mBytesPerFrame)
  let buffers = stream.isInterleaved ? 1 : Int(stream.mChannelsPerFrame)
  // UNSAFE: the caller's list, whose buffers have the bytes that they state; the source is within the block buffer.
  let list = unsafe UnsafeMutableAudioBufferListPointer(bufferList)
  guard unsafe list.count >= buffers,
    unsafe list.prefix(buffers).allSatisfy({
      unsafe $0.mData != nil && Int($0.mDataByteSize) >= count * frame
    })
  else { return kCMSampleBufferError_ArrayTooSmall }
  for index in 0..<buffers {
    let source = unsafe base + (index * sbuf.numSamples + offset) * frame
    unsafe list[index].mData?.copyMemory(from: source, byteCount: count * frame)
  }
  withExtendedLifetime(data) {}
  return 0
}
