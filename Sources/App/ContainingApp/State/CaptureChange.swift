import Foundation

/// A change of a capture within the app.
package struct CaptureChange: Equatable, Sendable {
  /// The kind of a change. The raw value is its name in JSON.
  package enum Kind: String, CaseIterable, Sendable {
    case started
    case refused
    /// The app left the screen, so samples stop.
    case background
    case foreground
    /// The system ended the capture.
    case interrupted
  }

  package var kind: Kind
  package var error: Failure?

  package struct Failure: Equatable, Sendable {
    package var domain: String
    package var code: Int
    package var text: String
  }

  package init(_ kind: Kind, _ error: (any Error)? = nil) {
    self.kind = kind
    self.error = error.map { error in
      let error = error as NSError
      return Failure(domain: error.domain, code: error.code, text: error.localizedDescription)
    }
  }
}
