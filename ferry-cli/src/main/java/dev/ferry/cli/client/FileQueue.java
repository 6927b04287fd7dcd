package dev.ferry.cli.client;

import dev.ferry.cli.tree.ParallelTasks;
import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.TransferBatch;
import dev.ferry.core.internal.Action;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * The small files of a tree that wait for one of a few connections. Connections are opened as files
 * wait for them. The queue is bounded, so that the walk of a tree does not run ahead of its
 * transfers. Thread-safe.
 */
final class FileQueue implements TransferBatch, AutoCloseable {
  private static final int MOST_WAITING = 2048;

  /** More connections of a client that sends requests ahead move nothing faster. */
  static final int MOST_AHEAD = 4;

  /** Bytes of files that may wait for each connection before there is another one. */
  private static final long SHARE_BYTES = 1024 * 1024;

  private final ServerCalls server;
  private final ParallelTasks others;
  private final ParallelTasks connections;
  private final int most;

  /** Files that may wait for each connection before there is another one. */
  private final int share;

  private final Deque<Item> waiting = new ArrayDeque<>();
  private long waitingBytes;
  private int running;
  private int idle;
  private boolean ended;
  private @Nullable FerryException failure;

  /**
   * @param others the tasks beside the transfers of the queue. A failure of one ends these, too
   * @param jobs how many files are transferred at a time by a client that waits for each response
   */
  FileQueue(ServerCalls server, ParallelTasks others, int jobs) {
    this.server = server;
    this.others = others;
    boolean ahead = server.carrier().sendsAhead();
    most = ahead ? Math.min(jobs, MOST_AHEAD) : jobs;
    share = ahead ? 64 : 0;
    connections = new ParallelTasks(most);
  }

  void transfer(Item item) throws FerryException {
    boolean more;
    synchronized (this) {
      while (waiting.size() >= MOST_WAITING) {
        check();
        await(100);
      }
      check();
      waiting.add(item);
      waitingBytes += item.size();
      notifyAll();
      boolean enough = waiting.size() > running * share || waitingBytes > running * SHARE_BYTES;
      more = running < most && idle == 0 && enough;
      running += more ? 1 : 0;
    }
    if (more) {
      connections.begin(this::transferAll);
    }
  }

  private void transferAll() throws FerryException {
    try {
      boolean unused =
          // Its failures are those of single transfers, which are explained.
          server.once(
              carrier -> {
                carrier.transferAll(this);
                return true;
              });
    } catch (FerryException e) {
      fail(e);
      throw e;
    } catch (RuntimeException | Error e) {
      fail(new FerryException(ErrorKind.INTERNAL, "internal error: " + e, e));
      throw e;
    } finally {
      synchronized (this) {
        running--;
      }
    }
  }

  @Override
  public synchronized @Nullable Item next(boolean wait) throws FerryException {
    check();
    idle++;
    try {
      while (wait && waiting.isEmpty() && !ended) {
        await(0);
        check();
      }
    } finally {
      idle--;
    }
    Item next = waiting.poll();
    if (next != null) {
      waitingBytes -= next.size();
      notifyAll();
    }
    return next;
  }

  private void await(long millis) throws FerryException {
    try {
      wait(millis);
    } catch (InterruptedException e) {
      throw FerryException.interrupted("cancelled", e);
    }
  }

  /** Throws the first failure that ends all. */
  private synchronized void check() throws FerryException {
    if (failure != null) {
      throw failure;
    }
    others.check();
  }

  private synchronized void fail(FerryException e) {
    if (failure == null) {
      failure = e;
    }
    notifyAll();
  }

  /** Begins a task beside the transfers, from one of their threads. */
  void begin(Action<FerryException> task) {
    try {
      others.begin(task);
    } catch (FerryException e) {
      fail(e);
    }
  }

  /** Waits until all files are transferred. Files may be added again after that. */
  void await() throws FerryException {
    synchronized (this) {
      ended = true;
      notifyAll();
    }
    connections.await();
    synchronized (this) {
      ended = false;
      check();
    }
  }

  @Override
  public void close() {
    connections.close();
  }
}
