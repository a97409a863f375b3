import Foundation
import UniformTypeIdentifiers

// Names that an extension may not use, and names that the emulator lacks. The error of the compiler says what to use instead.

@available(*, unavailable, message: "An extension has no camera: the app captures it.")
public class AVCaptureDevice {
  public enum Position: Int, Sendable { case unspecified, back, front }
  public enum DeviceType: Sendable {
    case builtInWideAngleCamera, builtInUltraWideCamera, builtInTelephotoCamera, builtInMicrophone, microphone
  }
  public static func `default`(for mediaType: AVMediaType) -> AVCaptureDevice? { nil }
  public static func `default`(_ type: DeviceType, for: AVMediaType?, position: Position) -> AVCaptureDevice?
  {
    nil
  }
  public static func authorizationStatus(for mediaType: AVMediaType) -> AVAuthorizationStatus { .denied }
}
public enum AVAuthorizationStatus: Int, Sendable { case notDetermined, restricted, denied, authorized }
@available(*, unavailable, message: "An extension has no camera: the app captures it.")
public class AVCaptureSession { public init() {} }

@available(*, unavailable, message: "The emulator plays and records no audio: a broadcast brings samples.")
public class AVAudioEngine {
  public init() {}
  public var inputNode: AVAudioNode { AVAudioNode() }
  public func start() throws {}
}
@available(*, unavailable, message: "The emulator plays and records no audio: a broadcast brings samples.")
public class AVAudioNode {
  public func installTap(
    onBus bus: Int, bufferSize: UInt32, format: AVAudioFormat?,
    block: @escaping (AVAudioPCMBuffer, Any) -> Void
  ) {}
}
@available(*, unavailable, message: "The emulator plays and records no audio: a broadcast brings samples.")
public class AVAudioPlayer { public init(contentsOf url: URL) throws {} }
@available(*, unavailable, message: "The emulator plays and records no audio: a broadcast brings samples.")
public class AVPlayer { public init(url URL: URL) {} }

@available(*, unavailable, message: "The emulator does not read, edit or show movies: leave that to the app.")
public class AVAssetReader { public init(asset: AVAsset) throws {} }
@available(*, unavailable, message: "The emulator does not read, edit or show movies: leave that to the app.")
public class AVAssetExportSession { public init?(asset: AVAsset, presetName: String) {} }
@available(*, unavailable, message: "The emulator does not read, edit or show movies: leave that to the app.")
public let AVAssetExportPresetPassthrough = ""
@available(*, unavailable, message: "The emulator does not read, edit or show movies: leave that to the app.")
public class AVSampleBufferDisplayLayer { public init() {} }

@available(*, unavailable, message: "The emulator has no AVAudioFile: AVAssetWriter writes m4a, caf and wav.")
public class AVAudioFile {
  public init(forWriting fileURL: URL, settings: [String: Any]) throws {}
  public init(
    forWriting fileURL: URL, settings: [String: Any], commonFormat format: AVAudioCommonFormat,
    interleaved: Bool
  ) throws {}
  public init(forReading fileURL: URL) throws {}
}

@available(*, unavailable, message: "The emulator writes no segments: write one short file after another.")
public protocol AVAssetWriterDelegate: AnyObject {}

extension AVAssetWriter {
  @available(*, unavailable, message: "The emulator writes no segments: write one short file after another.")
  public convenience init(contentType outputContentType: UTType) { fatalError() }
  @available(*, unavailable, message: "The emulator writes no segments: write one short file after another.")
  public var preferredOutputSegmentInterval: CMTime {
    get { .invalid }
    set {}
  }
  @available(*, unavailable, message: "The emulator writes no segments: write one short file after another.")
  public var delegate: (any AVAssetWriterDelegate)? {
    get { nil }
    set {}
  }
}
