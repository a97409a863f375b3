import EmulatedDevice
import PixelAccess
import TestSupport
import VideoToolbox

/// Collects the output of a session.
final class EncodedFrames: Sendable {
  private let received = Mutex<[(status: OSStatus, sample: CMSampleBuffer?)]>([])

  func append(_ status: OSStatus, _ sample: CMSampleBuffer?) {
    received.withLock { $0.append((status, sample)) }
  }

  var statuses: [OSStatus] { received.withLock { $0.map(\.status) } }
  var samples: [CMSampleBuffer] { received.withLock { $0.compactMap(\.sample) } }

  /// The indices of the key frames, as a handler finds them.
  var keyFrames: [Int] {
    samples.enumerated().compactMap { index, sample in
      let list =
        CMSampleBufferGetSampleAttachmentsArray(sample, createIfNecessary: true) as? [[CFString: Any]]
      return list?.first?[kCMSampleAttachmentKey_NotSync] as? Bool == true ? nil : index
    }
  }

  /// The frames as a stream with start codes. The parameter sets precede each key frame.
  var stream: Data {
    var stream = Data()
    let keyFrames = Set(keyFrames)
    for (index, sample) in samples.enumerated() {
      if keyFrames.contains(index) {
        for set in sample.parameterSets { stream += [0, 0, 0, 1] + set }
      }
      for unit in sample.units { stream += [0, 0, 0, 1] + unit }
    }
    return stream
  }

  /// Returns the red, green and blue of the first pixel after decoding with ffmpeg.
  func decodedColour() async throws -> [UInt8] {
    let folder = try TemporaryFolder()
    try stream.write(to: URL(filePath: folder("video.h264")))
    let run = try await FinishedProgram(
      URL(filePath: "/usr/bin/env"),
      ["ffmpeg", "-loglevel", "error", "-i", "video.h264", "-frames:v", "1", "-pix_fmt", "rgb24"]
        + ["-f", "rawvideo", "video.rgb"], in: folder.path)
    #expect(run.exitCode == 0, "\(run.errors)")
    return try [UInt8](Data(contentsOf: URL(filePath: folder("video.rgb"))).prefix(3))
  }

  /// Returns the luma samples of all frames after decoding with ffmpeg.
  func decodedLuma(width: Int, height: Int) async throws -> [[UInt8]] {
    let folder = try TemporaryFolder()
    let isHEVC = samples.first?.formatDescription?.mediaSubType == .hevc
    try stream.write(to: URL(filePath: folder("video")))
    let run = try await FinishedProgram(
      URL(filePath: "/usr/bin/env"),
      // The new timestamps are regular, so that ffmpeg neither drops nor repeats a frame.
      [
        "ffmpeg", "-loglevel", "error", "-f", isHEVC ? "hevc" : "h264", "-i", "video", "-vf",
        "setpts=N/25/TB",
      ] + ["-r", "25"] + ["-pix_fmt", "yuvj420p", "-f", "rawvideo", "video.yuv"], in: folder.path)
    #expect(run.exitCode == 0 && run.errors.isEmpty, "\(run.errors)")
    let bytes = try [UInt8](Data(contentsOf: URL(filePath: folder("video.yuv"))))
    let frame = width * height * 3 / 2
    return stride(from: 0, to: bytes.count - frame + 1, by: frame).map {
      Array(bytes[$0..<($0 + width * height)])
    }
  }
}

extension CMSampleBuffer {
  /// The parameter sets of the sample's format.
  var parameterSets: [[UInt8]] {
    guard let format = CMSampleBufferGetFormatDescription(self) else { return [] }
    let parameterSet =
      unsafe format.mediaSubType == .hevc
      ? CMVideoFormatDescriptionGetHEVCParameterSetAtIndex
      : CMVideoFormatDescriptionGetH264ParameterSetAtIndex
    var count = 0
    // UNSAFE: out parameters are local variables; the format owns the bytes.
    _ = unsafe parameterSet(format, 0, nil, nil, &count, nil)
    return (0..<count).map { index in
      var pointer: UnsafePointer<UInt8>?
      var size = 0
      let status = unsafe parameterSet(format, index, &pointer, &size, nil, nil)
      #expect(status == 0)
      return unsafe Array(UnsafeBufferPointer(start: pointer, count: size))
    }
  }

