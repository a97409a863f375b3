import CommandLineSupport

#if Peers
  import CPeers
  import CoreVideo
  import PixelAccess
#endif

/// The peers that need system libraries, built with `--traits Peers`.
enum Peers {
  private static func scaleRow(_ run: @escaping (_ count: Int) throws -> Void) -> HotRow {
    HotRow(
      "scale.libyuv", "libyuv NV12Scale of the same part to the same size", .microseconds,
      beside: "scale.adapt", bar: .atLeast(0.5), run: run)
  }

  /// The reason why a transport is not available.
  static func obstacle(_ transport: Job.Transport) -> String? {
    switch transport {
    case .jpeg, .gstreamerCopy, .gstreamerZeroCopy: obstacle
    default: nil
    }
  }

  #if Peers
    /// The reason why the peers are not available.
    static let obstacle: String? = nil

    /// An end of a peer's transport.
    static func makeEnd(_ job: Job) throws -> any TransportEnd {
      switch (job.transport, job.role) {
      case (.jpeg, .sender): try SocketSender(job, encode: JPEGCodec(job).encode)
      case (.jpeg, .receiver): try SocketReceiver(job, decode: JPEGCodec(job).decode)
      case (_, .sender): try GStreamerSender(job)
      case (_, .receiver): try GStreamerReceiver(job)
      }
    }

    /// libyuv's scaling of the part that `adaptOutputFormat` takes: the largest of the output's shape, from the
    /// centre, its left and top even.
    static func scale(_ picture: Picture, to size: PixelSize) throws -> HotRow {
      let source = picture.size
      let isUpright = source.width < source.height
      let sides = [size.width, size.height].sorted()
      let output = PixelSize(width: sides[isUpright ? 0 : 1], height: sides[isUpright ? 1 : 0])
      let part = PixelSize(
        width: min(source.width, source.height * output.width / output.height),
        height: min(source.height, source.width * output.height / output.width))
      let left = (source.width - part.width) / 4 * 2
      let top = (source.height - part.height) / 4 * 2
      let buffer = try CVPixelBuffer.biPlanar(output)
      return scaleRow { count in
        for _ in 0..<count {
          // UNSAFE: the part lies within the planes.
          let isScaled = unsafe withPicture(picture.pixelBuffer) { source in
            unsafe withPicture(buffer) { output in
              var source = unsafe source
              unsafe source.luma += top * Int(source.luma_stride) + left
              unsafe source.chroma += top / 2 * Int(source.chroma_stride) + left
              unsafe source.width = Int32(part.width)
              unsafe source.height = Int32(part.height)
              return unsafe peer_scale(source, output)
            }
          }
          guard isScaled else { throw Failure("libyuv does not scale to \(output)") }
        }
      }
    }

    /// Calls `body` with the planes of a pixel buffer.
    static func withPicture<Result>(_ buffer: CVPixelBuffer, _ body: (peer_picture) -> Result) -> Result {
      buffer.writePlane(0) { luma, lumaShape in
        buffer.writePlane(1) { chroma, chromaShape in
          // UNSAFE: the planes' bytes, within the closures.
          unsafe luma.withUnsafeMutableBufferPointer { luma in
            unsafe chroma.withUnsafeMutableBufferPointer { chroma in
              unsafe body(
                peer_picture(
                  luma: luma.baseAddress, luma_stride: Int32(lumaShape.bytesPerRow),
                  chroma: chroma.baseAddress, chroma_stride: Int32(chromaShape.bytesPerRow),
                  width: Int32(lumaShape.width), height: Int32(lumaShape.height)))
            }
          }
        }
      }
    }
  #else
    /// The reason why the peers are not available.
    static let obstacle: String? =
      "build with --traits Peers; apt-get install pkg-config libgstreamer1.0-dev gstreamer1.0-plugins-bad "
      + "libyuv-dev libturbojpeg0-dev"

    static func makeEnd(_ job: Job) throws -> any TransportEnd {
      throw Failure("\(job.transport): \(obstacle ?? "missing")")
    }

    static func scale(_ picture: Picture, to size: PixelSize) throws -> HotRow { scaleRow { _ in } }
  #endif
}
