import Dispatch
import ReplayKit

/// Records its calls, one per line, in the file that its setup info names under `record`.
///
/// A line has the method's name and its arguments: `broadcastStarted room=42`. The line of a sample has its kind, its
/// presentation time and its arrival, both in nanoseconds: `video 7000000000 7000400000`.
final class RecordingHandler: RPBroadcastSampleHandler {
  private var file: FileHandle?

  override func broadcastStarted(withSetupInfo setupInfo: [String: NSObject]?) {
    var info = setupInfo ?? [:]
    guard let path = info.removeValue(forKey: "record") as? NSString as String?,
      FileManager.default.createFile(atPath: path, contents: nil),
      let file = FileHandle(forWritingAtPath: path)
    else {
      let text = "name a file that can be written with --setup-info record=PATH"
      return finishBroadcastWithError(
        NSError(domain: "ProbeBroadcastExtension", code: 2, userInfo: [NSLocalizedDescriptionKey: text]))
    }
    self.file = file
    record("broadcastStarted", info.map { "\($0)=\($1)" }.sorted())
  }

  override func broadcastPaused() { record("broadcastPaused") }

  override func broadcastResumed() { record("broadcastResumed") }

  override func broadcastFinished() { record("broadcastFinished") }

  override func broadcastAnnotated(withApplicationInfo applicationInfo: [AnyHashable: Any]) {
    record(
      "broadcastAnnotated", [applicationInfo[RPApplicationInfoBundleIdentifierKey] as? String ?? "nothing"])
  }

  override func processSampleBuffer(_ sampleBuffer: CMSampleBuffer, with type: RPSampleBufferType) {
    let time = CMTimeConvertScale(
      CMSampleBufferGetPresentationTimeStamp(sampleBuffer), timescale: 1_000_000_000, method: .default)
    record("\(type)", ["\(time.value)", "\(DispatchTime.now().uptimeNanoseconds)"])
  }

  private func record(_ name: String, _ parts: [String] = []) {
    do { try file?.write(contentsOf: Data(([name] + parts).joined(separator: " ").utf8 + [0x0A])) } catch {
      finishBroadcastWithError(error)
    }
  }
}
