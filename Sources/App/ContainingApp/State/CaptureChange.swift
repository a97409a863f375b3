import Foundation

/// What happened to a capture within the app.
package struct CaptureChange: Equatable, Sendable {
  /// What it was.
  package enum Kind: String, CaseIterable, Sendable {
    /// Samples come from now on.
    case started
    /// A start was refused; the error says why.
    case refused
    /// The app is not on the screen any more: no samples.
    case background
    /// The app is on the screen again: samples.
    case foreground
    /// The capture ended by itself; the error says why.
    case interrupted
  }

  /// What it was.
  package var kind: Kind
  /// The recorder's error, if there is one.
  package var error: Failure?

  /// An error of the recorder.
  package struct Failure: Equatable, Sendable {
    /// The error's domain.
    package var domain: String
    /// The error's code.
    package var code: Int
    /// The error's text.
    package var text: String
  }

  init(_ kind: Kind, _ error: (any Error)? = nil) {
    self.kind = kind
    self.error = error.map { error in
      let error = error as NSError
      return Failure(domain: error.domain, code: error.code, text: error.localizedDescription)
    }
  }
}
