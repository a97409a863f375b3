import Causes
import CommandLineSupport
import Foundation
import PhoneLink
import Platform
import ScreenBroadcast
import SharedMemory

// The broadcast: the combined meaning of the flag, the lock and the files of frames and audio.
extension ContainerExamination {
  mutating func checkBroadcast() {
    // The files are read one after the other, so the result holds only if flag and lock are the same afterwards.
    let start = findings.count
    for attempt in 1...5 {
      readFlagAndHolder()
      let (flagBefore, holderBefore) = (flag, holder)
      checkFlag()
      checkFrames()
      if !mayHaveProducer, hasArticleFile {
        addLeftover(container.articleFile, "a producer left its frame in the layout 'article'")
      }
      for stream in BroadcastAudioStream.allCases { checkAudio(stream) }
      checkProcess()
      let checked = Array(findings[start...])
      readFlagAndHolder()
      findings.removeSubrange(start...)
      let isSettled = (flag, holder) == (flagBefore, holderBefore)
      // For a moment, a new producer's flag coexists with the frames of a crashed one, and a program may be rewriting the
      // preferences in place.
      let mayPass = checked.contains { [.wrongRing, .damagedPreferences].contains($0.kind) }
      if attempt == 5 || (isSettled && !mayPass) {
        findings += checked
        return
      }
      if mayPass { Thread.sleep(forTimeInterval: 0.02) }
    }
  }

  mutating func readFlagAndHolder() {
    (flag, holder) = (nil, nil)
    do throws(FileError) { holder = try ProcessLock.holder(at: container.producerLockFile) } catch {
      addUnreadable(container.producerLockFile, error)
    }
    do throws(FileError) {
      flag = try KeyValueFile(container: container).bool(forKey: BroadcastStatusManagerImpl.broadcastIsActive)
    } catch {
      guard error.reason == .notAPropertyList else { return addUnreadable(container.preferencesFile, error) }
      let crash = if case .died(let pid) = holder { "; process \(pid) died while it broadcast" } else { "" }
      add(
        .damagedPreferences, container.preferencesFile,
        "it is not a property list of keys and values, so the flag cannot be read\(crash)",
        remedy:
          "nothing: the next write ('consumer start' or 'stop') moves it to \(container.preferencesFile).damaged and "
          + "begins a new one")
    }
  }

  private mutating func checkFlag() {
    switch (flag, holder) {
    case (true, .died(let pid)):
      var exit = ExitFact(how: "died while it broadcast", kill: FactsFile.memoryKill(of: pid, in: container))
      exit.name = "Process \(pid)"
      add(
        .staleFlag, container.preferencesFile,
        "the flag says active, but no process holds the lock\(cause(of: pid, exit))")
    case (true, .unheld):
      add(
        .unclaimedFlag, container.preferencesFile,
        "the flag says active, but no producer has taken the broadcast")
    case (false, .alive(let pid)):
      add(
        .changing, container.producerLockFile,
        "\(Self.process(pid)) holds the lock while the flag is off: it is starting or ending a broadcast"
          + cause(of: pid))
    case (nil, .alive(let pid)):
      add(.live, container.producerLockFile, "\(Self.process(pid)) holds the lock")
    case (_, .unheld), (_, .died): checkCrash()
    default: break
    }
  }

  /// Finds a crash that left no flag: of a handler that had not finished its start, or that has no flag.
  private mutating func checkCrash() {
    do throws(FileError) {
      guard let crash = try FactsFile.crash(in: container) else { return }
      var exit = ExitFact(
        how: crash.hasStarted ? "died while it broadcast" : "died while it started",
        kill: FactsFile.memoryKill(of: crash.pid, in: container))
      exit.name = "Process \(crash.pid)"
      let line = crash.arguments.map { ": " + $0.map(\.shellWord).joined(separator: " ").onOneLine } ?? ""
      add(
        .crashed, container.factsFile, "the newest broadcast crashed\(cause(of: crash.pid, exit))",
        remedy: "run it again, and read its stderr\(line)")
    } catch {
      addUnreadable(container.extensionLockFile, error)
    }
  }

