package dev.ferry.lab.ceiling;

import dev.ferry.lab.model.CeilingName;
import dev.ferry.lab.model.Load;
import dev.ferry.lab.suite.AtOnce;
import dev.ferry.lab.suite.Workplace;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Does the work of a ceiling as often as a load says: in turn on the calling thread, or at once,
 * each with a connection and threads of its own.
 */
final class LoadCeiling implements CeilingWork {
  private final List<CeilingWork> works;
  private final int inTurn;
  private final AtOnce threads;

  private LoadCeiling(List<CeilingWork> works, int inTurn) {
    this.works = works;
    this.inTurn = inTurn;
    this.threads = new AtOnce(works.size());
  }

  static LoadCeiling open(CeilingName name, Load load, Workplace workplace) throws IOException {
    List<CeilingWork> works = new ArrayList<>();
    try {
      for (int i = 0; i < load.atOnce(); i++) {
        works.add(CeilingWork.open(name, i, workplace));
      }
      return new LoadCeiling(works, load.inTurn());
    } catch (IOException | RuntimeException e) {
      try {
        closeAll(works);
      } catch (IOException suppressed) {
        e.addSuppressed(suppressed);
      }
      throw e;
    }
  }

  @Override
  public void prepare() {
    works.forEach(CeilingWork::prepare);
  }

  @Override
  public void run() throws IOException {
    if (works.size() > 1) {
      List<CeilingWork> unused = each(CeilingWork::run);
      return;
    }
    for (int i = 0; i < inTurn; i++) {
      works.get(0).run();
    }
  }

  @Override
  public void check() throws IOException {
    List<CeilingWork> unused = each(CeilingWork::check);
  }

  /** A step of a work. */
  @FunctionalInterface
  private interface Step {
    void of(CeilingWork work) throws IOException;
  }

  private List<CeilingWork> each(Step step) throws IOException {
    return threads.run(
        works.size(),
        i -> {
          step.of(works.get(i));
          return works.get(i);
        });
  }

  @Override
  public void close() throws IOException {
    try (threads) {
      closeAll(works);
    }
  }

  private static void closeAll(List<CeilingWork> works) throws IOException {
    IOException failure = null;
    for (CeilingWork work : works) {
      try {
        work.close();
      } catch (IOException e) {
        failure = e;
      }
    }
    if (failure != null) {
      throw failure;
    }
  }
}
