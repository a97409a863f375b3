import Platform

protocol TransportEnd {
  /// Sends or receives frames from `start` on, as the job requires.
  /// - Parameter report: receives a time for each frame: the length of its sending, its age at its reception, or the
  ///   length of the poll that returned it.
  func run(_ job: Job, from start: MonotonicTime, _ report: (Duration) -> Void) throws
  /// Reports the end of the frames to the other end.
  func finish() throws
}

extension TransportEnd {
  func finish() {}
}

/// An end that sends frames at the pace of the job.
protocol FrameSender: TransportEnd {
  func send() throws
}

extension FrameSender {
  func run(_ job: Job, from start: MonotonicTime, _ report: (Duration) -> Void) throws {
    let clock = SystemClock()
    let end = start + job.duration
    guard job.interval > .zero else {
      var before = clock.now
      while before < end {
        try send()
        let after = clock.now
        report(after - before)
        before = after
      }
      return
    }
    var due = start + job.interval
    while due <= end {
      if job.polling == .between { while clock.now < due {} } else { clock.wait(until: due) }
      report(try clock.measure(send))
      due = due + job.interval
    }
  }
}

/// An end that receives the frames it polls for.
protocol PolledReceiver: TransportEnd {
  /// Returns the result of one poll; or waits for a frame, if the transport cannot do otherwise.
  func poll() throws -> Poll
  /// Waits until there may be a new frame.
  func waitForFrame()
}

enum Poll {
  /// A frame, with the time since its publication.
  case frame(age: Duration)
  case nothingNew
  case ended
}

extension PolledReceiver {
  func waitForFrame() {}

  func run(_ job: Job, from start: MonotonicTime, _ report: (Duration) -> Void) throws {
    let clock = SystemClock()
    let end = start + job.duration
    switch job.polling {
    case .spinning, .waiting, .timer, .app:
      while let age = try nextAge(waits: job.polling == .waiting) { report(age) }
    case .between:
      // The time of two readings of the clock is not that of the poll.
      let readings = clock.measure { for _ in 0..<1000 { Keep.value(clock.now.nanoseconds) } }
      var due = start + job.interval * 1.5
      while due < end {
        while clock.now < due {}
        let before = clock.now
        let result = try poll()
        let time = clock.now - before
        if case .frame = result { report(max(.nanoseconds(1), time - readings / 500)) }
        due = due + job.interval
      }
    }
  }

  /// The age of the next frame; `nil` at the end of the frames.
  private func nextAge(waits: Bool) throws -> Duration? {
    while true {
      switch try poll() {
      case .frame(let age): return age
      case .nothingNew: if waits { waitForFrame() }
      case .ended: return nil
      }
    }
  }
}
