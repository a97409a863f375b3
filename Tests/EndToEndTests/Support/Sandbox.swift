import BroadcastTesting
import PhoneLink
import ScreenBroadcast
import SharedMemory
import TestSupport

/// A test's own container and the programs that run in it; both end with the test.
final class Sandbox {
  private let files: TemporaryFolder
  private var broadcast: LaunchedBroadcast
  private var programs: [LaunchedProgram] = []
  private var checks: [LaunchedProgram] = []
  /// The process whose network the programs use; `nil` for the host's network.
  private(set) var network: Int32?

  init() throws {
    files = try TemporaryFolder()
    broadcast = try LaunchedBroadcast(
      root: files("root"), group: TestBroadcast.defaultGroup, errorFolder: files.path)
  }

  /// The sandbox of a suite, as the initial value of a property. Without one no test can run, so the process ends.
  static func ofSuite() -> Sandbox {
    do { return try Sandbox() } catch { fatalError("\(error)") }
  }

  deinit {
    // An interrupted check ends the processes that it has started. After a kill they would keep running.
    for check in checks where check.isRunning {
      check.send(SIGINT)
      _ = holds(within: .seconds(20)) { !check.isRunning }
    }
    for program in programs { program.process.kill() }
    endLaunchedProducer()
  }

  /// The container, in ``root``; the first program that needs it creates it.
  var container: AppGroupContainer { broadcast.container }

  var folder: URL { URL(filePath: files.path) }

  /// The folder that holds the container; the value of `--container`.
  var root: String { broadcast.root }

  /// Moves the root to a file system of one mebibyte, for tests that are enabled if ``TemporaryFolder/canMount``.
  func makeRootASmallFileSystem() throws {
    let disk = try TemporaryFolder(diskSpace: 1 << 20)
    broadcast = try LaunchedBroadcast(
      root: disk.path, group: TestBroadcast.defaultGroup, disk: disk, errorFolder: files.path)
  }

  /// Injects a fault from outside. If a side has several programs, the fault affects the newest one.
  func perform(_ fault: BroadcastFault) throws { try broadcast.perform(fault) }

  /// Starts a producer with small frames, unless `arguments` choose a size or a source.
  func producer(_ arguments: String..., input: FileHandle = .nullDevice) throws -> LaunchedProgram {
    try producer(arguments, input: input)
  }

  /// Starts such a producer, and waits until it broadcasts.
  @MainActor func startedProducer(_ arguments: String...) async throws -> LaunchedProgram {
    let producer = try producer(arguments)
    try await producer.event("started")
    return producer
  }

  private func producer(_ arguments: [String], input: FileHandle = .nullDevice) throws -> LaunchedProgram {
    let hasSize = arguments.contains { ["--size", "--source", "--device", "--trace"].contains($0) }
    return try start(
      BuiltPrograms.producer, (hasSize ? [] : ["--size", "160x120"]) + arguments, as: .extension,
      input: input)
  }

  func infoPlist(principalClass: String) throws -> URL {
    let plist = folder.appending(path: "Info.plist")
    try ExtensionBundle.write(
      ["NSExtension": ExtensionBundle.keys(principalClass: principalClass)], to: plist)
    return plist
  }

  func probeExtension(
    _ handler: String, _ arguments: [String], size: String = "160x120"
  ) throws -> LaunchedProgram {
    let plist = try infoPlist(principalClass: "ProbeExtension.\(handler)")
    return try start(
      BuiltPrograms.probeExtension, ["--size", size, "--info-plist", plist.path] + arguments, as: .extension)
  }

  /// Starts a watching consumer that does not scale frames.
  func watcher(_ arguments: String...) throws -> LaunchedProgram { try watcher(arguments) }

  private func watcher(_ arguments: [String]) throws -> LaunchedProgram {
    try start(BuiltPrograms.consumer, ["watch", "--output-size", "native"] + arguments, as: .app)
  }

  /// Starts a watching consumer, and waits until it has polled the flag once.
  @MainActor func readyWatcher(_ arguments: String...) async throws -> LaunchedProgram {
    try await readyWatcher(arguments)
  }

  /// Starts a watching consumer, and waits until it has polled the flag once.
  @MainActor func readyWatcher(_ arguments: [String]) async throws -> LaunchedProgram {
    let watcher = try watcher(arguments)
    try await watcher.event("status")
    return watcher
  }

  /// Runs a subcommand of the consumer until it exits.
  @MainActor func consumer(_ subcommand: String, _ arguments: String...) async throws -> Finished {
    try await consumer(subcommand, arguments)
  }

  /// Runs a subcommand of the consumer until it exits.
  @MainActor func consumer(_ subcommand: String, _ arguments: [String]) async throws -> Finished {
    // An overloaded host may need longer for a start or an end than the standard ten seconds.
    let waits = ["start", "stop"].contains(subcommand) && !arguments.contains("--wait")
    return try await finished(
      start(BuiltPrograms.consumer, [subcommand] + (waits ? ["--wait", "60"] : []) + arguments))
  }

