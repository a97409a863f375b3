import Foundation

/// Inputs of one kind of media, of which a player plays one at a time, such as app audio and microphone. Each is added to its
/// writer before the group is.
open class AVAssetWriterInputGroup: NSObject, @unchecked Sendable {
  // Why unchecked: nothing changes.
  public let inputs: [AVAssetWriterInput]
  public let defaultInput: AVAssetWriterInput?

  public init(inputs: [AVAssetWriterInput], defaultInput: AVAssetWriterInput?) {
    (self.inputs, self.defaultInput) = (inputs, defaultInput)
  }
}
