import ToolSupport

ToolRun.main(
  EnduranceOptions.program, workers: [RingWriterWorker.self, RingReaderWorker.self, KillWorker.self]
) { run, options in
  try RunContext(options, run)()
}
