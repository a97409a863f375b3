import Foundation
import MemoryKillRecord
import Platform
import ScreenBroadcast
import SharedMemory

// The broadcast: what the flag, the lock and the files of frames and audio say together.
extension ContainerExamination {
  private static let restart =
    "end the broadcast and start again, with producer and consumer of the same build"
  private static let removal = "nothing, as the next start replaces it; or remove it, which frees its memory"

  mutating func checkBroadcast(_ paths: Paths) {
    // The files are read one after the other: the result holds only if flag and lock are the same afterwards.
    let start = findings.count
    for attempt in 1...5 {
      readFlagAndHolder(paths)
      let (flagBefore, holderBefore) = (flag, holder)
      checkFlag()
      switch holder {
      // The file may have appeared since its folder was checked.
      case .alive(let pid): if flag == true, paths.ring != .blocked { checkLiveRing(of: pid) }
      case .unheld, .died: checkLeftovers(paths)
      case nil: break
      }
      for (stream, state) in paths.audio where state == .valid { checkAudio(stream) }
      checkProcess()
      let checked = Array(findings[start...])
      readFlagAndHolder(paths)
      findings.removeSubrange(start...)
      let isSettled = (flag, holder) == (flagBefore, holderBefore)
      // A new producer briefly has the flag and frames of a crashed one, and a program may rewrite the preferences in
      // place.
      let mayPass = checked.contains { [.wrongRing, .damagedPreferences].contains($0.kind) }
      if attempt == 5 || (isSettled && !mayPass) {
        findings += checked
        return
      }
      if mayPass { Thread.sleep(forTimeInterval: 0.02) }
    }
  }

  mutating func readFlagAndHolder(_ paths: Paths) {
    (flag, holder) = (nil, nil)
    if paths.lock != .blocked {
      do throws(StorageError) { holder = try ProducerLock.holder(at: container.producerLockFile) } catch {
        addUnreadable(container.producerLockFile, error)
      }
    }
    guard paths.preferences != .blocked else { return }
    do throws(KeyValueFile.Failure) {
      flag = try KeyValueFile(container: container).bool(forKey: BroadcastStatusManagerImpl.broadcastIsActive)
    } catch {
      switch error {
      case .storage(let error): addUnreadable(container.preferencesFile, error)
      case .damaged:
        let crash = if case .died(let pid) = holder { "; process \(pid) died while it broadcast" } else { "" }
        add(
          .damagedPreferences, container.preferencesFile,
          "it is not a property list of keys and values, so the flag cannot be read\(crash)",
          remedy: "nothing: the next write ('consumer start' or 'stop') moves it to "
            + "'\(container.preferencesFile).damaged' and begins a new one")
      }
    }
  }

  private mutating func checkFlag() {
    let remedy = "clear the flag, as 'consumer stop' and the next start do"
    switch (flag, holder) {
    case (true, .died(let pid)):
      add(
        .staleFlag, container.preferencesFile,
        "the flag says active, but no process holds the lock: process \(pid) "
          + (memoryKills.kill(of: pid).map { "\($0)" } ?? "died while it broadcast"),
        remedy: remedy)
    case (true, .unheld):
      add(
        .unclaimedFlag, container.preferencesFile,
        "the flag says active, but no producer has taken the broadcast", remedy: remedy)
    case (false, .alive(let pid)):
      add(
        .changing, container.producerLockFile,
        "\(Self.process(pid)) holds the lock while the flag is off: it is starting or ending a broadcast")
    case (nil, .alive(let pid)):
      add(.live, container.producerLockFile, "\(Self.process(pid)) holds the lock")
    default: break
    }
  }

  mutating func checkMemoryKill() {
    do throws(MemoryKillFile.Failure) { _ = try memoryKills.read() } catch {
      switch error {
      case .storage(let error): addUnreadable(memoryKills.path, error)
      case .damaged:
        add(
          .leftoverFile, memoryKills.path, "it is not a record of a producer that was killed for its memory",
          remedy: "nothing, as the next start removes it; or remove it")
      }
    }
  }

