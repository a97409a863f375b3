import EmulatedDevice
import Platform
import ReplayKitCore

extension SampleDelivery {
  /// Offers the packets of the streams that are complete and can wait. Where a slow receiver leaves room for one stream only,
  /// they take turns.
  ///
  /// - Parameter room: what can wait, read once: the receiver may take a sample meanwhile.
  @MainActor package func offer(_ streams: inout [EmulatedAudio], until now: MonotonicTime, room: Int) {
    var rest = room
    for stream in streams {
      // No more at once than can wait: if this process had no time for a moment, the receiver had none either.
      let samples = stream.samples(until: now, atMost: min(waitingSampleLimit / streams.count, rest))
      rest -= samples.count
      for sample in samples { _ = offer(sample, stream.type) }
    }
    if rest == 0, room > 0 { streams = Array(streams.dropFirst() + streams.prefix(1)) }
  }
}

extension BroadcastSystem {
  /// An audio stream, as an event names it.
  enum AudioStream: String, CaseIterable {
    case mic, app

    var type: RPSampleBufferType { self == .mic ? .audioMic : .audioApp }
  }

  /// Delivers what is complete and can wait for the handler. The rest is lost when the handler takes samples again, unless the
  /// machine kept it from that: how long a call was delayed is known when it has returned.
  func deliverAudio(until now: MonotonicTime) {
    let room = delivery.room(for: .audio)
    if room > 0, let audioFullTime, !catchUp.isUnderWay(at: now) {
      for stream in audio { stream.leaveOutPackets(until: audioFullTime) }
    }
    audioFullTime = room > 0 ? nil : now
    delivery.offer(&audio, until: now, room: room)
  }

  /// Ends the audio before a pause or the end of the broadcast. What was late and cannot wait any more is left out, and
  /// counts as dropped.
  func finishAudio() {
    // One time for both: a packet that is complete in between was not late.
    let now = time.clock.now
    noteDelays(at: now)
    deliverAudio(until: now)
    for stream in audio { stream.leaveOutPackets(until: now) }
  }

  /// Follows a change of the device at once: samples of a later time are as after it.
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

  /// Delivers what is complete now. What cannot wait any more is left out.
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