  /// Runs the doctor of the container until it exits.
  @MainActor func doctor(_ arguments: String...) async throws -> Finished {
    try await finished(start(BuiltPrograms.broadcast, ["doctor"] + arguments))
  }

  func start(
    _ program: URL, _ arguments: [String], as side: LaunchedBroadcast.Side? = nil,
    input: FileHandle = .nullDevice
  ) throws -> LaunchedProgram {
    let program = try broadcast.start(program, arguments, as: side, input: input)
    programs.append(program)
    return program
  }

  func launch(
    _ program: URL, _ arguments: [String], input: FileHandle = .nullDevice, output: FileHandle? = nil
  ) throws -> LaunchedProgram {
    let program = try broadcast.launch(program, arguments, input: input, output: output)
    programs.append(program)
    if arguments.contains("check") { checks.append(program) }
    return program
  }

  /// Runs all programs from now on in a network with these faults, for tests that are enabled if
  /// ``Host/canMakeNetworks``.
  @MainActor func useNetwork(_ faults: [String]) async throws {
    let holder = try launch(
      Host.faultyNetwork, faults + ["--", "sh", "-c", #"echo '{"event": "ready"}'; exec sleep 86400"#])
    try await holder.event("ready")
    network = holder.pid
    broadcast.commandPrefix = [try OptionalTool.nsenter.required().path, "--net=/proc/\(holder.pid)/ns/net"]
  }

  /// Starts a program as a user without rights, which only root can do. Skips the test if that user cannot enter the folders
  /// of the program.
  ///
  /// - Parameter setup: commands that a shell of that user executes first.
  func launchAsAnotherUser(
    _ program: URL, _ arguments: [String], setup: String = ""
  ) throws -> LaunchedProgram {
    var folder = program.resolvingSymlinksInPath()
    repeat {
      folder.deleteLastPathComponent()
      guard (try FileStatus.read(at: folder.path)?.permissions ?? 0) & 0o001 != 0 else {
        try Test.cancel("other users cannot enter \(folder.path): chmod o+x, or build in another folder")
      }
    } while folder.path != "/"
    return try launch(
      try OptionalTool.setpriv.required(),
      ["--reuid", "65534", "--regid", "65534", "--clear-groups"]
        + ["/bin/sh", "-c", "\(setup) exec \"$0\" \"$@\"", program.path] + arguments)
  }

  /// Launches a program with exactly these arguments, and waits until it exits.
  @MainActor
  func run(_ program: URL, _ arguments: [String], output: FileHandle? = nil) async throws -> Finished {
    try await finished(launch(program, arguments, output: output))
  }

  @MainActor func finished(_ program: LaunchedProgram) async throws -> Finished {
    Finished(
      exitCode: try await program.exitCode(), output: program.output, errors: program.errors,
      program: program)
  }

  struct Finished {
    var exitCode: Int32
    var output: Data
    var errors: String
    var program: LaunchedProgram
  }
}

extension Sandbox {
  /// The flag, read from the property list without the package's code; `nil` if it is not set.
  func flag() throws -> Bool? {
    guard FileManager.default.fileExists(atPath: container.preferencesFile) else { return nil }
    let data = try Data(contentsOf: URL(filePath: container.preferencesFile))
    // UNSAFE: the out parameter for the format is `nil`.
    let list = try unsafe PropertyListSerialization.propertyList(from: data, format: nil)
    return (list as? [String: Any])?["broadcastIsActive"] as? Bool
  }

  func setFlag(_ value: Bool) throws { try container.setFlag(value) }

  func holder() throws -> ProcessLock.Holder { try ProcessLock.holder(at: container.producerLockFile) }

  var hasRing: Bool { FileManager.default.fileExists(atPath: container.framesFile) }

  func ring() throws -> FrameRingReader { try FrameRingReader(path: container.framesFile) }

  @MainActor func framesPass(_ count: UInt64) async throws {
    let ring = try ring()
    let before = ring.framesPublished
    try await eventually("\(count) frames") { ring.framesPublished >= before + count }
  }

  func replace(_ path: String, with bytes: some Collection<UInt8>) throws {
    try container.prepare()
    try Data(bytes).write(to: URL(filePath: path), options: .atomic)
  }

  /// Kills a producer that `consumer start` launched. It is not a child of this process, but the holder of a lock.
  private func endLaunchedProducer() {
    for lock in [container.producerLockFile, container.extensionLockFile] {
      guard case .alive(let pid)? = try? ProcessLock.holder(at: lock), pid > 1 else { continue }
      kill(pid, SIGKILL)
    }
  }
}

extension LaunchedProgram {
  /// Sends a signal, and expects that the program exits without an error.
  @MainActor
  func endsInOrder(by signal: Int32 = SIGTERM, sourceLocation: SourceLocation = #_sourceLocation) async throws
  {
    send(signal)
    #expect(try await exitCode() == 0, "\(errors)", sourceLocation: sourceLocation)
  }
}