  private mutating func checkProcess() {
    guard case .alive(let pid) = holder, pid != 0, ProcessState.isStopped(pid) else { return }
    add(
      .suspended, container.producerLockFile, "process \(pid) is stopped, and no frames come",
      remedy: "let it continue: kill -CONT \(pid)")
  }

  private mutating func checkLiveRing(of pid: Int32) {
    let (path, process) = (container.framesFile, Self.process(pid))
    do throws(RingError) {
      let ring = try FrameRingReader(path: path)
      if pid != 0, ring.session.processID != pid {
        add(
          .wrongRing, path,
          "these are frames of process \(ring.session.processID), but process \(pid) broadcasts",
          remedy: Self.restart)
      }
      add(
        .live, container.producerLockFile,
        "\(process) broadcasts: session \(String(ring.session.id, radix: 16)), "
          + "frames published: \(ring.framesPublished)\(ring.state == .paused ? ", paused" : "")")
    } catch {
      guard case .storage(let storage) = error, storage.isMissing else {
        return add(
          .wrongRing, path, "\(process) broadcasts, but its frames cannot be read: \(error)",
          remedy: Self.restart)
      }
      guard isArticleThere else {
        return add(
          .wrongRing, path, "\(process) broadcasts, but its frames are not there", remedy: Self.restart)
      }
      add(
        .live, container.producerLockFile,
        "\(process) broadcasts in the layout 'article', which has no session: \(container.articleFile)")
    }
  }

  /// Whether frames are shared in the article's layout instead of the ring.
  private var isArticleThere: Bool {
    do { return try FileStatus.look(at: container.articleFile)?.kind == .plainFile } catch { return false }
  }

  /// Checks for frames of a producer that is gone.
  private mutating func checkLeftovers(_ paths: Paths) {
    if paths.ring == .valid {
      do throws(RingError) {
        let ring = try FrameRingReader(path: container.framesFile)
        addLeftover(container.framesFile, "process \(ring.session.processID) left its frames")
      } catch {
        if case .storage(let storage) = error, storage.isMissing {
        } else {
          addLeftover(container.framesFile, "\(error)")
        }
      }
    }
    if paths.article == .valid, isArticleThere {
      addLeftover(container.articleFile, "a producer left its frame in the layout 'article'")
    }
  }

  private mutating func addLeftover(_ path: String, _ what: String) {
    add(
      .leftoverRing, path, "no producer has the broadcast, but this file is there: \(what)",
      remedy: Self.removal)
  }

  private mutating func checkAudio(_ stream: BroadcastAudioStream) {
    let path = container.audioFile(for: stream)
    let name = stream == .app ? "audio of apps" : "audio of the microphone"
    do throws(RingError) {
      let ring = try AudioRingReader(path: path)
      let owner = ring.session.processID
      switch holder {
      case .alive(let pid) where flag == true && pid != 0 && owner != pid:
        add(
          .wrongRing, path, "this is the \(name) of process \(owner), but process \(pid) broadcasts",
          remedy: Self.restart)
      case .alive(let pid) where flag == true:
        add(
          .live, path,
          "\(Self.process(pid)) broadcasts the \(name): \(Int(ring.format.sampleRate)) Hz, "
            + "channels: \(ring.format.channelCount), frames published: \(ring.framesPublished), "
            + "packets dropped: \(ring.packetsDropped)")
      case .unheld, .died: addLeftover(path, "process \(owner) left its \(name)")
      case .alive, nil: break
      }
    } catch {
      if case .storage(let storage) = error, storage.isMissing { return }
      switch holder {
      case .alive(let pid) where flag == true:
        add(
          .wrongRing, path, "\(Self.process(pid)) broadcasts, but its audio cannot be read: \(error)",
          remedy: Self.restart)
      case .unheld, .died: addLeftover(path, "\(error)")
      case .alive, nil: break
      }
    }
  }
}