  /// The NAL units of the sample. Each has a length of four bytes before it.
  var units: [[UInt8]] {
    guard let block = CMSampleBufferGetDataBuffer(self) else { return [] }
    var bytes = [UInt8](repeating: 0, count: CMBlockBufferGetDataLength(block))
    // UNSAFE: the array has the bytes of the whole buffer.
    unsafe CMBlockBufferCopyDataBytes(block, atOffset: 0, dataLength: bytes.count, destination: &bytes)
    var units: [[UInt8]] = []
    var rest = bytes[...]
    while rest.count > 4 {
      let length = rest.prefix(4).reduce(0) { $0 << 8 | Int($1) }
      rest.removeFirst(4)
      #expect(length > 0 && length <= rest.count)
      units.append(Array(rest.prefix(length)))
      rest.removeFirst(min(length, rest.count))
    }
    #expect(rest.isEmpty)
    return units
  }
}

/// Creates a session whose output `frames` receives. The default device belongs to the session alone, so that no other test
/// locks it.
func makeSession(
  _ width: Int32, _ height: Int32, into frames: EncodedFrames, _ properties: [String: Any] = [:],
  codec: CMVideoCodecType = kCMVideoCodecType_H264, on device: Device = Device()
) throws -> VTCompressionSession {
  var session: VTCompressionSession?
  let callback: VTCompressionOutputCallback = { reference, _, status, flags, sample in
    guard let reference = unsafe reference else { return }
    #expect(flags == .asynchronous)
    unsafe Unmanaged<EncodedFrames>.fromOpaque(reference).takeUnretainedValue().append(status, sample)
  }
  let status = device.run {
    // UNSAFE: the tests keep the frames until the session has ended.
    unsafe VTCompressionSessionCreate(
      allocator: kCFAllocatorDefault, width: width, height: height, codecType: codec,
      encoderSpecification: nil, imageBufferAttributes: nil, compressedDataAllocator: nil,
      outputCallback: callback, refcon: Unmanaged.passUnretained(frames).toOpaque(),
      compressionSessionOut: &session)
  }
  #expect(status == 0)
  let created = try #require(session)
  #expect(VTSessionSetProperties(created, propertyDictionary: properties as CFDictionary) == 0)
  return created
}

/// Encodes an image with the session's callback.
func encode(
  _ image: CVPixelBuffer, at time: CMTime, _ session: VTCompressionSession, isForced: Bool = false,
  duration: CMTime = .invalid
) -> OSStatus {
  VTCompressionSessionEncodeFrame(
    session, imageBuffer: image, presentationTimeStamp: time, duration: duration,
    frameProperties: isForced ? [kVTEncodeFrameOptionKey_ForceKeyFrame: true] as CFDictionary : nil,
    sourceFrameRefcon: nil, infoFlagsOut: nil)
}

/// Encodes images at 30 frames per second, the one at `forced` as a key frame, and completes them.
func encode(_ images: [CVPixelBuffer], _ session: VTCompressionSession, forced: Int? = nil) {
  for (index, image) in images.enumerated() {
    #expect(encode(image, at: time(index), session, isForced: index == forced) == 0)
  }
  #expect(VTCompressionSessionCompleteFrames(session, untilPresentationTimeStamp: .invalid) == 0)
}

/// Returns a picture with stripes that move with `number`.
func makePicture(
  _ width: Int, _ height: Int, number: Int = 0, format: OSType = fullRange
) throws -> CVPixelBuffer {
  try makePatternedPicture(width, height, format) { plane, y, x in
    plane == 0 ? UInt8(30 + ((x + 4 * number) % 64) * 2 + y % 32) : 128
  }
}

/// Returns the peak signal-to-noise ratio of two planes, in decibels.
func likeness(_ first: [UInt8], _ second: [UInt8]) -> Double {
  guard first.count == second.count, !first.isEmpty else { return 0 }
  var squares = 0
  for index in first.indices {
    squares += (Int(first[index]) - Int(second[index])) * (Int(first[index]) - Int(second[index]))
  }
  return 10 * log10(255 * 255 * Double(first.count) / Double(max(squares, 1)))
}

/// Returns the time of frame `index` at 30 frames per second.
func time(_ index: Int) -> CMTime { CMTime(value: CMTimeValue(index), timescale: 30) }
