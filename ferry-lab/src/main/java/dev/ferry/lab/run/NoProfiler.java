package dev.ferry.lab.run;

/** Watches nothing, as nearly always. */
final class NoProfiler implements SampleProfiler {
  @Override
  public void begin() {}

  @Override
  public void end() {}

  @Override
  public void finish() {}
}
