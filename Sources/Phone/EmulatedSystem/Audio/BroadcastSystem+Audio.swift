import EmulatedDevice
import Platform
import ReplayKitCore

extension SampleDelivery {
  /// Offers the complete packets of the streams, as far as there is room. If a slow receiver leaves room for one stream
  /// only, the streams take turns.
  ///
  /// - Parameter room: how many packets can wait. It is read once, because the receiver may take a sample in the meantime.
  @MainActor package func offer(_ streams: inout [EmulatedAudio], until now: MonotonicTime, room: Int) {
    var rest = room
    for stream in streams {
      // Offer at most as many packets as can wait. If this process was starved of CPU, the receiver was too.
      let samples = stream.samples(until: now, atMost: min(waitingSampleLimit / streams.count, rest))
      rest -= samples.count
      for sample in samples { _ = offer(sample, stream.type) }
    }
    if rest == 0, room > 0 { streams = Array(streams.dropFirst() + streams.prefix(1)) }
  }
}

extension BroadcastSystem {
  /// An audio stream, by its name in an event.
  enum AudioStream: String, CaseIterable {
    case mic, app

    var type: RPSampleBufferType { self == .mic ? .audioMic : .audioApp }
  }

  /// Delivers the complete packets that can wait for the handler. Packets without room are lost when the handler takes
  /// samples again, unless host load delayed the handler. The delay of a call is known only after it has returned.
  func deliverAudio(until now: MonotonicTime) {
    let room = delivery.room(for: .audio)
    if room > 0, let audioFullTime, !catchUp.isActive(at: now) {
      for stream in audio { stream.leaveOutPackets(until: audioFullTime) }
    }
    audioFullTime = room > 0 ? nil : now
    delivery.offer(&audio, until: now, room: room)
  }

  /// Ends the audio before a pause or the end of the broadcast. Late packets that cannot wait any more are dropped and
  /// counted.
  func finishAudio() {
    // One time for both calls: a packet that becomes complete in between was not late.
    let now = time.clock.now
    noteDelays(at: now)
    deliverAudio(until: now)
    for stream in audio { stream.leaveOutPackets(until: now) }
  }

  /// Applies a change of the device at once, so that samples of a later time reflect it.
  func deviceChanged(from old: DeviceState, to new: DeviceState) {
    if old.orientation != new.orientation, screen.orientation != nil {
      screen.orientation = CGImagePropertyOrientation(rawValue: new.orientation)
    }
    guard old.call != new.call || old.route != new.route else { return }
    for stream in audio {
      deliverDue(of: stream)
      stream.follow(old, new)
    }
  }

  func end(_ name: AudioStream) throws(DeviceEvent.Refusal) {
    let stream = try stream(name)
    guard stream.isOn else { throw DeviceEvent.Refusal("The stream has ended already.") }
    end(stream)
  }

  func start(_ name: AudioStream) throws(DeviceEvent.Refusal) {
    let stream = try stream(name)
    guard !stream.isOn else { throw DeviceEvent.Refusal("The stream has not ended.") }
    stream.begin(at: time.clock.now)
  }

  private func end(_ stream: EmulatedAudio) {
    deliverDue(of: stream)
    stream.end()
  }

  /// Delivers the packets that are complete now. Packets that cannot wait any more are dropped.
  private func deliverDue(of stream: EmulatedAudio) {
    guard phase == .live, pauseReasons.isEmpty else { return }
    let now = time.clock.now
    for sample in stream.samples(until: now) { _ = delivery.offer(sample, stream.type) }
    stream.leaveOutPackets(until: now)
  }

  private func stream(_ name: AudioStream) throws(DeviceEvent.Refusal) -> EmulatedAudio {
    guard let stream = audio.first(where: { $0.type == name.type }) else {
      throw DeviceEvent.Refusal(
        name == .mic
          ? "The microphone is off; start the broadcast with --mic."
          : "App audio is off; start the broadcast with --app-audio.")
    }
    return stream
  }
}
