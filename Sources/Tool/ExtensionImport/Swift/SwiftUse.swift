/// A feature that a file uses and that affects the package: the connection of the two sides, or a library that the code
/// needs.
enum SwiftUse: String, CaseIterable {
  case socket = "a socket"
  case defaults = "values of the app group"
  case files = "files of the app group"
  case notifications = "Darwin notifications"
  case recorder = "RPScreenRecorder"
  case stream = "SCStream"
  case jpeg = "JPEG"
  case encoder = "a video encoder"

  static let ofCapture: Set = [recorder, stream]
  /// The packages of Ubuntu, in the order of the workflow.
  static let libraries: KeyValuePairs = [jpeg: "libjpeg-turbo8", encoder: "ffmpeg"]
  /// The uses that make a file part of the app's side.
  static let ofApp = Set(allCases).subtracting(libraries.map(\.key))

  /// The words that indicate each use. One word in a file is enough.
  static let words: [Self: Set<String>] = [
    .socket: ["sockaddr_un", "sockaddr_in", "NWListener", "NWConnection"],
    .defaults: ["suiteName"],
    .files: ["forSecurityApplicationGroupIdentifier"],
    .notifications: ["CFNotificationCenterGetDarwinNotifyCenter"],
    .recorder: ["RPScreenRecorder"],
    .stream: ["SCStream", "SCContentSharingPicker"],
    .jpeg: [
      "jpegData", "jpegRepresentation", "writeJPEGRepresentation", "CGImageDestinationCreateWithData",
      "CGImageDestinationCreateWithURL", "kCMVideoCodecType_JPEG",
    ],
    .encoder: ["VTCompressionSessionCreate", "AVAssetWriter", "startRecording"],
  ]
}
