package dev.ferry.cli;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/** Renders a run again. */
@Command(name = "report", description = "Renders a run again.")
final class ReportCommand implements Callable<Integer> {
  @Override
  public Integer call() {
    throw new UnsupportedOperationException();
  }
}
