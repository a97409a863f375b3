// Models the functions in CoreMedia/CMSampleBuffer.h for data that is set later, and for the individual samples of a buffer.

@discardableResult
public func CMSampleBufferSetDataBuffer(_ sbuf: CMSampleBuffer, newValue dataBuffer: CMBlockBuffer)
  -> OSStatus
{
  sbuf.change { state in
    guard state.content == nil else { return kCMSampleBufferError_AlreadyHasDataBuffer }
    guard
      state.formatDescription?.audioStreamBasicDescription?.fits(state.sampleCount, in: dataBuffer) != false
    else { return kCMSampleBufferError_InvalidSampleData }
    state.content = .data(dataBuffer)
    return 0
  }
}

@discardableResult
public func CMSampleBufferSetDataBufferFromAudioBufferList(
  _ sbuf: CMSampleBuffer, blockBufferAllocator: CFAllocator?, blockBufferMemoryAllocator: CFAllocator?,
  flags: UInt32, bufferList: UnsafePointer<AudioBufferList>
) -> OSStatus {
  guard sbuf.isValid else { return kCMSampleBufferError_Invalidated }
  guard sbuf.formatDescription?.audioStreamBasicDescription != nil else {
    return kCMSampleBufferError_InvalidMediaTypeForOperation
  }
  var bytes: [UInt8] = []
  // UNSAFE: the caller's list. Its buffers contain the bytes that they state.
  let list = unsafe UnsafeMutableAudioBufferListPointer(UnsafeMutablePointer(mutating: bufferList))
  for index in 0..<(unsafe list.count) {
    let buffer = unsafe list[index]
    unsafe bytes.append(
      contentsOf: UnsafeRawBufferPointer(start: buffer.mData, count: Int(buffer.mDataByteSize)))
  }
  guard let block = CMBlockBuffer(copying: bytes.span) else { return kCMSampleBufferError_InvalidSampleData }
  return CMSampleBufferSetDataBuffer(sbuf, newValue: block)
}

@discardableResult
public func CMSampleBufferSetDataReady(_ sbuf: CMSampleBuffer) -> OSStatus {
  sbuf.change { state in
    guard state.content != nil || state.sampleCount == 0 else { return kCMSampleBufferError_BufferNotReady }
    state.isReady = true
    return 0
  }
}

@discardableResult
public func CMSampleBufferGetSampleTimingInfo(
  _ sbuf: CMSampleBuffer, at sampleIndex: CMItemCount, timingInfoOut: UnsafeMutablePointer<CMSampleTimingInfo>
) -> OSStatus {
  guard let content = sbuf.content else { return kCMSampleBufferError_Invalidated }
  guard (0..<content.sampleCount).contains(sampleIndex) else {
    return kCMSampleBufferError_SampleIndexOutOfRange
  }
  guard var timing = content.timings.first else { return kCMSampleBufferError_BufferHasNoSampleTimingInfo }
  if content.timings.count > 1 {
    timing = content.timings[sampleIndex]
  } else if sampleIndex > 0 {
    timing.presentationTimeStamp = CMTimeAdd(
      timing.presentationTimeStamp, timing.duration.multiplied(by: sampleIndex))
  }
  // UNSAFE: the caller's out parameter, valid for the call.
  unsafe timingInfoOut.pointee = timing
  return 0
}

@discardableResult
public func CMSampleBufferGetSampleTimingInfoArray(
  _ sbuf: CMSampleBuffer, entryCount: CMItemCount, arrayToFill: UnsafeMutablePointer<CMSampleTimingInfo>?,
  entriesNeededOut: UnsafeMutablePointer<CMItemCount>?
) -> OSStatus {
  guard let timings = sbuf.content?.timings else { return kCMSampleBufferError_Invalidated }
  // UNSAFE: the caller's out parameters. The array has the number of entries that the caller states.
  unsafe entriesNeededOut?.pointee = timings.count
  guard !timings.isEmpty else { return kCMSampleBufferError_BufferHasNoSampleTimingInfo }
  guard let array = unsafe arrayToFill else { return 0 }
  guard entryCount >= timings.count else { return kCMSampleBufferError_ArrayTooSmall }
  for (index, timing) in timings.enumerated() { unsafe array[index] = timing }
  return 0
}

public func CMSampleBufferGetDecodeTimeStamp(_ sbuf: CMSampleBuffer) -> CMTime { sbuf.decodeTimeStamp }

public func CMSampleBufferGetSampleSize(_ sbuf: CMSampleBuffer, at sampleIndex: CMItemCount) -> Int {
  guard let content = sbuf.content, (0..<content.sampleCount).contains(sampleIndex), !content.sizes.isEmpty
  else { return 0 }
  return content.sizes.count > 1 ? content.sizes[sampleIndex] : content.sizes[0]
}

public func CMSampleBufferGetTotalSampleSize(_ sbuf: CMSampleBuffer) -> Int {
  guard let content = sbuf.content, let first = content.sizes.first else { return 0 }
  return content.sizes.count > 1 ? content.sizes.reduce(0, &+) : first &* content.sampleCount
}

public let kCMSampleAttachmentKey_NotSync: CFString = "NotSync"
public let kCMSampleAttachmentKey_DependsOnOthers: CFString = "DependsOnOthers"

extension CMSampleBuffer {
  public typealias SampleAttachmentsArray = [PerSampleAttachmentsDictionary]

  /// The attachments of one sample. Changes to them are kept in the sample.
  public struct PerSampleAttachmentsDictionary {
    public struct Key: RawRepresentable, Hashable, Sendable {
      public let rawValue: CFString
      public init(rawValue: CFString) { self.rawValue = rawValue }
      public static let notSync = Key(rawValue: kCMSampleAttachmentKey_NotSync)
      public static let partialSync = Key(rawValue: "PartialSync")
      public static let dependsOnOthers = Key(rawValue: kCMSampleAttachmentKey_DependsOnOthers)
      public static let isDependedOnByOthers = Key(rawValue: "IsDependedOnByOthers")
      public static let displayImmediately = Key(rawValue: "DisplayImmediately")
      public static let doNotDisplay = Key(rawValue: "DoNotDisplay")
    }

    fileprivate let values: NSMutableDictionary

    public subscript(key: Key) -> Any? {
      get { values[key.rawValue] }
      nonmutating set { values[key.rawValue] = newValue }
    }
  }

  public var sampleAttachments: SampleAttachmentsArray {
    let array = CMSampleBufferGetSampleAttachmentsArray(self, createIfNecessary: true) ?? []
    return array.compactMap { $0 as? NSMutableDictionary }.map(PerSampleAttachmentsDictionary.init)
  }
}

/// Each element is an `NSMutableDictionary`. Changes to it are kept.
public func CMSampleBufferGetSampleAttachmentsArray(
  _ sbuf: CMSampleBuffer, createIfNecessary: Bool
) -> CFArray? {
  if createIfNecessary {
    _ = sbuf.change { state in
      let count = state.sampleCount
      state.sampleAttachments = state.sampleAttachments ?? (0..<count).map { _ in NSMutableDictionary() }
      return 0
    }
  }
  return sbuf.content?.sampleAttachments
}
