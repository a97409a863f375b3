import Dispatch
import Platform
import ScreenBroadcast

extension BroadcastProvider {
  /// The timers for the polls of a provider.
  package struct Timers {
    var status: any RepeatingTimer
    var crash: any RepeatingTimer
    var frames: any RepeatingTimer
    /// One timer for each stream, in the order of the streams.
    var audio: [any RepeatingTimer]
  }
}

extension BroadcastProvider.Timers {
  /// Creates timers that fire on the main queue. A frame signal fires on its own thread.
  ///
  /// - Parameter isWoken: whether each frame is received at once, not at the next poll.
  init(for container: AppGroupContainer, isWoken: Bool) {
    audio = BroadcastAudioStream.allCases.map { _ in DispatchTimer(queue: .main) }
    frames = isWoken ? BroadcastFrameSignal(container: container) : DispatchTimer(queue: .main)
    (status, crash) = (DispatchTimer(queue: .main), DispatchTimer(queue: .main))
  }
}
