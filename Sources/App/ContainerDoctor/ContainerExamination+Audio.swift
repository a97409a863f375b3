import Platform
import ScreenBroadcast
import SharedMemory

// The files of sound, against who broadcasts.
extension ContainerExamination {
  mutating func judgeAudio(_ stream: BroadcastAudioStream, at look: Look) {
    let path = container.audioFile(for: stream)
    let name = "sound of \(stream == .app ? "apps" : "the microphone")"
    guard look == .sound else { return }
    do throws(RingError) {
      let ring = try AudioRingReader(path: path)
      let owner = ring.session.processID
      switch holder {
      case .alive(let pid) where flag == true && pid != 0 && owner != pid:
        add(
          .wrongRing, path, "this is the \(name) of process \(owner), but process \(pid) broadcasts",
          remedy: "end the broadcast and start again, with producer and consumer of the same build")
      case .alive(let pid) where flag == true:
        add(
          .live, path,
          "\(Self.process(pid)) broadcasts the \(name): \(Int(ring.format.sampleRate)) Hz, "
            + "channels: \(ring.format.channelCount), frames published: \(ring.framesPublished), "
            + "packets dropped: \(ring.packetsDropped)")
      case .nobody, .died:
        addLeftoverAudio(
          path, "nobody broadcasts, but the \(name) of process \(owner) is there, which did not remove it")
      case .alive, nil: break
      }
    } catch {
      if case .storage(let error) = error, error.isMissing { return }
      switch holder {
      case .alive(let pid) where flag == true:
        add(
          .wrongRing, path, "\(Self.process(pid)) broadcasts, but its sound cannot be read: \(error)",
          remedy: "end the broadcast and start again, with producer and consumer of the same build")
      case .nobody, .died: addLeftoverAudio(path, "nobody broadcasts, but this file is there: \(error)")
      case .alive, nil: break
      }
    }
  }

  private mutating func addLeftoverAudio(_ path: String, _ what: String) {
    add(
      .leftoverRing, path, what,
      remedy: "nothing need be done, as the next start removes it; or remove it, which gives its memory back")
  }
}
