import Foundation
import ScreenBroadcast
import SharedMemory
import Testing

/// A container of a test's own, and the programs that were started in it: both are gone when the test is.
final class Sandbox {
  /// A folder for the test's files.
  let folder: URL
  /// The container, in `folder`; not made before a program needs it.
  let container: AppGroupContainer
  private var programs: [RunningProgram] = []
  private var cleanUps: [() -> Void] = []

  init() throws {
    let memory = URL(filePath: "/dev/shm")
    let parent =
      FileManager.default.isWritableFile(atPath: memory.path)
      ? memory : FileManager.default.temporaryDirectory
    folder = parent.appending(path: "broadcast-tests-\(UUID().uuidString)")
    try FileManager.default.createDirectory(
      at: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
    container = try AppGroupContainer(
      root: folder.appending(path: "root").path, group: "group.com.example.screenshare.dev")
  }

  deinit {
    programs.forEach { $0.end() }
    endLaunchedProducer()
    cleanUps.reversed().forEach { $0() }
    do { try FileManager.default.removeItem(at: folder) } catch {
      Issue.record("\(folder.path) stays behind: \(error)")
    }
  }

  /// The folder that holds the container: the programs' `--container`.
  var root: String { folder.appending(path: "root").path }

  /// Runs when the test is over and its programs have ended.
  func atEnd(_ cleanUp: @escaping () -> Void) { cleanUps.append(cleanUp) }

  /// Starts a producer of small pictures; sizes and sources in `arguments` take their place.
  func producer(
    _ arguments: String..., root: String? = nil, input: FileHandle = .nullDevice
  ) throws -> RunningProgram {
    let hasPicture = arguments.contains { ["--size", "--source", "--device"].contains($0) }
    return try launch(
      BuiltPrograms.producer,
      ["--json", "--container", root ?? self.root] + (hasPicture ? [] : ["--size", "160x120"]) + arguments,
      input: input)
  }

  /// Writes the Info.plist of an extension with that principal class.
  func infoPlist(principalClass: String) throws -> URL {
    let plist = folder.appending(path: "Info.plist")
    let list = [
      "NSExtension": [
        "NSExtensionPointIdentifier": "com.apple.broadcast-services-upload",
        "NSExtensionPrincipalClass": principalClass,
        "RPBroadcastProcessMode": "RPBroadcastProcessModeSampleBuffer",
      ]
    ]
    try PropertyListSerialization.data(fromPropertyList: list, format: .xml, options: 0).write(to: plist)
    return plist
  }

  /// Starts the probe extension with one of its handlers.
  func probeExtension(_ handler: String, _ arguments: [String]) throws -> RunningProgram {
    let plist = try infoPlist(principalClass: "ProbeExtension.\(handler)")
    return try launch(
      BuiltPrograms.probeExtension,
      ["--json", "--container", root, "--size", "160x120", "--info-plist", plist.path] + arguments)
  }

  /// Starts a watching consumer that leaves frames as large as they are.
  func watcher(_ arguments: String..., root: String? = nil) throws -> RunningProgram {
    try launch(
      BuiltPrograms.consumer,
      ["watch", "--json", "--container", root ?? self.root, "--output-size", "native"] + arguments)
  }

  /// Starts a watching consumer, and waits until it has looked at the flag for the first time.
  @MainActor
  func readyWatcher(_ arguments: String...) async throws -> RunningProgram {
    try await readyWatcher(arguments)
  }

  /// As above, with options in a list.
  @MainActor
  func readyWatcher(_ arguments: [String]) async throws -> RunningProgram {
    let watcher = try launch(
      BuiltPrograms.consumer,
      ["watch", "--json", "--container", root, "--output-size", "native"] + arguments)
    try await watcher.event("status")
    return watcher
  }

  /// Runs a verb of the consumer to its end.
  @MainActor
  func consumer(_ verb: String, _ arguments: String..., root: String? = nil) async throws -> Finished {
    try await finished(
      launch(BuiltPrograms.consumer, [verb, "--json", "--container", root ?? self.root] + arguments))
  }

  /// Starts a program with just these arguments.
  func launch(
    _ program: URL, _ arguments: [String], input: FileHandle = .nullDevice, output: FileHandle? = nil
  ) throws -> RunningProgram {
    let program = try RunningProgram(program, arguments, folder: folder, input: input, output: output)
    programs.append(program)
    return program
  }

  /// Waits for a program's end.
  @MainActor
  func finished(_ program: RunningProgram) async throws -> Finished {
    let code = try await program.exitCode()
    return Finished(
      exitCode: code, output: try program.output(), errors: program.errors, program: program)
  }

  /// What became of a program.
  struct Finished {
    var exitCode: Int32
    var output: Data
    var errors: String
    var program: RunningProgram
  }
}

extension Sandbox {
  /// The flag as another program finds it in the property list; `nil` when there is none.
  func flag() throws -> Bool? {
    guard FileManager.default.fileExists(atPath: container.preferencesFile) else { return nil }
    let data = try Data(contentsOf: URL(filePath: container.preferencesFile))
    // UNSAFE: only by the type of the out parameter for the format, which is not asked for.
    let list = try unsafe PropertyListSerialization.propertyList(from: data, format: nil)
    return (list as? [String: Any])?["broadcastIsActive"] as? Bool
  }

  /// Sets the flag, as the app does.
  func setFlag(_ value: Bool) throws {
    try KeyValueFile(container: container).set(value, forKey: "broadcastIsActive")
  }

  /// Who holds the broadcast.
  func holder() throws -> ProducerLock.Holder { try ProducerLock.holder(at: container.producerLockFile) }

  /// Whether there is a file of frames.
  var hasRing: Bool { FileManager.default.fileExists(atPath: container.framesFile) }

  /// The frames in the container, as another reader finds them.
  func ring() throws -> FrameRingReader { try FrameRingReader(path: container.framesFile) }

  /// Waits until `count` more frames have been published than now.
  @MainActor
  func framesPass(_ count: UInt64) async throws {
    let ring = try ring()
    let before = ring.framesPublished
    try await eventually("\(count) frames") { ring.framesPublished >= before + count }
  }

  /// Puts bytes in the place of a file of the container, in one step.
  func replace(_ path: String, with bytes: some Collection<UInt8>) throws {
    try container.prepare()
    try Data(bytes).write(to: URL(filePath: path), options: .atomic)
  }

  /// A producer that 'consumer start' launched is nobody's child here: it is known by the lock it holds.
  private func endLaunchedProducer() {
    guard case .alive(let pid)? = try? holder(), pid > 1 else { return }
    kill(pid, SIGKILL)
  }
}
