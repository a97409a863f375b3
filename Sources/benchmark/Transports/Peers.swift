import CommandLineSupport

/// The peers that need libraries of the system, built with `--traits Peers`.
enum Peers {
  #if Peers
    /// Why they cannot be measured here.
    static let obstacle: String? = nil
  #else
    /// Why they cannot be measured here.
    static let obstacle: String? =
      "build with --traits Peers; it needs: apt-get install \(packages)"
  #endif

  /// The packages of Debian and Ubuntu that the trait needs.
  static let packages =
    "pkg-config libgstreamer1.0-dev gstreamer1.0-plugins-bad libyuv-dev libjpeg-dev"

  #if !Peers
    static func makeSender(_ job: Job, _ picture: Picture) throws -> any FrameSender {
      throw Failure("\(job.transport): \(obstacle ?? "")")
    }

    static func makeReceiver(_ job: Job) throws -> any WaitingReceiver {
      throw Failure("\(job.transport): \(obstacle ?? "")")
    }
  #endif
}

extension Peers {
  /// The row of libyuv's scaling.
  static let scaleRow = Row(
    id: "scale.libyuv", title: "libyuv NV12Scale of the same part to the same size", unit: .microseconds,
    beside: "scale.adapt")

  #if !Peers
    /// libyuv's scaling of the part that `adaptOutputFormat` takes.
    static func scale(_ picture: Picture, to size: Size) throws -> HotRow? { nil }
  #endif
}
