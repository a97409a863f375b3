import AVFoundation
import Foundation
import TestSupport
import Testing

@Suite struct AVAudioFileTests {
  private let folder = TemporaryFolder.ofSuite()

  private func settings(bits: Int = 16, isFloat: Bool = false, isBigEndian: Bool = false) -> [String: Any] {
    [
      AVFormatIDKey: kAudioFormatLinearPCM, AVSampleRateKey: 44_100, AVNumberOfChannelsKey: 2,
      AVLinearPCMBitDepthKey: bits, AVLinearPCMIsFloatKey: isFloat, AVLinearPCMIsBigEndianKey: isBigEndian,
    ]
  }

  /// A buffer of three frames: 0.5 and -0.5.
  private func buffer(_ format: AVAudioFormat) throws -> AVAudioPCMBuffer {
    let buffer = try #require(AVAudioPCMBuffer(pcmFormat: format, frameCapacity: 4))
    buffer.frameLength = 3
    let channels = try unsafe #require(unsafe buffer.floatChannelData)
    for frame in 0..<3 {
      unsafe channels[0][frame * buffer.stride] = 0.5
      unsafe channels[1][frame * buffer.stride] = -0.5
    }
    return buffer
  }

  private func written(_ name: String, _ settings: [String: Any]) throws -> [UInt8] {
    let url = URL(filePath: folder(name))
    let file = try AVAudioFile(forWriting: url, settings: settings)
    #expect(file.processingFormat.isStandard && file.url == url)
    try file.write(from: buffer(file.processingFormat))
    #expect(file.length == 3)
    file.close()
    #expect(!file.isOpen)
    return Array(try Data(contentsOf: url))
  }

  @Test func aWAVEFileHasItsHeaderAndTheFrames() throws {
    let bytes = try written("a.wav", settings())
    #expect(bytes.count == 44 + 12)
    #expect(Array(bytes[0..<8]) == Array("RIFF".utf8) + [48, 0, 0, 0])
    #expect(Array(bytes[20..<24]) == [1, 0, 2, 0])
    #expect(Array(bytes[40..<48]) == [12, 0, 0, 0, 0, 0x40, 0, 0xC0])
  }

  @Test(arguments: [(false, [0, 0x40, 0, 0xC0]), (true, [0x40, 0, 0xC0, 0])] as [(Bool, [UInt8])])
  func aCAFFileHasTheByteOrderOfItsSettings(isBigEndian: Bool, first: [UInt8]) throws {
    let bytes = try written("a.caf", settings(isBigEndian: isBigEndian))
    #expect(Array(bytes[0..<8]) == Array("caff".utf8) + [0, 1, 0, 0])
    #expect(Array(bytes[20..<28]) == [0x40, 0xE5, 0x88, 0x80, 0, 0, 0, 0], "44100 as a number of 64 bits")
    #expect(Array(bytes[32..<36]) == [0, 0, 0, isBigEndian ? 0 : 2])
    #expect(Array(bytes[52..<64]) == Array("data".utf8) + [0, 0, 0, 0, 0, 0, 0, 16])
    #expect(bytes.count == 68 + 12 && Array(bytes[68..<72]) == first)
  }

