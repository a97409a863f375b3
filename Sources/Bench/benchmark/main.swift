import ToolSupport

ToolRun.main(BenchmarkOptions.program, workers: [Job.self]) { run, options in
  try BenchmarkRun(options: options, run: run)()
}
