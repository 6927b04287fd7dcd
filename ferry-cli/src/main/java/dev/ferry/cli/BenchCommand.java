package dev.ferry.cli;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/** Runs a comparison and prints its tables. */
@Command(name = "bench", description = "Runs a comparison and prints its tables.")
final class BenchCommand implements Callable<Integer> {
  @Override
  public Integer call() {
    throw new UnsupportedOperationException();
  }
}
