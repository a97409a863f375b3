// Models the part of CoreMedia/CMFormatDescription.h for H.264 and HEVC that handlers use.

public let kCMVideoCodecType_H264: CMVideoCodecType = 0x6176_6331
public let kCMVideoCodecType_HEVC: CMVideoCodecType = 0x6876_6331

/// The size of the length before each NAL unit of a sample, in bytes. The length is in network byte order.
private let lengthBytes: Int32 = 4

extension CMFormatDescription {
  /// Creates a description of H.264 from an `AVCDecoderConfigurationRecord` (ISO/IEC 14496-15). Returns `nil` if the
  /// record is truncated, has no parameter sets, or states NAL unit lengths of fewer than four bytes.
  package convenience init?(h264 record: [UInt8], dimensions: CMVideoDimensions) {
    guard record.count > 6, record[4] & 3 == 3 else { return nil }
    var sets: [CMBlockBuffer] = []
    var rest = record[6...]
    func append(_ count: Int) -> Bool {
      for _ in 0..<count {
        guard rest.count >= 2 else { return false }
        let length = Int(rest.removeFirst()) << 8 | Int(rest.removeFirst())
        guard rest.count >= length, let set = CMBlockBuffer(copying: Array(rest.prefix(length)).span) else {
          return false
        }
        rest.removeFirst(length)
        sets.append(set)
      }
      return true
    }
    guard append(Int(record[5] & 31)), let pictureSets = rest.popFirst(), append(Int(pictureSets)),
      sets.count > 1
    else { return nil }
    self.init(mediaSubType: kCMVideoCodecType_H264, dimensions: dimensions, parameterSets: sets)
  }

  /// Creates a description of HEVC from its parameter sets (video, sequence, picture); `nil` if one is missing.
  package convenience init?(hevc sets: [[UInt8]], dimensions: CMVideoDimensions) {
    let copies = sets.compactMap { CMBlockBuffer(copying: $0.span) }
    guard copies.count == sets.count, sets.count > 2 else { return nil }
    self.init(mediaSubType: kCMVideoCodecType_HEVC, dimensions: dimensions, parameterSets: copies)
  }
}

@discardableResult
public func CMVideoFormatDescriptionGetH264ParameterSetAtIndex(
  _ videoDesc: CMFormatDescription, parameterSetIndex: Int,
  parameterSetPointerOut: UnsafeMutablePointer<UnsafePointer<UInt8>?>?,
  parameterSetSizeOut: UnsafeMutablePointer<Int>?, parameterSetCountOut: UnsafeMutablePointer<Int>?,
  nalUnitHeaderLengthOut: UnsafeMutablePointer<Int32>?
) -> OSStatus {
  // UNSAFE: the caller's out parameters, passed on.
  unsafe parameterSet(
    of: kCMVideoCodecType_H264, videoDesc, parameterSetIndex, parameterSetPointerOut, parameterSetSizeOut,
    parameterSetCountOut, nalUnitHeaderLengthOut)
}

@discardableResult
public func CMVideoFormatDescriptionGetHEVCParameterSetAtIndex(
  _ videoDesc: CMFormatDescription, parameterSetIndex: Int,
  parameterSetPointerOut: UnsafeMutablePointer<UnsafePointer<UInt8>?>?,
  parameterSetSizeOut: UnsafeMutablePointer<Int>?, parameterSetCountOut: UnsafeMutablePointer<Int>?,
  nalUnitHeaderLengthOut: UnsafeMutablePointer<Int32>?
) -> OSStatus {
  // UNSAFE: the caller's out parameters, passed on.
  unsafe parameterSet(
    of: kCMVideoCodecType_HEVC, videoDesc, parameterSetIndex, parameterSetPointerOut, parameterSetSizeOut,
    parameterSetCountOut, nalUnitHeaderLengthOut)
}

private func parameterSet(
  of codec: CMVideoCodecType, _ description: CMFormatDescription, _ index: Int,
  _ pointer: UnsafeMutablePointer<UnsafePointer<UInt8>?>?, _ size: UnsafeMutablePointer<Int>?,
  _ count: UnsafeMutablePointer<Int>?, _ headerLength: UnsafeMutablePointer<Int32>?
) -> OSStatus {
  let sets = description.parameterSets
  guard description.subTypeCode == codec, sets.indices.contains(index) else {
    return kCMFormatDescriptionError_InvalidParameter
  }
  let set = sets[index]
  // UNSAFE: the caller's out parameters, valid for the call; the description owns the bytes.
  unsafe pointer?.pointee = unsafe (set.base?.assumingMemoryBound(to: UInt8.self)).map {
    unsafe UnsafePointer($0)
  }
  unsafe size?.pointee = set.dataLength
  unsafe count?.pointee = sets.count
  unsafe headerLength?.pointee = lengthBytes
  return 0
}
