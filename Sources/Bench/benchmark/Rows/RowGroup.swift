enum RowGroup: String, CaseIterable, Codable {
  case copy, ring, handoff, app

  var title: String {
    switch self {
    case .copy: "Copying a frame in and out, one process, caches hot"
    case .ring: "Publishing and polling without pixels, one process, caches hot"
    case .handoff: "From core to core, two processes, without pixels, 60 per second unless stated otherwise"
    case .app: "The app's own classes, 60 frames per second, a pixel buffer each"
    }
  }

  func measurements(_ context: Context) throws -> [Measurement] {
    switch self {
    case .copy: [context.copiesIn(), try context.copiesOut()]
    case .ring: [context.publishing(), try context.polling()]
    case .handoff: context.handOffs()
    case .app: context.appReaders()
    }
  }
}
