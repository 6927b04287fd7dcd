package dev.ferry.lab.run.profiler;

/** The default: no profiler. */
public final class NoProfiler implements SampleProfiler {
  @Override
  public void begin() {}

  @Override
  public void end() {}

  @Override
  public void finish() {}
}
