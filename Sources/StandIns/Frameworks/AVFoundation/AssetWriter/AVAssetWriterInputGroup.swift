import Foundation

/// Alternative inputs of one media type, such as app audio and microphone. A player plays one of them at a time. Add each input
/// to its writer before the group.
open class AVAssetWriterInputGroup: NSObject, @unchecked Sendable {
  // Why unchecked: all properties are constant.
  public let inputs: [AVAssetWriterInput]
  public let defaultInput: AVAssetWriterInput?

  public init(inputs: [AVAssetWriterInput], defaultInput: AVAssetWriterInput?) {
    self.inputs = inputs
    self.defaultInput = defaultInput
  }
}
