import AVFoundation
import Testing

@Suite struct AVAudioConverterTests {
  private func buffer(_ format: AVAudioFormat, frames: Int) throws -> AVAudioPCMBuffer {
    let buffer = try #require(AVAudioPCMBuffer(pcmFormat: format, frameCapacity: AVAudioFrameCount(frames)))
    buffer.frameLength = buffer.frameCapacity
    let channels = try unsafe #require(unsafe buffer.int16ChannelData)
    for frame in 0..<frames {
      for channel in 0..<Int(format.channelCount) {
        unsafe channels[channel][frame * buffer.stride] = Int16(frame * 10 + channel)
      }
    }
    return buffer
  }

  private func format(_ rate: Double, channels: UInt32 = 2) throws -> AVAudioFormat {
    try #require(
      AVAudioFormat(commonFormat: .pcmFormatInt16, sampleRate: rate, channels: channels, interleaved: true))
  }

  @Test func convertsABufferToFloatingPointNumbers() throws {
    let target = try #require(AVAudioFormat(standardFormatWithSampleRate: 44_100, channels: 2))
    #expect(target.isStandard)
    let source = try format(44_100)
    let converter = try #require(AVAudioConverter(from: source, to: target))
    let input = try buffer(source, frames: 100)
    let output = try #require(AVAudioPCMBuffer(pcmFormat: target, frameCapacity: 100))
    try converter.convert(to: output, from: input)
    #expect(output.frameLength == 100)
    let channels = try unsafe #require(unsafe output.floatChannelData)
    let values = unsafe [channels[0][7], channels[1][99]]
    let expected: [Float] = [70 / 32_768, 991 / 32_768]
    #expect(values == expected)
    let short = try #require(AVAudioPCMBuffer(pcmFormat: target, frameCapacity: 10))
    #expect(throws: NSError.self) { try converter.convert(to: short, from: input) }
    let other = try #require(AVAudioConverter(from: source, to: try format(48_000)))
    let room = try #require(AVAudioPCMBuffer(pcmFormat: try format(48_000), frameCapacity: 200))
    #expect(throws: NSError.self) { try other.convert(to: room, from: input) }
  }

  @Test func asksForBuffersOfTheInput() throws {
    let (source, target) = (try format(44_100), try format(22_050, channels: 1))
    let converter = try #require(AVAudioConverter(from: source, to: target))
    let output = try #require(AVAudioPCMBuffer(pcmFormat: target, frameCapacity: 60))
    var rest = [try buffer(source, frames: 100), try buffer(source, frames: 100)]
    var isLast = false
    func convert() -> AVAudioConverterOutputStatus {
      var error: NSError?
      // UNSAFE: the parameters are local variables.
      return unsafe converter.convert(to: output, error: &error) { _, status in
        unsafe status.pointee = rest.isEmpty ? (isLast ? .endOfStream : .noDataNow) : .haveData
        return rest.isEmpty ? nil : rest.removeFirst()
      }
    }
    #expect(convert() == .haveData && output.frameLength == 60)
    let first = try unsafe #require(unsafe output.int16ChannelData)
    #expect(unsafe first[0][1] == 20)
    #expect(convert() == .inputRanDry && (38...40).contains(output.frameLength))
    isLast = true
    _ = convert()
    #expect(convert() == .endOfStream && output.frameLength == 0)
  }

  @Test func equalFormatsAreEqual() throws {
    let settings: [String: Any] = [
      AVFormatIDKey: kAudioFormatLinearPCM, AVSampleRateKey: 44_100, AVNumberOfChannelsKey: 2,
      AVLinearPCMBitDepthKey: 16,
    ]
    #expect(try format(44_100) == format(44_100) && format(44_100) != format(48_000))
    #expect(try AVAudioFormat(settings: settings) == format(44_100))
    #expect(AVAudioFormat(settings: [AVFormatIDKey: kAudioFormatMPEG4AAC]) == nil)
    var compressed = AudioStreamBasicDescription()
    compressed.mFormatID = kAudioFormatMPEG4AAC
    // UNSAFE: the parameter is a local variable.
    #expect(unsafe AVAudioFormat(streamDescription: &compressed) == nil)
  }
}
