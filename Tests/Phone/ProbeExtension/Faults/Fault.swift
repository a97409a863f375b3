import ReplayKit

extension RPBroadcastSampleHandler {
  func fail(_ text: String) {
    finishBroadcastWithError(
      NSError(domain: "FaultyHandler", code: 1, userInfo: [NSLocalizedDescriptionKey: text]))
  }

  /// Returns the path of a file in the container of the app group.
  static func file(_ name: String) -> String {
    let folder = FileManager.default.containerURL(
      forSecurityApplicationGroupIdentifier: "group.com.example.screenshare.dev")
    return (folder?.path ?? "/nowhere") + "/" + name
  }

  /// Creates a file that must not exist yet; returns whether it did not exist and was created.
  func create(_ name: String) -> Bool {
    !FileManager.default.fileExists(atPath: Self.file(name))
      && FileManager.default.createFile(atPath: Self.file(name), contents: nil)
  }
}