  /// ffmpeg encodes AAC, whose file has what the buffers had.
  @Test(
    .needs(.ffmpeg, .ffprobe),
    arguments: [AVAudioCommonFormat.pcmFormatFloat32, .pcmFormatInt16])
  func anM4AFileHasTheSoundOfTheBuffers(format: AVAudioCommonFormat) async throws {
    let file = try AVAudioFile(
      forWriting: URL(filePath: folder("a.m4a")),
      settings: [
        AVFormatIDKey: kAudioFormatMPEG4AAC, AVSampleRateKey: 44_100, AVNumberOfChannelsKey: 2,
        AVEncoderBitRateKey: 96_000,
      ], commonFormat: format, interleaved: format == .pcmFormatInt16)
    let packet = AVAudioFrameCount(1000)
    for number in 0..<44 {
      let buffer = try #require(AVAudioPCMBuffer(pcmFormat: file.processingFormat, frameCapacity: packet))
      buffer.frameLength = packet
      for frame in 0..<Int(packet) {
        let value = 0.5 * sin(Float(number * Int(packet) + frame) * 440 * 2 * .pi / 44_100)
        // UNSAFE: the frames of the buffer.
        if format == .pcmFormatFloat32 {
          for channel in 0..<2 { unsafe buffer.floatChannelData?[channel][frame] = value }
        } else {
          for channel in 0..<2 {
            unsafe buffer.int16ChannelData?[0][2 * frame + channel] = Int16(value * 32_767)
          }
        }
      }
      try file.write(from: buffer)
    }
    #expect(file.length == 44_000)
    file.close()
    #expect(throws: NSError.self) {
      try file.write(from: #require(AVAudioPCMBuffer(pcmFormat: file.processingFormat, frameCapacity: 4)))
    }
    let read = try await ReadMovie("a.m4a", in: folder)
    #expect(read.codecs == ["aac"])
    #expect(abs(read.audio.count - 44_000) < 2200, "\(read.audio.count)")
    let tone = read.audio.dropFirst(4000).prefix(30_000)
    #expect(abs((tone.map(abs).max() ?? 0) - 0.5) < 0.03)
    let turns = zip(tone, tone.dropFirst()).count { $0.0 < 0 && $0.1 >= 0 }
    #expect(abs(turns - 30_000 * 440 / 44_100) <= 1, "\(turns)")
  }

  @Test func aReleasedFileIsComplete() throws {
    let url = URL(filePath: folder("a.wav"))
    do {
      let file = try AVAudioFile(
        forWriting: url, settings: settings(bits: 32, isFloat: true), commonFormat: .pcmFormatFloat32,
        interleaved: true)
      try file.write(from: buffer(file.processingFormat))
    }
    let bytes = try Data(contentsOf: url)
    #expect(bytes.count == 44 + 24 && bytes[40] == 24 && bytes[20] == 3)
  }

  @Test func aClosedFileTakesNoFrames() throws {
    let file = try AVAudioFile(forWriting: URL(filePath: folder("a.caf")), settings: settings())
    file.close()
    #expect(throws: NSError.self) { try file.write(from: buffer(file.processingFormat)) }
  }

  @Test(arguments: [("a.mp3", 0x7479_703F), ("a.m4a", 0x666D_743F), ("none/a.wav", 0x7768_743F)])
  func aFileThatCannotBeIsRefused(name: String, code: Int) throws {
    let error = #expect(throws: NSError.self) {
      try AVAudioFile(forWriting: URL(filePath: folder(name)), settings: settings())
    }
    #expect(error?.domain == "com.apple.coreaudio.avfaudio" && error?.code == code)
  }

  @Test func theSettingsOfAFormatMakeTheFormat() throws {
    let format = try #require(
      AVAudioFormat(commonFormat: .pcmFormatInt16, sampleRate: 48_000, channels: 1, interleaved: true))
    #expect(AVAudioFormat(settings: format.settings) == format)
  }

  @Test func aBufferOfAnotherFormatEndsTheProcess() async {
    await #expect(processExitsWith: .failure) {
      let folder = try TemporaryFolder()
      let file = try AVAudioFile(
        forWriting: URL(filePath: folder("a.wav")),
        settings: [AVFormatIDKey: kAudioFormatLinearPCM, AVSampleRateKey: 44_100, AVNumberOfChannelsKey: 1])
      let format = try #require(
        AVAudioFormat(commonFormat: .pcmFormatInt16, sampleRate: 44_100, channels: 1, interleaved: true))
      let buffer = try #require(AVAudioPCMBuffer(pcmFormat: format, frameCapacity: 4))
      buffer.frameLength = 4
      try file.write(from: buffer)
    }
  }
}
