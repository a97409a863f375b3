import AVFoundation
import Testing

@Suite struct AudioConverterTests {
  /// Returns a format of 16-bit integers, or of floating-point samples if `flags` says so.
  private func format(
    _ rate: Double, channels: UInt32, flags: AudioFormatFlags = kAudioFormatFlagIsSignedInteger
  ) -> AudioStreamBasicDescription {
    let sample: UInt32 = flags & kAudioFormatFlagIsFloat != 0 ? 4 : 2
    let bytes = flags & kAudioFormatFlagIsNonInterleaved == 0 ? sample * channels : sample
    return AudioStreamBasicDescription(
      mSampleRate: rate, mFormatID: kAudioFormatLinearPCM, mFormatFlags: flags | kAudioFormatFlagIsPacked,
      mBytesPerPacket: bytes, mFramesPerPacket: 1, mBytesPerFrame: bytes, mChannelsPerFrame: channels,
      mBitsPerChannel: sample * 8, mReserved: 0)
  }

  private var bigEndian: AudioFormatFlags { kAudioFormatFlagIsSignedInteger | kAudioFormatFlagIsBigEndian }

  private func converter(
    _ source: AudioStreamBasicDescription, _ target: AudioStreamBasicDescription
  ) throws -> AudioConverterRef {
    var (source, target) = (source, target)
    var converter: AudioConverterRef?
    // UNSAFE: the parameters are local variables.
    #expect(unsafe AudioConverterNew(&source, &target, &converter) == noErr)
    return try #require(converter)
  }

  private func convert(_ bytes: [UInt8], with converter: AudioConverterRef, room: Int = 64) -> (
    OSStatus, [UInt8]
  ) {
    var output = [UInt8](repeating: 0, count: room)
    var size = UInt32(room)
    // UNSAFE: the arrays are valid for the call and have these sizes.
    let code = unsafe AudioConverterConvertBuffer(converter, UInt32(bytes.count), bytes, &size, &output)
    return (code, Array(output.prefix(Int(size))))
  }

  @Test func changesByteOrderAndChannels() throws {
    let toMono = try converter(format(48_000, channels: 2, flags: bigEndian), format(48_000, channels: 1))
    let (code, bytes) = convert([0x12, 0x34, 0, 1, 0x80, 0, 0x7F, 0xFF], with: toMono)
    #expect(code == noErr && bytes == [0x34, 0x12, 0, 0x80])
    let toStereo = try converter(format(48_000, channels: 1), format(48_000, channels: 2, flags: bigEndian))
    #expect(convert([0x34, 0x12], with: toStereo).1 == [0x12, 0x34, 0x12, 0x34])
    #expect(convert([1, 2, 3], with: toStereo).0 == kAudioConverterErr_InvalidInputSize)
    #expect(convert([1, 2, 3, 4], with: toStereo, room: 7).0 == kAudioConverterErr_InvalidOutputSize)
    let otherRate = try converter(format(44_100, channels: 1), format(48_000, channels: 1))
    #expect(convert([1, 2], with: otherRate).0 == kAudioConverterErr_OperationNotSupported)
  }

  /// A tone of 1 kHz in packets of 1024 frames, as a handler's queue supplies them.
  private final class Tone {
    static let rate = 44_100.0
    var packets: Int
    var frame = 0
    var bytes = [Int16](repeating: 0, count: 2048)
    init(packets: Int) { self.packets = packets }

    static func value(_ seconds: Double) -> Double { 0.5 * sin(2 * .pi * 1000 * seconds) }

    func next(_ list: UnsafeMutablePointer<AudioBufferList>) -> UInt32 {
      guard packets > 0 else { return 0 }
      packets -= 1
      for index in 0..<1024 {
        let sample = Int16((Self.value(Double(frame + index) / Self.rate) * 32_768).rounded())
        (bytes[index * 2], bytes[index * 2 + 1]) = (sample.bigEndian, (-sample).bigEndian)
      }
      frame += 1024
      // UNSAFE: the array is not changed before the next call.
      unsafe bytes.withUnsafeMutableBytes {
        unsafe list.pointee.mBuffers = AudioBuffer(
          mNumberChannels: 2, mDataByteSize: UInt32($0.count), mData: $0.baseAddress)
      }
      return 1024
    }
  }

