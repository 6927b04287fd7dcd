package dev.ferry.cli.program;

import dev.ferry.core.FerryVersion;
import picocli.CommandLine.IVersionProvider;

/** The output of {@code --version}. */
final class VersionLine implements IVersionProvider {
  @Override
  public String[] getVersion() {
    return new String[] {"ferry " + FerryVersion.current()};
  }
}
