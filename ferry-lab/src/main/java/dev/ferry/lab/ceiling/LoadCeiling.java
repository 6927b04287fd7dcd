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
  private final int operations;
  private final AtOnce threads;

  private LoadCeiling(List<CeilingWork> works, int operations) {
    this.works = works;
    this.operations = operations;
    this.threads = new AtOnce(works.size());
  }

  static LoadCeiling open(CeilingName name, Load load, Workplace workplace) throws IOException {
    List<CeilingWork> works = new ArrayList<>();
    try {
      for (int i = 0; i < load.atOnce(); i++) {
        works.add(CeilingWork.open(name, i, workplace));
      }
      return new LoadCeiling(works, load.operations());
    } catch (IOException | RuntimeException e) {
      try {
        CeilingWork.closeAll(works);
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
      threads.each(works.size(), i -> works.get(i).run());
      return;
    }
    for (int i = 0; i < operations; i++) {
      works.get(0).run();
    }
  }

  @Override
  public void check() throws IOException {
    threads.each(works.size(), i -> works.get(i).check());
  }

  @Override
  public void close() throws IOException {
    try (threads) {
      CeilingWork.closeAll(works);
    }
  }
}
