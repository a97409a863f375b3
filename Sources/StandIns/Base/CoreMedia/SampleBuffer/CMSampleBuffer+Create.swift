import Synchronization

// Models further creation functions in CoreMedia/CMSampleBuffer.h.

/// Never called, because nothing here waits for data.
public typealias CMSampleBufferMakeDataReadyCallback =
  @convention(c) (UnsafeRawPointer, UnsafeMutableRawPointer?) -> OSStatus

@discardableResult
public func CMSampleBufferCreateForImageBuffer(
  allocator: CFAllocator?, imageBuffer: CVImageBuffer, dataReady: Bool,
  makeDataReadyCallback: CMSampleBufferMakeDataReadyCallback?, refcon: UnsafeMutableRawPointer?,
  formatDescription: CMVideoFormatDescription, sampleTiming: UnsafePointer<CMSampleTimingInfo>,
  sampleBufferOut: UnsafeMutablePointer<CMSampleBuffer?>
) -> OSStatus {
  // UNSAFE: the caller's parameters, valid for the call.
  let code = unsafe CMSampleBufferCreateReadyWithImageBuffer(
    allocator: allocator, imageBuffer: imageBuffer, formatDescription: formatDescription,
    sampleTiming: sampleTiming, sampleBufferOut: sampleBufferOut)
  guard code == 0, !dataReady, let sample = unsafe sampleBufferOut.pointee else { return code }
  return sample.change { state in
    state.isReady = false
    return 0
  }
}

@discardableResult
public func CMSampleBufferCreate(
  allocator: CFAllocator?, dataBuffer: CMBlockBuffer?, dataReady: Bool,
  makeDataReadyCallback: CMSampleBufferMakeDataReadyCallback?, refcon: UnsafeMutableRawPointer?,
  formatDescription: CMFormatDescription?, sampleCount: CMItemCount, sampleTimingEntryCount: CMItemCount,
  sampleTimingArray: UnsafePointer<CMSampleTimingInfo>?, sampleSizeEntryCount: CMItemCount,
  sampleSizeArray: UnsafePointer<Int>?, sampleBufferOut: UnsafeMutablePointer<CMSampleBuffer?>
) -> OSStatus {
  func isPossible(_ entries: CMItemCount) -> Bool { entries == 0 || entries == 1 || entries == sampleCount }
  guard sampleCount >= 0, isPossible(sampleTimingEntryCount), isPossible(sampleSizeEntryCount) else {
    return kCMSampleBufferError_InvalidEntryCount
  }
  // UNSAFE: the caller's arrays, with the lengths that the caller states.
  guard unsafe sampleTimingEntryCount == 0 || sampleTimingArray != nil,
    unsafe sampleSizeEntryCount == 0 || sampleSizeArray != nil,
    !dataReady || dataBuffer != nil || sampleCount == 0
  else { return kCMSampleBufferError_RequiredParameterMissing }
  if let dataBuffer,
    formatDescription?.audioStreamBasicDescription?.fits(sampleCount, in: dataBuffer) == false
  {
    return kCMSampleBufferError_InvalidSampleData
  }
  unsafe sampleBufferOut.pointee = CMSampleBuffer(
    CMSampleBuffer.State(
      content: dataBuffer.map(CMSampleBuffer.Content.data), isReady: dataReady,
      formatDescription: formatDescription, sampleCount: sampleCount,
      timings: Array(UnsafeBufferPointer(start: sampleTimingArray, count: sampleTimingEntryCount)),
      sizes: Array(UnsafeBufferPointer(start: sampleSizeArray, count: sampleSizeEntryCount))))
  return 0
}

@discardableResult
public func CMSampleBufferCreateReady(
  allocator: CFAllocator?, dataBuffer: CMBlockBuffer?, formatDescription: CMFormatDescription?,
  sampleCount: CMItemCount, sampleTimingEntryCount: CMItemCount,
  sampleTimingArray: UnsafePointer<CMSampleTimingInfo>?, sampleSizeEntryCount: CMItemCount,
  sampleSizeArray: UnsafePointer<Int>?, sampleBufferOut: UnsafeMutablePointer<CMSampleBuffer?>
) -> OSStatus {
  // UNSAFE: the caller's parameters, valid for the call.
  unsafe CMSampleBufferCreate(
    allocator: allocator, dataBuffer: dataBuffer, dataReady: true, makeDataReadyCallback: nil, refcon: nil,
    formatDescription: formatDescription, sampleCount: sampleCount,
    sampleTimingEntryCount: sampleTimingEntryCount, sampleTimingArray: sampleTimingArray,
    sampleSizeEntryCount: sampleSizeEntryCount, sampleSizeArray: sampleSizeArray,
    sampleBufferOut: sampleBufferOut)
}

