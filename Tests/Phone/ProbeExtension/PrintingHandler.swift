import ReplayKit

/// Prints with each sample: whole lines, and parts of lines that stay in the buffer of the C library.
final class PrintingHandler: RPBroadcastSampleHandler {
  override func processSampleBuffer(_ sampleBuffer: CMSampleBuffer, with type: RPSampleBufferType) {
    for part in 0..<100 { print("part \(part)", terminator: part % 7 == 0 ? "\n" : " ") }
  }
}
