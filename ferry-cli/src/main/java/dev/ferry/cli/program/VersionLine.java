package dev.ferry.cli.program;

import dev.ferry.core.FerryVersion;
import picocli.CommandLine.IVersionProvider;

/** What {@code --version} prints. */
final class VersionLine implements IVersionProvider {
  @Override
  public String[] getVersion() {
    return new String[] {"ferry " + FerryVersion.current()};
  }
}
