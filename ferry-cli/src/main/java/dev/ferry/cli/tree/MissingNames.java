package dev.ferry.cli.tree;

import dev.ferry.cli.output.OutputFlags;
import dev.ferry.cli.program.FailureCode;
import dev.ferry.cli.program.Refusal;
import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.internal.Action;
import dev.ferry.core.internal.SystemError;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * What a copy of a tree does not transfer, although it was asked for. Each name is printed, and the
 * rest is copied. Thread-safe.
 */
public final class MissingNames {
  private final OutputFlags output;
  private final AtomicLong leftOut = new AtomicLong();
  private final AtomicLong failed = new AtomicLong();
  private final Set<FolderRefused> refused = ConcurrentHashMap.newKeySet();

  /**
   * @param output where the names are printed
   */
  public MissingNames(OutputFlags output) {
    this.output = output;
  }

  /** Does something with one of several names. */
  @FunctionalInterface
  public interface Step<T> {
    /** Returns the exit code of the step: 0, or that for "done, but not all". */
    int run(T name) throws FerryException;
  }

  /**
   * Does something with each of several names, and goes on after failures about one of them. A
   * single name that fails throws its failure.
   *
   * @return the exit code: 0 if all of it was done
   */
  public static <T> int each(OutputFlags output, List<T> names, Step<T> step)
      throws FerryException {
    if (names.size() == 1) {
      return step.run(names.get(0));
    }
    MissingNames missing = new MissingNames(output);
    AtomicInteger code = new AtomicInteger();
    for (T name : names) {
      missing.attempt(() -> code.compareAndSet(0, step.run(name)));
    }
    return missing.all() == 0 ? code.get() : FailureCode.NOT_ALL.code();
  }

  /**
   * A name was left out.
   *
   * @param reason for instance {@code it is a named pipe}
   */
  public void leftOut(String name, String reason) {
    leftOut.incrementAndGet();
    output.note(name + ": left out, " + reason);
  }

  /**
   * Runs a task for one file or folder. Its failure ends the command only if others would fail,
   * too.
   *
   * @throws FerryException if the failure is not about this name alone
   */
  public void attempt(Action<FerryException> task) throws FerryException {
    boolean unused = succeeds(task);
  }

  /** Runs a task as {@link #attempt}. Returns whether it succeeded. */
  public boolean succeeds(Action<FerryException> task) throws FerryException {
    try {
      task.run();
      return true;
    } catch (FerryException | Refusal e) {
      boolean local = e instanceof FerryException f && isAboutALocalFile(f);
      if (!local
          && !isAboutOneName(e instanceof FerryException f ? f.kind() : ((Refusal) e).kind())) {
        throw e;
      }
      failed(e);
      return false;
    }
  }

  /** The transfer of a name failed. If that is due to its folder, the folder has failed, once. */
  public void failed(Exception failure) {
    if (failure instanceof FolderRefused folder && !refused.add(folder)) {
      return;
    }
    failed.incrementAndGet();
    output.note(String.valueOf(failure.getMessage()));
  }

  private static boolean isAboutOneName(ErrorKind kind) {
    return switch (kind) {
      case ALREADY_EXISTS,
          NOT_EMPTY,
          INVALID_PATH,
          INVALID_REQUEST,
          NOT_FOUND,
          PERMISSION_DENIED,
          FILE_CHANGED,
          VERSION_MISMATCH,
          TOO_LARGE,
          LOCKED,
          DIGEST_MISMATCH,
          INCOMPLETE ->
          true;
      default -> false;
    };
  }

  /** Whether the disk does not give a file, for instance. More open files fail for all of them. */
  private static boolean isAboutALocalFile(FerryException failure) {
    IOException here = SystemError.behind(failure);
    return failure.kind() == ErrorKind.INTERNAL
        && failure.outage() == null
        && here != null
        && !SystemError.TOO_MANY_FILES.isCauseOf(here);
  }

  /** Names whose transfer failed. */
  public long failed() {
    return failed.get();
  }

  /** Names that were left out or failed. */
  public long all() {
    return leftOut.get() + failed.get();
  }

  /** For instance {@code , 2 left out, 1 failed}; empty if nothing is missing. */
  public String text() {
    return (leftOut.get() == 0 ? "" : ", " + leftOut + " left out")
        + (failed.get() == 0 ? "" : ", " + failed + " failed");
  }
}