  /// Returns the cause of a failure in a process's broadcast, to follow another clause.
  private func cause(of pid: Int32, _ exit: ExitFact? = nil) -> String {
    let causes = FactsFile.causes(of: pid, in: container, exit: exit)
    return causes.first.map { "; \(Self.clause($0.text))" } ?? ""
  }

  private static func clause(_ sentence: String) -> String { String(sentence.firstLower.dropLast()) }

  private mutating func checkProcess() {
    guard case .alive(let pid) = holder, pid != 0, ProcessState.isStopped(pid) else { return }
    add(
      .suspended, container.producerLockFile,
      Self.clause(Cause.suspended(pid, from: .zero).text), remedy: "let it continue: kill -CONT \(pid)")
  }

  private mutating func checkFrames() {
    let path = container.framesFile
    do throws(FileError) {
      let ring = try FrameRingReader(path: path)
      checkOwner(ring.session.processID, of: path, "frames", "these are frames")
      guard let producer = activeProducer else { return }
      add(
        .live, container.producerLockFile,
        "\(Self.process(producer)) broadcasts: session \(String(ring.session.id, radix: 16)), "
          + "frames published: \(ring.framesPublished)\(ring.state == .paused ? ", paused" : "")")
    } catch {
      guard error.isMissing else { return addUnreadableRing(path, "frames", error) }
      guard let producer = activeProducer else { return }
      guard hasArticleFile else {
        return add(.wrongRing, path, "\(Self.process(producer)) broadcasts, but its frames are missing")
      }
      add(
        .live, container.producerLockFile,
        "\(Self.process(producer)) broadcasts in the layout 'article', which has no session: "
          + container.articleFile)
    }
  }

  private mutating func checkAudio(_ stream: BroadcastAudioStream) {
    let path = container.audioFile(for: stream)
    let name = stream == .app ? "audio of apps" : "audio of the microphone"
    do throws(FileError) {
      let ring = try AudioRingReader(path: path)
      let isOwn = checkOwner(ring.session.processID, of: path, name, "this is the \(name)")
      guard let producer = activeProducer, isOwn else { return }
      add(
        .live, path,
        "\(Self.process(producer)) broadcasts the \(name): \(Int(ring.format.sampleRate)) Hz, "
          + "channels: \(ring.format.channelCount), frames published: \(ring.framesPublished), "
          + "packets dropped: \(ring.packetsDropped)")
    } catch {
      if error.isMissing { return }
      addUnreadableRing(path, "audio", error)
    }
  }

  /// The process that broadcasts (0: not known); `nil` if no broadcast is active.
  private var activeProducer: Int32? {
    if case .alive(let pid) = holder, flag == true { pid } else { nil }
  }

  /// Whether a producer holds the lock, or may hold it because the lock cannot be read.
  private var mayHaveProducer: Bool {
    switch holder {
    case .alive, nil: true
    case .unheld, .died: false
    }
  }

  /// Checks that the process that wrote a ring is the one that broadcasts. Returns `false` if another process broadcasts.
  @discardableResult
  private mutating func checkOwner(
    _ owner: Int32, of path: String, _ name: String, _ subject: String
  ) -> Bool {
    if !mayHaveProducer { addLeftover(path, "process \(owner) left its \(name)") }
    guard let producer = activeProducer, producer != 0, owner != producer else { return true }
    add(.wrongRing, path, "\(subject) of process \(owner), but process \(producer) broadcasts")
    return false
  }

  private mutating func addUnreadableRing(_ path: String, _ name: String, _ error: FileError) {
    if let producer = activeProducer {
      add(.wrongRing, path, "\(Self.process(producer)) broadcasts, but its \(name) cannot be read: \(error)")
    } else if !mayHaveProducer {
      addLeftover(path, "\(error)")
    }
  }

  private mutating func addLeftover(_ path: String, _ what: String) {
    add(.leftoverRing, path, "no producer is broadcasting, but this file exists: \(what)")
  }

  /// Whether frames are shared in the article's layout instead of the ring.
  private var hasArticleFile: Bool { isPlainFile(container.articleFile) }
}
