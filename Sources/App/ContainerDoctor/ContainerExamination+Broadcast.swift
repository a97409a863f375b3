import Foundation
import MemoryKillRecord
import Platform
import ScreenBroadcast
import SharedMemory

// The broadcast: what flag, lock and frames say together.
extension ContainerExamination {
  mutating func lookAtBroadcast(_ places: Places) {
    // What is read one after the other belongs together only when the first still holds after the last.
    let start = findings.count
    for attempt in 1...5 {
      readFlagAndHolder(places)
      let (flagBefore, holderBefore) = (flag, holder)
      judgeFlag()
      judgeRing(at: places.ring)
      judgeArticle(at: places.article)
      for (stream, look) in places.audio { judgeAudio(stream, at: look) }
      judgeProcess()
      let judged = Array(findings[start...])
      readFlagAndHolder(places)
      findings.removeSubrange(start...)
      let isSettled = (flag, holder) == (flagBefore, holderBefore)
      // A producer that follows a dead one finds its flag and frames, and is done with them in a moment; and a program
      // may rewrite the preferences in place.
      let mayPass = judged.contains { [.wrongRing, .damagedPreferences].contains($0.kind) }
      if attempt == 5 || (isSettled && !mayPass) {
        findings += judged
        return
      }
      if mayPass { Thread.sleep(forTimeInterval: 0.02) }
    }
  }

  mutating func readFlagAndHolder(_ places: Places) {
    (flag, holder) = (nil, nil)
    if places.lock != .blocked {
      do throws(StorageError) { holder = try ProducerLock.holder(at: container.producerLockFile) } catch {
        addUnreadable(container.producerLockFile, error)
      }
    }
    guard places.preferences != .blocked else { return }
    do throws(KeyValueFile.Failure) {
      flag = try KeyValueFile(container: container).bool(forKey: BroadcastStatusManagerImpl.broadcastIsActive)
    } catch {
      switch error {
      case .storage(let error): addUnreadable(container.preferencesFile, error)
      case .damaged: addDamagedPreferences()
      }
    }
  }

  private mutating func addDamagedPreferences() {
    let dead = if case .died(let pid) = holder { "; process \(pid) died while it broadcast" } else { "" }
    add(
      .damagedPreferences, container.preferencesFile,
      "this is no property list of keys and values, so the flag cannot be read\(dead)",
      remedy: "nothing need be done: the next write ('consumer start' or 'stop') sets it aside as "
        + "'\(container.preferencesFile).damaged' and begins a new one")
  }

  private mutating func judgeFlag() {
    let mending = "clear the flag: 'consumer stop' does it, and so does the next start"
    switch (flag, holder) {
    case (true, .died(let pid)):
      add(
        .staleFlag, container.preferencesFile,
        "the flag says active, but nobody holds the lock: process \(pid) "
          + (memoryKills.kill(of: pid).map { "\($0)" } ?? "died while it broadcast"),
        remedy: mending)
    case (true, .nobody):
      add(
        .unclaimedFlag, container.preferencesFile,
        "the flag says active, but no producer has taken the broadcast", remedy: mending)
    case (false, .alive(let pid)):
      add(
        .changing, container.producerLockFile,
        "\(Self.process(pid)) holds the lock while the flag is off: it is starting or ending a broadcast")
    case (nil, .alive(let pid)):
      add(.live, container.producerLockFile, "\(Self.process(pid)) holds the lock")
    default: break
    }
  }

  mutating func judgeMemoryKill() {
    do throws(MemoryKillFile.Failure) { _ = try memoryKills.read() } catch {
      switch error {
      case .storage(let error): addUnreadable(memoryKills.path, error)
      case .damaged:
        add(
          .leftoverFile, memoryKills.path,
          "this is none of the files in which a producer says what it was killed for",
          remedy: "nothing need be done, as the next start removes it; or remove it")
      }
    }
  }

  private mutating func judgeProcess() {
    guard case .alive(let pid) = holder, pid != 0, ProcessState.isStopped(pid) else { return }
    add(
      .suspended, container.producerLockFile,
      "process \(pid) stands still: it was stopped, and no frames come",
      remedy: "let it go on: kill -CONT \(pid)")
  }

  private mutating func judgeRing(at look: Look) {
    switch holder {
    case .alive(let pid):
      // It may be there by now, since the folders were looked at.
      if flag == true, look != .blocked { judgeLiveRing(of: pid) }
    case .nobody, .died:
      if look == .sound { judgeDeadRing() }
    case nil: break
    }
  }

  private mutating func judgeLiveRing(of pid: Int32) {
    let path = container.framesFile
    let restart = "end the broadcast and start again, with producer and consumer of the same build"
    do throws(RingError) {
      let ring = try FrameRingReader(path: path)
      if pid != 0, ring.session.processID != pid {
        add(
          .wrongRing, path,
          "these are frames of process \(ring.session.processID), but process \(pid) broadcasts",
          remedy: restart)
      }
      add(
        .live, container.producerLockFile,
        "\(Self.process(pid)) broadcasts: session \(String(ring.session.id, radix: 16)), "
          + "frames published: \(ring.framesPublished)\(ring.state == .paused ? ", paused" : "")")
    } catch {
      if case .storage(let error) = error, error.isMissing, isArticleThere {
        add(
          .live, container.producerLockFile,
          "\(Self.process(pid)) broadcasts in the layout 'article', which tells no more: \(container.articleFile)"
        )
        return
      }
      let what =
        if case .storage(let error) = error, error.isMissing {
          "\(Self.process(pid)) broadcasts, but its frames are not there"
        } else {
          "\(Self.process(pid)) broadcasts, but its frames cannot be read: \(error)"
        }
      add(.wrongRing, path, what, remedy: restart)
    }
  }

  /// Whether frames are shared in the article's layout instead of the ring.
  private var isArticleThere: Bool {
    do { return try FileStatus.look(at: container.articleFile)?.kind == .plainFile } catch { return false }
  }

  private mutating func judgeArticle(at look: Look) {
    switch holder {
    case .nobody, .died:
      guard look == .sound, isArticleThere else { return }
      add(
        .leftoverRing, container.articleFile,
        "nobody broadcasts, but the frame of a producer is there, which did not remove it",
        remedy:
          "nothing need be done, as the next start with --layout article replaces it; or remove it, which gives "
          + "its memory back")
    case .alive, nil: break
    }
  }

  private mutating func judgeDeadRing() {
    let path = container.framesFile
    let what: String
    do throws(RingError) {
      let ring = try FrameRingReader(path: path)
      what =
        "nobody broadcasts, but the frames of process \(ring.session.processID) are there, which did not remove them"
    } catch {
      if case .storage(let error) = error, error.isMissing { return }
      what = "nobody broadcasts, but this file is there: \(error)"
    }
    add(
      .leftoverRing, path, what,
      remedy: "nothing need be done, as the next start replaces it; or remove it, which gives its memory back"
    )
  }
}
