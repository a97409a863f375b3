import AudioToolbox
import CoreMedia
import Foundation

// Models AVFAudio's AVAudioFile.h for writing.

public typealias AVAudioFramePosition = Int64

/// The extension of the name chooses the format: caf or wav for linear PCM, m4a for AAC, which ffmpeg
/// encodes. The sizes in the header are written when the file is closed or released, as a player
/// needs them. For one thread at a time.
open class AVAudioFile: NSObject {
  public let url: URL
  /// Of AAC it has the rate and the channels only.
  public let fileFormat: AVAudioFormat
  public let processingFormat: AVAudioFormat
  open private(set) var length: AVAudioFramePosition = 0
  /// The end of the file: the stand-in writes all frames there.
  open var framePosition: AVAudioFramePosition { length }
  open var isOpen: Bool { output != nil }
  private var output: (any AudioFileOutput)?

  /// Throws also for settings or an extension that are not written here.
  public convenience init(forWriting fileURL: URL, settings: [String: Any]) throws {
    try self.init(
      forWriting: fileURL, settings: settings, commonFormat: .pcmFormatFloat32, interleaved: false)
  }

  public init(
    forWriting fileURL: URL, settings: [String: Any], commonFormat format: AVAudioCommonFormat,
    interleaved: Bool
  ) throws {
    let kind = try AudioFileKind(extension: fileURL.pathExtension)
    guard let stream = kind.stream(of: settings) else { throw Self.error(.unsupportedDataFormat) }
    guard
      let processing = AVAudioFormat(
        commonFormat: format, sampleRate: stream.mSampleRate, channels: stream.mChannelsPerFrame,
        interleaved: interleaved)
    else { throw Self.error(.unsupportedDataFormat) }
    (url, fileFormat, processingFormat) = (fileURL, AVAudioFormat(inFile: stream), processing)
    do {
      output =
        kind == .m4a
        ? try AACOutput(fileURL, settings, processing) : try PCMOutput(fileURL, kind, stream, processing)
    } catch {
      NSLog("%@", "AVAudioFile: \(fileURL.lastPathComponent) cannot be created: \(error)")
      throw Self.error(.unspecified)
    }
  }

  deinit { output?.close() }

  /// A buffer of another format than
  /// ``processingFormat`` is an exception on a device, so it ends the process here. Throws after ``close()``
  /// and when the file cannot be written; the codes of these errors on a device are not known.
  open func write(from buffer: AVAudioPCMBuffer) throws {
    guard let output else { throw Self.error(.unspecified) }
    guard buffer.format == processingFormat else {
      // The line of a device's log.
      fatalError(
        "CABufferList.h:184 ASSERTION FAILURE [(nBytes <= buf->mDataByteSize) != 0 is false]: the buffer has another "
          + "format than the file's processingFormat; see init(forWriting:settings:commonFormat:interleaved:)"
      )
    }
    guard buffer.frameLength > 0 else { return }
    do { try output.write(buffer) } catch {
      NSLog("%@", "AVAudioFile: \(url.lastPathComponent) cannot be written: \(error)")
      throw Self.error(.unspecified)
    }
    length += AVAudioFramePosition(buffer.frameLength)
  }

  open func close() {
    output?.close()
    output = nil
  }

  /// The codes of AudioToolbox/AudioFile.h that a file is refused with.
  enum Code: Int {
    /// "wht?"
    case unspecified = 0x7768_743F
    /// "typ?"
    case unsupportedFileType = 0x7479_703F
    /// "fmt?"
    case unsupportedDataFormat = 0x666D_743F
  }

  static func error(_ code: Code) -> NSError {
    NSError(domain: "com.apple.coreaudio.avfaudio", code: code.rawValue)
  }
}

/// Where the frames of a file go.
protocol AudioFileOutput: AnyObject {
  func write(_ buffer: AVAudioPCMBuffer) throws
  /// Completes the file. What fails is a line of the log.
  func close()
}

extension AVAudioConverter {
  /// The frames of a buffer in the output format.
  fileprivate func converted(_ buffer: AVAudioPCMBuffer) throws -> AVAudioPCMBuffer {
    guard let result = AVAudioPCMBuffer(pcmFormat: outputFormat, frameCapacity: buffer.frameLength) else {
      throw AVAudioFile.error(.unspecified)
    }
    try convert(to: result, from: buffer)
    return result
  }
}

/// A file of linear PCM: its header, then its frames.
private final class PCMOutput: AudioFileOutput {
  private let file: FileHandle
  private let name: String
  private let header: AudioFileHeader
  private let stream: AudioStreamBasicDescription
  private let converter: AVAudioConverter
  private var byteCount = 0

