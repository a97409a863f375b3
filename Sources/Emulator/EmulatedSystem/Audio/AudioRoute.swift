import CommandLineSupport

/// Where the sound of the microphone comes from, which decides about its format.
package struct AudioRoute: Equatable, Sendable {
  /// Frames per second; `nil` for those of the phone's own microphone.
  var sampleRate: Int?
  var channelCount: Int?
  /// The route as it is typed.
  let text: String

  /// The routes of which there are observations.
  static let known = [
    AudioRoute(text: "built-in"), AudioRoute(sampleRate: 24_000, channelCount: 1, text: "airpods"),
    AudioRoute(sampleRate: 48_000, channelCount: 3, text: "multi-camera"),
  ]

  private init(sampleRate: Int? = nil, channelCount: Int? = nil, text: String) {
    (self.sampleRate, self.channelCount, self.text) = (sampleRate, channelCount, text)
  }

  /// One of the known routes, or a rate and a number of channels: `16000x2`. `nil` for another text.
  init?(text: String) {
    if let route = Self.known.first(where: { $0.text == text }) {
      self = route
      return
    }
    let numbers = text.split(separator: "x", omittingEmptySubsequences: false).map { Int($0) }
    guard numbers.count == 2, let rate = numbers[0], let channels = numbers[1],
      (8_000...192_000).contains(rate), (1...8).contains(channels)
    else { return nil }
    self.init(sampleRate: rate, channelCount: channels, text: text)
  }
}

extension OptionValue where Value == AudioRoute {
  static let route = Self(
    "\(AudioRoute.known.map(\.text).joined(separator: ", ")), or a rate and a number of channels as in 16000x2",
    text: \.text, read: AudioRoute.init)
}
