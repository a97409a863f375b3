/// Where the frames go as YUV4MPEG2.
enum VideoDestination: Equatable {
  /// To standard output, which then carries nothing else.
  case standardOutput
  /// Into a file.
  case file(path: String)
}
