package dev.ferry.suites.file;

/** The suite of many files with smaller files, for a test in which JVMs of the lab run its rows. */
public final class SmallScaleSuite extends FileScaleSuite {
  /** The size of each file of transfers at once. */
  public static final long BYTES_AT_ONCE = 250_000;

  public SmallScaleSuite() {
    super("small-scale", BYTES_AT_ONCE);
  }
}
