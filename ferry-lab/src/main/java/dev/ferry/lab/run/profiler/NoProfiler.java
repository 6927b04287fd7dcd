package dev.ferry.lab.run.profiler;

/** Watches nothing, as nearly always. */
public final class NoProfiler implements SampleProfiler {
  @Override
  public void begin() {}

  @Override
  public void end() {}

  @Override
  public void finish() {}
}
