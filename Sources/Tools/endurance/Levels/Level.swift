/// What a long life took of something, in the first and in the last third of the run.
struct Level: Codable, Equatable {
  var process: String
  var metric: String
  var first: Double
  var last: Double
  var tolerance: Double
}
