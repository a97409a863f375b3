import Foundation

// Foundation on Linux has other words for an error without a text.
extension NSError {
  /// Returns the text that a device gives to an error without a text.
  package static func text(_ reason: String) -> String { "The operation couldn’t be completed. " + reason }

  /// Creates an error, by default with the text that a device gives to an error without one.
  package convenience init(
    code: some BinaryInteger, in domain: String = NSOSStatusErrorDomain, text: String? = nil
  ) {
    let text = text ?? Self.text("(\(domain == NSOSStatusErrorDomain ? "OSStatus" : domain) error \(code).)")
    self.init(domain: domain, code: Int(code), userInfo: [NSLocalizedDescriptionKey: text])
  }

  /// `localizedDescription` on a device.
  package var textOnDevice: String {
    let linux = "The operation could not be completed. "
    guard localizedDescription.hasPrefix(linux) else { return localizedDescription }
    return Self.text(String(localizedDescription.dropFirst(linux.count)))
  }
}
