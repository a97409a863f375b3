import Dispatch
import Platform
import ScreenBroadcast

extension BroadcastProvider {
  /// What the polls of a provider tick by.
  package struct Timers {
    var status: any RepeatingTimer
    var crash: any RepeatingTimer
    var frames: any RepeatingTimer
    /// In the order of the streams.
    var audio: [any RepeatingTimer]
  }
}

extension BroadcastProvider.Timers {
  /// Timers that tick on the main queue, a frame signal on its own thread.
  ///
  /// - Parameter isWoken: whether each frame is received at once, and not at the next poll.
  init(for container: AppGroupContainer, isWoken: Bool) {
    let shared = SharedTimer(DispatchTimer(queue: .main))
    audio = BroadcastAudioStream.allCases.map { _ in shared.part() }
    frames = isWoken ? BroadcastFrameSignal(container: container) : shared.part()
    (status, crash) = (DispatchTimer(queue: .main), DispatchTimer(queue: .main))
  }
}
