import ReplayKit

/// Prints complete and partial lines with each sample. The partial lines stay in the buffer of the C library.
final class PrintingHandler: RPBroadcastSampleHandler {
  override func processSampleBuffer(_ sampleBuffer: CMSampleBuffer, with type: RPSampleBufferType) {
    for part in 0..<100 { print("part \(part)", terminator: part % 7 == 0 ? "\n" : " ") }
  }
}