  init(
    _ url: URL, _ kind: AudioFileKind, _ stream: AudioStreamBasicDescription, _ source: AVAudioFormat
  ) throws {
    guard let converter = AVAudioConverter(from: source, to: AVAudioFormat(inFile: stream)) else {
      throw AVAudioFile.error(.unsupportedDataFormat)
    }
    (self.converter, self.stream, name) = (converter, stream, url.lastPathComponent)
    header = AudioFileHeader(kind: kind, stream: stream)
    try Data().write(to: url)
    file = try FileHandle(forWritingTo: url)
    try file.write(contentsOf: header.bytes(byteCount: 0))
  }

  func write(_ buffer: AVAudioPCMBuffer) throws {
    let converted = try converter.converted(buffer)
    // UNSAFE: the list belongs to the buffer, whose samples are in one memory.
    let bytes = unsafe converted.audioBufferList.pointee.mBuffers.mData.map {
      unsafe Data(bytes: $0, count: Int(converted.frameLength * stream.mBytesPerFrame))
    }
    guard let bytes else { throw AVAudioFile.error(.unspecified) }
    try file.write(contentsOf: bytes)
    byteCount += bytes.count
  }

  func close() {
    do {
      try file.seek(toOffset: 0)
      try file.write(contentsOf: header.bytes(byteCount: byteCount))
      try file.close()
    } catch { NSLog("%@", "AVAudioFile: \(name) cannot be completed: \(error)") }
  }
}

/// A file of AAC, by the writer of movies.
private final class AACOutput: AudioFileOutput {
  private let writer: AVAssetWriter
  private let input: AVAssetWriterInput
  private let converter: AVAudioConverter
  private let description: CMFormatDescription
  private var frames: Int64 = 0

  init(_ url: URL, _ settings: [String: Any], _ source: AVAudioFormat) throws {
    if FileManager.default.fileExists(atPath: url.path) { try FileManager.default.removeItem(at: url) }
    writer = try AVAssetWriter(outputURL: url, fileType: .m4a)
    input = AVAssetWriterInput(mediaType: .audio, outputSettings: settings)
    guard
      let target = AVAudioFormat(
        commonFormat: .pcmFormatFloat32, sampleRate: source.sampleRate, channels: source.channelCount,
        interleaved: true),
      let converter = AVAudioConverter(from: source, to: target)
    else { throw AVAudioFile.error(.unsupportedDataFormat) }
    self.converter = converter
    var stream = target.stream
    var description: CMFormatDescription?
    // UNSAFE: the parameters are local variables.
    _ = unsafe CMAudioFormatDescriptionCreate(
      allocator: nil, asbd: &stream, layoutSize: 0, layout: nil, magicCookieSize: 0, magicCookie: nil,
      extensions: nil, formatDescriptionOut: &description)
    guard let description else { throw AVAudioFile.error(.unsupportedDataFormat) }
    self.description = description
    writer.add(input)
    guard writer.startWriting() else { throw writer.error ?? AVAudioFile.error(.unspecified) }
    writer.startSession(atSourceTime: .zero)
  }

  func write(_ buffer: AVAudioPCMBuffer) throws {
    let converted = try converter.converted(buffer)
    guard let sample = try sample(of: converted), input.append(sample) else {
      throw writer.error ?? AVAudioFile.error(.unspecified)
    }
    frames += Int64(converted.frameLength)
  }

  private func sample(of buffer: AVAudioPCMBuffer) throws -> CMSampleBuffer? {
    let size = Int(buffer.frameLength * buffer.format.stream.mBytesPerFrame)
    var block: CMBlockBuffer?
    var sample: CMSampleBuffer?
    // UNSAFE: the out parameters are local variables; the list belongs to the buffer.
    unsafe CMBlockBufferCreateWithMemoryBlock(
      allocator: nil, memoryBlock: nil, blockLength: size, blockAllocator: nil, customBlockSource: nil,
      offsetToData: 0, dataLength: size, flags: kCMBlockBufferAssureMemoryNowFlag, blockBufferOut: &block)
    guard let block, let memory = unsafe buffer.audioBufferList.pointee.mBuffers.mData else { return nil }
    unsafe CMBlockBufferReplaceDataBytes(
      with: memory, blockBuffer: block, offsetIntoDestination: 0, dataLength: size)
    unsafe CMAudioSampleBufferCreateReadyWithPacketDescriptions(
      allocator: nil, dataBuffer: block, formatDescription: description,
      sampleCount: Int(buffer.frameLength),
      presentationTimeStamp: CMTime(value: frames, timescale: CMTimeScale(buffer.format.sampleRate)),
      packetDescriptions: nil, sampleBufferOut: &sample)
    return sample
  }

  func close() {
    guard frames > 0 else { return writer.cancelWriting() }
    input.markAsFinished()
    let isComplete = DispatchSemaphore(value: 0)
    writer.finishWriting { isComplete.signal() }
    isComplete.wait()
  }
}