  /// Fills a buffer of mono floating-point samples with the converted tone.
  private func fill(
    _ converter: AudioConverterRef, from tone: Tone, frames: UInt32, endCode: OSStatus = noErr
  ) -> (code: OSStatus, samples: [Float]) {
    var samples = [Float](repeating: 9, count: Int(frames))
    var count = frames
    // UNSAFE: the memory is valid for the call, and so is the user data (the tone).
    let code = unsafe samples.withUnsafeMutableBytes { memory in
      var list = unsafe AudioBufferList(
        mNumberBuffers: 1,
        mBuffers: AudioBuffer(
          mNumberChannels: 1, mDataByteSize: UInt32(memory.count), mData: memory.baseAddress))
      return unsafe AudioConverterFillComplexBuffer(
        converter,
        { _, packets, list, _, data in
          guard let data = unsafe data else { return -1 }
          unsafe packets.pointee = unsafe Unmanaged<Tone>.fromOpaque(data).takeUnretainedValue().next(list)
          return unsafe packets.pointee == 0 ? endCode : noErr
        }, Unmanaged.passUnretained(tone).toOpaque(), &count, &list, nil)
    }
    return (code, Array(samples.prefix(Int(count))))
  }

  @Test(arguments: [noErr, -7] as [OSStatus]) func changesTheRateOfATone(endCode: OSStatus) throws {
    let converter = try converter(
      format(Tone.rate, channels: 2, flags: bigEndian),
      format(48_000, channels: 1, flags: kAudioFormatFlagIsFloat))
    let tone = Tone(packets: 10)
    var samples: [Float] = []
    var code = noErr
    while code == noErr {
      let part = fill(converter, from: tone, frames: 480, endCode: endCode)
      (code, samples) = (part.code, samples + part.samples)
      if part.samples.count < 480 { break }
    }
    #expect(code == endCode)
    // 10,240 frames of 44.1 kHz are 11,145.6 of 48 kHz.
    #expect((11_144...11_146).contains(samples.count))
    let worst = samples.dropLast(2).enumerated().map { abs(Double($1) - Tone.value(Double($0) / 48_000)) }
      .max()
    #expect((worst ?? 1) < 0.002)
  }

  @Test func separatesInterleavedChannels() throws {
    let converter = try converter(
      format(44_100, channels: 2, flags: bigEndian),
      format(44_100, channels: 2, flags: kAudioFormatFlagIsFloat | kAudioFormatFlagIsNonInterleaved))
    let tone = Tone(packets: 1)
    let target = try #require(
      AVAudioFormat(commonFormat: .pcmFormatFloat32, sampleRate: 44_100, channels: 2, interleaved: false))
    let buffer = try #require(AVAudioPCMBuffer(pcmFormat: target, frameCapacity: 1024))
    buffer.frameLength = 1024
    var count: UInt32 = 1024
    // UNSAFE: the list belongs to the buffer, the user data is the tone.
    let code = unsafe AudioConverterFillComplexBuffer(
      converter,
      { _, packets, list, _, data in
        guard let data = unsafe data else { return -1 }
        unsafe packets.pointee = unsafe Unmanaged<Tone>.fromOpaque(data).takeUnretainedValue().next(list)
        return noErr
      }, Unmanaged.passUnretained(tone).toOpaque(), &count, buffer.mutableAudioBufferList, nil)
    #expect(code == noErr && count == 1024)
    let channels = try unsafe #require(unsafe buffer.floatChannelData)
    for frame in [0, 10, 1023] {
      let (left, right) = unsafe (channels[0][frame], channels[1][frame])
      #expect(abs(Double(left) - Tone.value(Double(frame) / 44_100)) < 0.0001 && left == -right)
    }
  }

  @Test(arguments: [Double.leastNonzeroMagnitude, 0.5, 1e300]) func refusesRatesThatNoAudioHas(rate: Double) {
    var (source, target) = (format(44_100, channels: 2), format(rate, channels: 2))
    var made: AudioConverterRef?
    // UNSAFE: the parameters are local variables.
    unsafe #expect(AudioConverterNew(&source, &target, &made) == kAudioConverterErr_FormatNotSupported)
    unsafe #expect(AudioConverterNew(&target, &source, &made) == kAudioConverterErr_FormatNotSupported)
  }

  @Test func refusesCompressedAudio() {
    var source = format(44_100, channels: 2)
    var target = AudioStreamBasicDescription()
    (target.mFormatID, target.mSampleRate, target.mChannelsPerFrame) = (0x6161_6320, 44_100, 2)
    var converter: AudioConverterRef?
    // UNSAFE: the parameters are local variables.
    #expect(unsafe AudioConverterNew(&source, &target, &converter) == kAudioConverterErr_FormatNotSupported)
    #expect(converter == nil)
  }
}
