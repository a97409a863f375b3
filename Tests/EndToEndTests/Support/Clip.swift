import TestSupport

/// A YUV4MPEG2 clip, written and read without the package's own code.
struct Clip: Equatable {
  var width: Int
  var height: Int
  var frameCount: Int

  private var frameSize: Int { width * height + 2 * ((width + 1) / 2) * ((height + 1) / 2) }

  init(width: Int = 64, height: Int = 32, frameCount: Int) {
    self.width = width
    self.height = height
    self.frameCount = frameCount
  }

  /// Parses a stream. An incomplete last frame is an error.
  init(parsing data: Data) throws {
    let end = try #require(data.firstIndex(of: 0x0A))
    let tags = String(decoding: data[..<end], as: UTF8.self).split(separator: " ")
    try #require(tags.first == "YUV4MPEG2")
    func value(_ tag: Character) throws -> Int {
      try #require(tags.dropFirst().first { $0.first == tag }.flatMap { Int($0.dropFirst()) })
    }
    self.init(width: try value("W"), height: try value("H"), frameCount: 0)
    var rest = data[(end + 1)...]
    while !rest.isEmpty {
      try #require(rest.starts(with: Data("FRAME".utf8)))
      let start = try #require(rest.firstIndex(of: 0x0A)) + 1
      try #require(rest.endIndex - start >= frameSize)
      rest = rest[(start + frameSize)...]
      frameCount += 1
    }
  }

  /// Returns the bytes of the clip: uniform frames, each with a different value.
  func data(framesPerSecond: Int = 60) -> Data {
    var data = Data("YUV4MPEG2 C420jpeg H\(height) F\(framesPerSecond):1 W\(width)\n".utf8)
    for number in 0..<frameCount {
      data += Data("FRAME\n".utf8) + Data(repeating: UInt8(truncatingIfNeeded: number), count: frameSize)
    }
    return data
  }
}
