/// The route of audio. It determines the format of the microphone.
package struct AudioRoute: Codable, Equatable, Sendable {
  /// Frames per second; `nil` for the rate of the phone's built-in microphone.
  package private(set) var sampleRate: Int?
  package private(set) var channelCount: Int?
  /// The route as typed.
  package let text: String

  package static let builtIn = AudioRoute("built-in")

  /// The routes that have been observed on devices.
  package static let known = [
    builtIn, AudioRoute("airpods", sampleRate: 24_000, channelCount: 1),
    AudioRoute("multi-camera", sampleRate: 48_000, channelCount: 3),
  ]

  private init(_ text: String, sampleRate: Int? = nil, channelCount: Int? = nil) {
    self.sampleRate = sampleRate
    self.channelCount = channelCount
    self.text = text
  }

  /// Parses a known route, or a rate and a number of channels (`16000x2`). `nil` for any other string.
  package init?(text: String) {
    if let route = Self.known.first(where: { $0.text == text }) {
      self = route
      return
    }
    let numbers = text.split(separator: "x", omittingEmptySubsequences: false).map { Int($0) }
    guard numbers.count == 2, let rate = numbers[0], let channels = numbers[1],
      (8_000...192_000).contains(rate), (1...8).contains(channels)
    else { return nil }
    self.init(text, sampleRate: rate, channelCount: channels)
  }
}