@discardableResult
public func CMSampleBufferCreateCopy(
  allocator: CFAllocator?, sampleBuffer: CMSampleBuffer,
  sampleBufferOut: UnsafeMutablePointer<CMSampleBuffer?>
) -> OSStatus {
  // UNSAFE: the caller's out parameter, valid for the call.
  unsafe sampleBuffer.copy(to: sampleBufferOut) { _ in }
}

@discardableResult
public func CMSampleBufferCreateCopyWithNewTiming(
  allocator: CFAllocator?, sampleBuffer: CMSampleBuffer, sampleTimingEntryCount: CMItemCount,
  sampleTimingArray: UnsafePointer<CMSampleTimingInfo>?,
  sampleBufferOut: UnsafeMutablePointer<CMSampleBuffer?>
) -> OSStatus {
  guard sampleBuffer.isValid else { return kCMSampleBufferError_Invalidated }
  guard [0, 1, sampleBuffer.numSamples].contains(sampleTimingEntryCount) else {
    return kCMSampleBufferError_InvalidEntryCount
  }
  // UNSAFE: the caller's parameters, valid for the call.
  guard unsafe sampleTimingEntryCount == 0 || sampleTimingArray != nil else {
    return kCMSampleBufferError_RequiredParameterMissing
  }
  let timings = unsafe Array(UnsafeBufferPointer(start: sampleTimingArray, count: sampleTimingEntryCount))
  return unsafe sampleBuffer.copy(to: sampleBufferOut) { $0.timings = timings }
}

extension CMSampleBuffer {
  /// Creates a buffer with one frame of encoded video.
  package convenience init(
    encoded data: CMBlockBuffer, isKeyFrame: Bool, formatDescription: CMFormatDescription,
    timing: CMSampleTimingInfo
  ) {
    let attachments: NSMutableDictionary = [kCMSampleAttachmentKey_DependsOnOthers: !isKeyFrame]
    if !isKeyFrame { attachments[kCMSampleAttachmentKey_NotSync] = true }
    self.init(
      State(
        content: .data(data), formatDescription: formatDescription, timings: [timing],
        sizes: [data.dataLength], sampleAttachments: [attachments]))
  }

  /// A copy of the state with separate sample attachments.
  var copiedState: State? {
    guard var state = content else { return nil }
    state.sampleAttachments = state.sampleAttachments?.compactMap {
      $0.mutableCopy() as? NSMutableDictionary
    }
    return state
  }

  /// Copies from `original` the attachments that propagate, and retains the memory of its frame.
  func propagate(from original: CMSampleBuffer) {
    let propagated = original.attachments.withLock(\.self).filter {
      $0.value.mode == kCMAttachmentMode_ShouldPropagate
    }
    attachments.withLock { $0 = propagated }
    retainCompanions(of: original)
  }

  fileprivate func copy(
    to sampleBufferOut: UnsafeMutablePointer<CMSampleBuffer?>, _ change: (inout State) -> Void
  ) -> OSStatus {
    guard var state = copiedState else { return kCMSampleBufferError_Invalidated }
    change(&state)
    let copy = CMSampleBuffer(state)
    copy.propagate(from: self)
    // UNSAFE: the caller's out parameter, valid for the call.
    unsafe sampleBufferOut.pointee = copy
    return 0
  }
}

extension AudioStreamBasicDescription {
  /// Whether a block buffer contains `count` frames of all channels. Functions that read a sample rely on it. Packets whose
  /// frames have no fixed size always fit.
  func fits(_ count: CMItemCount, in dataBuffer: CMBlockBuffer) -> Bool {
    let (size, overflow) = count.multipliedReportingOverflow(by: bytesOfAllChannels)
    return !overflow && size <= dataBuffer.dataLength
  }
}

extension CMSampleBuffer {
  /// Creates a valid buffer of one sample without data. The sample has only a time and attachments. For the emulated system.
  package static func withoutData(at time: CMTime) -> CMSampleBuffer {
    let timing = CMSampleTimingInfo(
      duration: .invalid, presentationTimeStamp: time, decodeTimeStamp: .invalid)
    return CMSampleBuffer(State(content: nil, formatDescription: nil, timings: [timing]))
  }
}
