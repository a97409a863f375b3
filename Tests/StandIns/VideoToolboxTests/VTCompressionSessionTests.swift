import PixelAccess
import TestSupport

@testable import VideoToolbox

@Suite(.sharedMachine, .needs(.ffmpeg)) struct VTCompressionSessionTests {
  private let frames = EncodedFrames()

  @Test(arguments: [fullRange, videoRange], [kCMVideoCodecType_H264, kCMVideoCodecType_HEVC])
  func theDecodedFramesShowWhatWasEncoded(format: OSType, codec: CMVideoCodecType) async throws {
    let session = try makeSession(160, 120, into: frames, codec: codec)
    #expect(VTCompressionSessionPrepareToEncodeFrames(session) == 0)
    let pictures = try (0..<12).map { try makePicture(160, 120, number: $0, format: format) }
    encode(pictures, session)
    #expect(frames.statuses == Array(repeating: 0, count: 12))
    let decoded = try await frames.decodedLuma(width: 160, height: 120)
    #expect(decoded.count == 12)
    for (index, luma) in decoded.enumerated() {
      // The decoder converts both formats to full range.
      let expected = samples(pictures[index], plane: 0).map { format == fullRange ? $0 : wholeRange($0) }
      let other = samples(pictures[(index + 3) % 12], plane: 0).map {
        format == fullRange ? $0 : wholeRange($0)
      }
      #expect(likeness(luma, expected) > 33, "frame \(index)")
      #expect(likeness(luma, other) < 24, "the control of frame \(index)")
    }
    VTCompressionSessionInvalidate(session)
  }

  /// Returns a video-range luma sample in full range.
  private func wholeRange(_ sample: UInt8) -> UInt8 {
    let value: Double = (Double(sample) - 16) * 255 / 219
    return UInt8(min(max(value, 0), 255).rounded())
  }

  @Test func timesAreThoseOfTheImages() throws {
    let session = try makeSession(160, 120, into: frames)
    let times = [5, 6, 7, 90, 91, 3000].map { CMTime(value: $0, timescale: 600) }
    for (index, time) in times.enumerated() {
      let duration = CMTime(value: CMTimeValue(index), timescale: 600)
      #expect(encode(try makePicture(160, 120), at: time, session, duration: duration) == 0)
    }
    VTCompressionSessionCompleteFrames(session, untilPresentationTimeStamp: .positiveInfinity)
    #expect(frames.samples.map(\.presentationTimeStamp) == times)
    #expect(frames.samples.map(\.duration.value) == [0, 1, 2, 3, 4, 5])
    #expect(
      frames.samples.allSatisfy { !$0.decodeTimeStamp.isValid && $0.imageBuffer == nil && $0.numSamples == 1 }
    )
    #expect(encode(try makePicture(160, 120), at: .invalid, session) == kVTParameterErr)
  }

  @Test(arguments: [kCMVideoCodecType_H264, kCMVideoCodecType_HEVC])
  func aKeyFrameComesAtTheIntervalAndWhenItIsForced(codec: CMVideoCodecType) throws {
    let session = try makeSession(
      160, 120, into: frames, [kVTCompressionPropertyKey_MaxKeyFrameInterval: 5 as CFNumber], codec: codec)
    encode(try (0..<14).map { try makePicture(160, 120, number: $0) }, session, forced: 7)
    #expect(frames.keyFrames == [0, 5, 7, 12])
    // Only key frames are IDR pictures.
    for (index, sample) in frames.samples.enumerated() {
      let isHEVC = codec == kCMVideoCodecType_HEVC
      let types = Set(sample.units.map { isHEVC ? $0[0] >> 1 & 63 : $0[0] & 31 })
      // Key frames are IDR_W_RADL or IDR_N_LP in HEVC. In both codecs, the type of the other frames is 1.
      let keys: Set<UInt8> = isHEVC ? [19, 20] : [5]
      #expect(types.isDisjoint(with: keys) != frames.keyFrames.contains(index))
      #expect(types.contains(1) != frames.keyFrames.contains(index))
    }
  }

  @Test func aKeyFrameComesWhenItsTimeHasPassed() throws {
    let session = try makeSession(
      160, 120, into: frames,
      [
        kVTCompressionPropertyKey_MaxKeyFrameIntervalDuration: 0.2,
        kVTCompressionPropertyKey_MaxKeyFrameInterval: 0,
      ])
    encode(try (0..<14).map { _ in try makePicture(160, 120) }, session)
    #expect(frames.keyFrames == [0, 6, 12])
  }

  @Test(arguments: [
    (kVTProfileLevel_H264_Baseline_AutoLevel, UInt8(66), UInt8?.none),
    (kVTProfileLevel_H264_Main_3_1, 77, 31), (kVTProfileLevel_H264_High_4_1, 100, 41),
  ]) func theParameterSetsHaveTheProfile(name: String, profile: UInt8, level: UInt8?) throws {
    let session = try makeSession(160, 120, into: frames, [kVTCompressionPropertyKey_ProfileLevel: name])
    encode([try makePicture(160, 120)], session)
    let sample = try #require(frames.samples.first)
    #expect(sample.parameterSets.map { $0[0] & 31 } == [7, 8])
    #expect(sample.parameterSets.first?[1] == profile)
    if let level { #expect(sample.parameterSets.first?[3] == level) }
    let format = try #require(sample.formatDescription)
    #expect(CMFormatDescriptionGetMediaSubType(format) == kCMVideoCodecType_H264)
    #expect(CMVideoFormatDescriptionGetDimensions(format) == CMVideoDimensions(width: 160, height: 120))
    var lengthBytes: Int32 = 0
    // UNSAFE: the out parameter is a local variable.
    unsafe CMVideoFormatDescriptionGetH264ParameterSetAtIndex(
      format, parameterSetIndex: 1, parameterSetPointerOut: nil, parameterSetSizeOut: nil,
      parameterSetCountOut: nil, nalUnitHeaderLengthOut: &lengthBytes)
    #expect(lengthBytes == 4)
    #expect(
      CMVideoFormatDescriptionGetH264ParameterSetAtIndex(
        format, parameterSetIndex: 2, parameterSetPointerOut: nil, parameterSetSizeOut: nil,
        parameterSetCountOut: nil, nalUnitHeaderLengthOut: nil) == kCMFormatDescriptionError_InvalidParameter)
  }

  @Test func theParameterSetsOfHEVCAreThoseOfVideoSequenceAndPicture() throws {
    let session = try makeSession(
      160, 120, into: frames, [kVTCompressionPropertyKey_ProfileLevel: kVTProfileLevel_HEVC_Main_AutoLevel],
      codec: kCMVideoCodecType_HEVC)
    for (key, value) in [
      (kVTCompressionPropertyKey_ProfileLevel, kVTProfileLevel_H264_High_AutoLevel, kVTParameterErr),
      (kVTCompressionPropertyKey_H264EntropyMode, kVTH264EntropyMode_CABAC, kVTPropertyNotSupportedErr),
    ].map({ (($0.0, $0.2), $0.1) }) {
      #expect(VTSessionSetProperty(session, key: key.0, value: value) == key.1)
    }
    for (mode, status) in [
      (kVTScalingMode_Normal, 0), (kVTScalingMode_Letterbox, kVTPropertyNotSupportedErr),
    ] {
      #expect(
        VTSessionSetProperty(
          session, key: kVTCompressionPropertyKey_PixelTransferProperties,
          value: [kVTPixelTransferPropertyKey_ScalingMode: mode]) == status)
    }
    // Each frame is passed on before the next one is sent.
    for index in 0..<3 {
      #expect(encode(try makePicture(160, 120, number: index), at: time(index), session) == 0)
      VTCompressionSessionCompleteFrames(session, untilPresentationTimeStamp: .invalid)
      #expect(frames.samples.count == index + 1)
    }
    let sample = try #require(frames.samples.first)
    #expect(sample.parameterSets.map { $0[0] >> 1 & 63 } == [32, 33, 34])
    let format = try #require(sample.formatDescription)
    #expect(CMFormatDescriptionGetMediaSubType(format) == kCMVideoCodecType_HEVC)
    #expect(CMVideoFormatDescriptionGetDimensions(format) == CMVideoDimensions(width: 160, height: 120))
    #expect(
      CMVideoFormatDescriptionGetH264ParameterSetAtIndex(
        format, parameterSetIndex: 0, parameterSetPointerOut: nil, parameterSetSizeOut: nil,
        parameterSetCountOut: nil, nalUnitHeaderLengthOut: nil) == kCMFormatDescriptionError_InvalidParameter)
  }

  @Test func encodersThatHaveEndedKeepNoDescriptors() async throws {
    await #expect(processExitsWith: .success) {
      let frames = EncodedFrames()
      let picture = try makePicture(160, 120)
      /// Encodes one frame at each bit rate in one session. Each bit rate needs another encoder.
      func encodeFrames(_ bitRates: Range<Int>) throws {
        let session = try makeSession(160, 120, into: frames)
        for rate in bitRates {
          VTSessionSetProperty(
            session, key: kVTCompressionPropertyKey_AverageBitRate, value: (100_000 + 1000 * rate) as CFNumber
          )
          #expect(encode(picture, at: time(rate), session) == 0)
        }
        VTCompressionSessionCompleteFrames(session, untilPresentationTimeStamp: .invalid)
        VTCompressionSessionInvalidate(session)
      }
      try encodeFrames(0..<2)
      let before = try descriptorCount()
      try encodeFrames(0..<12)
      for _ in 0..<8 { try encodeFrames(0..<1) }
      try await expectNoNewDescriptors(since: before)
    }
  }

  @Test(arguments: [30, nil]) func theBitRateIsKept(expectedFrameRate: Int?) throws {
    var properties: [String: Any] = [
      kVTCompressionPropertyKey_AverageBitRate: 300_000,
      kVTCompressionPropertyKey_DataRateLimits: [60_000, 1] as CFArray,
    ]
    properties[kVTCompressionPropertyKey_ExpectedFrameRate] = expectedFrameRate
    let session = try makeSession(320, 240, into: frames, properties)
    var generator = SystemRandomNumberGenerator()
    // Noise: without the limit, the encoder would output many times as much.
    let pictures = try (0..<4).map { index in
      let picture = try makePicture(320, 240, number: index)
      picture.writePlane(0) { bytes, _ in
        for place in stride(from: 0, to: bytes.count, by: 2) {
          bytes[place] = UInt8.random(in: 60...180, using: &generator)
        }
      }
      return picture
    }
    encode((0..<90).map { pictures[$0 % pictures.count] }, session)
    let bitsPerSecond = frames.samples.reduce(0) { $0 + CMSampleBufferGetTotalSampleSize($1) } * 8 / 3
    #expect((150_000...600_000).contains(bitsPerSecond), "\(bitsPerSecond)")
  }

  private func greyPicture() throws -> CVPixelBuffer {
    let picture = try PixelBufferPool(width: 160, height: 120, pixelFormat: kCVPixelFormatType_32BGRA)
      .makeBuffer()
    picture.writePlane(0) { bytes, _ in bytes.fill(0..<bytes.count, with: 180) }
    return picture
  }

  @Test func imagesOfOtherSizesAndFormatsAreScaled() async throws {
    let session = try makeSession(161, 121, into: frames)
    let bgra = try greyPicture()
    encode([try makePicture(320, 240), try makePicture(161, 121), bgra, bgra], session)
    #expect(
      (frames.keyFrames, frames.samples.map(\.presentationTimeStamp)) == ([0, 1, 2], (0..<4).map(time)))
    #expect(
      frames.samples.allSatisfy {
        $0.formatDescription?.dimensions == CMVideoDimensions(width: 160, height: 120)
      })
    #expect(try await frames.decodedLuma(width: 160, height: 120).count == 4)
  }

  @Test func coloursAreConverted() async throws {
    let session = try makeSession(160, 120, into: frames)
    encode([try greyPicture()], session)
    let decoded = try await frames.decodedLuma(width: 160, height: 120)
    #expect(
      decoded.count == 1 && decoded[0].allSatisfy { abs(Int($0) - 180) <= 3 }, "\(decoded[0].prefix(8))")
  }

  /// A decoder that reads the matrix from the stream shows the frame's colour.
  @Test(arguments: ColourMatrix.allCases) func theStreamStatesTheMatrix(matrix: ColourMatrix) async throws {
    let session = try makeSession(64, 64, into: frames)
    let picture = try makePatternedPicture(64, 64) { plane, _, column in
      plane == 0 ? 110 : column % 2 == 0 ? 150 : 160
    }
    picture.state(matrix)
    encode([picture], session)
    let rgb = ColourConversion(matrix, range: .full).rgb(luma: 110, cb: 150, cr: 160)
    let decoded = try await frames.decodedColour()
    for (found, wanted) in zip(decoded, [rgb.red, rgb.green, rgb.blue]) {
      #expect(abs(Int(found) - Int(wanted)) <= 3, "\(decoded), \(rgb)")
    }
  }

  @Test func aChangedPropertyBeginsWithAKeyFrame() throws {
    let session = try makeSession(160, 120, into: frames)
    for index in 0..<6 {
      if index == 3 {
        #expect(
          VTSessionSetProperty(
            session, key: kVTCompressionPropertyKey_AverageBitRate, value: 400_000 as CFNumber) == 0)
        // This property has no effect on the encoder.
        #expect(
          VTSessionSetProperty(session, key: kVTCompressionPropertyKey_RealTime, value: kCFBooleanTrue) == 0)
      }
      #expect(encode(try makePicture(160, 120), at: time(index), session) == 0)
    }
    VTCompressionSessionCompleteFrames(session, untilPresentationTimeStamp: .invalid)
    #expect((frames.keyFrames, frames.samples.map(\.presentationTimeStamp)) == ([0, 3], (0..<6).map(time)))
  }

  @Test func eachFrameMayHaveItsOwnHandler() throws {
    var created: VTCompressionSession?
    // UNSAFE: the out parameter is a local variable; there are no references.
    unsafe VTCompressionSessionCreate(
      allocator: nil, width: 160, height: 120, codecType: kCMVideoCodecType_H264, encoderSpecification: nil,
      imageBufferAttributes: nil, compressedDataAllocator: nil, outputCallback: nil, refcon: nil,
      compressionSessionOut: &created)
    let session = try #require(created)
    var flags: VTEncodeInfoFlags = []
    for index in 0..<3 {
      let status = unsafe VTCompressionSessionEncodeFrame(
        session, imageBuffer: try makePicture(160, 120), presentationTimeStamp: time(index),
        duration: .invalid, frameProperties: nil, infoFlagsOut: &flags
      ) { [frames] status, _, sample in frames.append(status, sample) }
      #expect(status == 0 && flags == .asynchronous)
    }
    #expect(encode(try makePicture(160, 120), at: time(3), session) == kVTParameterErr)
    VTCompressionSessionCompleteFrames(session, untilPresentationTimeStamp: .invalid)
    #expect(frames.samples.map(\.presentationTimeStamp) == (0..<3).map(time))
  }

  @Test func anInvalidatedSessionDoesNothing() throws {
    let session = try makeSession(160, 120, into: frames)
    let picture = try makePicture(160, 120)
    #expect(encode(picture, at: time(0), session) == 0)
    VTCompressionSessionInvalidate(session)
    let received = frames.statuses.count
    expectInvalid(session, picture)
    #expect(frames.statuses.count - received <= 1 && frames.statuses.allSatisfy { $0 == 0 })
  }

  private func expectInvalid(_ session: VTCompressionSession, _ picture: CVPixelBuffer) {
    #expect(encode(picture, at: time(1), session) == kVTInvalidSessionErr)
    #expect(VTCompressionSessionPrepareToEncodeFrames(session) == kVTInvalidSessionErr)
    #expect(
      VTCompressionSessionCompleteFrames(session, untilPresentationTimeStamp: .invalid)
        == kVTInvalidSessionErr)
    #expect(
      VTSessionSetProperty(session, key: kVTCompressionPropertyKey_RealTime, value: kCFBooleanTrue)
        == kVTInvalidSessionErr)
  }

  @Test func propertiesAreChecked() throws {
    let session = try makeSession(160, 120, into: frames)
    #expect(
      VTSessionSetProperty(session, key: "NoSuchProperty", value: kCFBooleanTrue)
        == kVTPropertyNotSupportedErr)
    let wrong: [(CFString, Any)] = [
      (kVTCompressionPropertyKey_ProfileLevel, kVTProfileLevel_HEVC_Main_AutoLevel),
      (kVTCompressionPropertyKey_AverageBitRate, "fast"), (kVTCompressionPropertyKey_AverageBitRate, -1),
      (kVTCompressionPropertyKey_DataRateLimits, [1000]),
      (kVTCompressionPropertyKey_DataRateLimits, [1000, 0]),
      (kVTCompressionPropertyKey_Quality, 1.5), (kVTCompressionPropertyKey_MaxKeyFrameInterval, -1),
      (kVTCompressionPropertyKey_H264EntropyMode, "HUFFMAN"),
    ]
    for (key, value) in wrong {
      #expect(VTSessionSetProperty(session, key: key, value: value) == kVTParameterErr, "\(key)")
    }
    for (key, _) in wrong { #expect(VTSessionSetProperty(session, key: key, value: nil) == 0, "\(key)") }
  }
}
