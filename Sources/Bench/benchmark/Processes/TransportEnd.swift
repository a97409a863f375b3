import CBenchmark
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
  /// Returns the time since the publication of a new frame; `nil` if there is none.
  func poll() throws -> Duration?
  /// Whether no frame will follow.
  var hasEnded: Bool { get }
  /// Sleeps until there may be a new frame.
  func waitForFrame()
}

extension PolledReceiver {
  func run(_ job: Job, from start: MonotonicTime, _ report: (Duration) -> Void) throws {
    if job.polling == .between { return try timePolls(job, from: start, report) }
    while true {
      if let age = try poll() {
        report(age)
      } else if hasEnded {
        return
      } else {
        waitForFrame()
      }
    }
  }

  /// Measures polls in the middle between two frames.
  private func timePolls(_ job: Job, from start: MonotonicTime, _ report: (Duration) -> Void) throws {
    let clock = SystemClock()
    // The time of two readings of the clock is not that of the poll.
    let readings = clock.measure { for _ in 0..<1000 { benchmark_keep(clock.now.nanoseconds) } }
    var due = start + job.interval * 1.5
    while due < start + job.duration {
      while clock.now < due {}
      let before = clock.now
      let age = try poll()
      let time = clock.now - before
      if age != nil { report(max(.nanoseconds(1), time - readings / 500)) }
      due = due + job.interval
    }
  }
}
