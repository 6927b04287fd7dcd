package dev.ferry.grpc.internal.transport;

import io.netty.channel.Channel;
import io.netty.channel.ChannelFactory;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelPromise;
import io.netty.channel.DefaultChannelPromise;
import io.netty.channel.IoEventLoop;
import io.netty.channel.IoEventLoopGroup;
import io.netty.channel.IoHandle;
import io.netty.channel.IoHandler;
import io.netty.channel.IoHandlerContext;
import io.netty.channel.IoRegistration;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.util.concurrent.AbstractScheduledEventExecutor;
import io.netty.util.concurrent.DefaultPromise;
import io.netty.util.concurrent.Future;
import io.netty.util.concurrent.GlobalEventExecutor;
import io.netty.util.concurrent.Promise;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * An event loop that runs on the thread of the caller. A thread that waits for a response runs the
 * loop itself: it writes its request and reads the response, and no other thread is woken up. On a
 * usual event loop these are two of the four thread wake-ups of a small call.
 *
 * <p>One thread at a time owns the loop. While a thread owns it, it also serves the calls of other
 * threads. While no caller owns it, a {@link LoopKeeper keeper} thread serves the connections; it
 * starts when it is first needed. Handlers, and listeners on a direct executor, may therefore run
 * on the thread of any caller.
 *
 * <p>The sockets use NIO, because only the NIO selector returns if a waiting thread is interrupted.
 *
 * <p>Thread-safe, except for the methods that only the thread that {@linkplain #enter owns} the
 * loop may call.
 */
public final class CallerLoop extends AbstractScheduledEventExecutor
    implements IoEventLoop, AutoCloseable {
  /** The time for which Netty's own event loops wait if no task is scheduled. */
  private static final long LONGEST_WAIT = TimeUnit.SECONDS.toNanos(1);

  /**
   * Limits the tasks of one turn so that a turn ends even if tasks keep arriving. The waiting
   * caller has to check for its response.
   */
  private static final int TASKS_OF_A_TURN = 256;

  private static final int CLOSE_SECONDS = 5;

  private static final int OPEN = 0;
  private static final int CLOSING = 1;
  private static final int CLOSED = 2;

  private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();
  private final AtomicReference<@Nullable Thread> owner = new AtomicReference<>();
  private final Promise<Void> termination = new DefaultPromise<>(GlobalEventExecutor.INSTANCE);
  private final Waits waits = new Waits();
  private final LoopKeeper keeper;
  private final IoHandler io;
  private volatile int state = OPEN;

  /**
   * Opens a loop.
   *
   * @param name the name of the keeper thread
   */
  public CallerLoop(String name) {
    this.keeper = new LoopKeeper(name, this);
    this.io = NioIoHandler.newFactory().newHandler(this);
    io.initialize();
  }

  static ChannelFactory<Channel> clientChannels() {
    return NioSocketChannel::new;
  }

  /**
   * Makes the calling thread the owner of the loop if the loop has no owner and no other call is
   * served. The owner must call {@link #leave}.
   *
   * @return false if the caller must not run the loop; another thread then {@linkplain #serve
   *     serves} the call
   * @throws IllegalStateException if the calling thread already owns the loop, because it would
   *     wait for itself
   */
  public boolean enter() {
    if (inEventLoop()) {
      throw new IllegalStateException("this thread turns the loop already");
    }
    if (isShuttingDown() || keeper.hasCalls() || !acquire()) {
      return false;
    }
    if (isShuttingDown()) {
      release();
      return false;
    }
    keeper.callerEntered();
    return true;
  }

  /** Releases the loop. The keeper handles remaining work. */
  public void leave() {
    requireOwner();
    release();
    keeper.callerLeft();
  }

  boolean acquire() {
    return owner.get() == null && owner.compareAndSet(null, Thread.currentThread());
  }

  void release() {
    owner.set(null);
    if (isShuttingDown()) {
      destroy();
    }
  }

  private void requireOwner() {
    if (!inEventLoop()) {
      throw new IllegalStateException("this thread does not have the loop");
    }
  }

  /** Returns whether there is work to do and the loop has no owner. */
  boolean needsKeeper() {
    return owner.get() == null && (hasTasks() || keeper.hasCalls());
  }

  boolean hasTasks() {
    return !tasks.isEmpty();
  }

  /**
   * Runs the loop until a condition is true or the loop is closed. Only the owner may call this
   * method.
   *
   * @param done the condition, checked after each turn. A thread that makes it true must {@link
   *     #wakeup} the loop.
   */
  public void turnUntil(BooleanSupplier done) throws InterruptedException {
    requireOwner();
    runTasks();
    while (!done.getAsBoolean() && !isShuttingDown()) {
      if (Thread.interrupted()) {
        throw new InterruptedException();
      }
      turn();
    }
  }

  /** Waits for a socket or a task, then processes I/O events and tasks. */
  void turn() {
    io.run(waits);
    runTasks();
  }

  private void runTasks() {
    fetchFromScheduledTaskQueue(tasks);
    for (int i = 0; i < TASKS_OF_A_TURN; i++) {
      Runnable task = tasks.poll();
      if (task == null) {
        return;
      }
      safeExecute(task);
    }
  }

  private void runAllTasks() {
    do {
      runTasks();
    } while (hasTasks());
  }

  /**
   * Begins a call whose caller does not run the loop.
   *
   * @param waiting whether the caller waits for the call and therefore could have run the loop
   */
  public Served serve(boolean waiting) {
    keeper.callBegins(waiting);
    return new Served();
  }

  /** A call whose caller does not run the loop. Thread-safe. */
  public final class Served {
    private final AtomicBoolean ended = new AtomicBoolean();

    private Served() {}

    /** Ends the call, also if it did not start. Further calls of this method have no effect. */
    public void end() {
      if (ended.compareAndSet(false, true)) {
        keeper.callEnds();
      }
    }
  }

  /** Makes the owner of the loop check its condition again. */
  public void wakeup() {
    if (!inEventLoop() && owner.get() != null && !isShutdown()) {
      // A task ensures that the wake-up is not lost. A wake-up of the selector alone can be lost.
      tasks.add(() -> {});
      io.wakeup();
    }
  }

  /**
   * Runs a task on this loop. After the loop is closed, the calling thread runs it: a write to a
   * closed channel fails and releases its buffer, which nobody would release if it was rejected.
   */
  @Override
  public void execute(Runnable task) {
    tasks.add(task);
    if (isShutdown()) {
      runLateTasks();
      return;
    }
    Thread now = owner.get();
    if (now == null) {
      keeper.wake();
    } else if (now != Thread.currentThread()) {
      io.wakeup();
    }
  }

  @Override
  public boolean inEventLoop(Thread thread) {
    return owner.get() == thread;
  }

  /**
   * Closes all connections and stops the keeper. Waits for completion for a few seconds at most.
   * Channels should be closed before; otherwise running calls fail. If the calling thread owns the
   * loop, the loop closes when that thread leaves it.
   */
  @Override
  public void close() {
    beginClosing();
    if (!inEventLoop()) {
      termination.awaitUninterruptibly(CLOSE_SECONDS, TimeUnit.SECONDS);
    }
  }

  private void beginClosing() {
    if (!isShuttingDown()) {
      state = CLOSING;
    }
    keeper.wake();
    wakeup();
    destroy();
  }

  /** Destroys the loop if it has no owner. Otherwise the owner destroys it when it leaves. */
  private void destroy() {
    if (!isShutdown() && acquire()) {
      try {
        if (!isShutdown()) {
          cut();
        }
      } finally {
        owner.set(null);
      }
      runLateTasks();
    }
  }

  /** Runs what was added after the loop was closed, unless another thread does. */
  private void runLateTasks() {
    while (hasTasks() && acquire()) {
      try {
        runAllTasks();
      } finally {
        owner.set(null);
      }
    }
  }

  private void cut() {
    try {
      runAllTasks();
      io.prepareToDestroy();
      runAllTasks();
      // Handles registrations made by those tasks.
      io.prepareToDestroy();
      cancelScheduledTasks();
    } finally {
      state = CLOSED;
      runAllTasks();
      io.destroy();
      termination.setSuccess(null);
    }
  }

  @Override
  public IoEventLoop next() {
    return this;
  }

  @Override
  public @Nullable IoEventLoopGroup parent() {
    return null;
  }

  @Override
  public Future<IoRegistration> register(IoHandle handle) {
    Promise<IoRegistration> promise = newPromise();
    if (inEventLoop()) {
      register(handle, promise);
    } else {
      execute(() -> register(handle, promise));
    }
    return promise;
  }

  private void register(IoHandle handle, Promise<IoRegistration> promise) {
    if (isShuttingDown()) {
      promise.setFailure(new RejectedExecutionException("the loop is closed"));
      return;
    }
    try {
      promise.setSuccess(io.register(handle));
    } catch (Exception e) {
      promise.setFailure(e);
    }
  }

  @Override
  @Deprecated
  public ChannelFuture register(Channel channel) {
    return register(new DefaultChannelPromise(channel, this));
  }

  @Override
  @Deprecated
  public ChannelFuture register(ChannelPromise promise) {
    return register(promise.channel(), promise);
  }

  @Override
  @Deprecated
  public ChannelFuture register(Channel channel, ChannelPromise promise) {
    channel.unsafe().register(this, promise);
    return promise;
  }

  @Override
  public boolean isCompatible(Class<? extends IoHandle> type) {
    return io.isCompatible(type);
  }

  @Override
  public boolean isIoType(Class<? extends IoHandler> type) {
    return io.getClass() == type;
  }

  @Override
  public boolean isShuttingDown() {
    return state != OPEN;
  }

  @Override
  public boolean isShutdown() {
    return state == CLOSED;
  }

  @Override
  public boolean isTerminated() {
    return termination.isDone();
  }

  @Override
  public Future<?> terminationFuture() {
    return termination;
  }

  @Override
  public boolean awaitTermination(long timeout, TimeUnit unit) throws InterruptedException {
    return termination.await(timeout, unit);
  }

  @Override
  public Future<?> shutdownGracefully(long quietPeriod, long timeout, TimeUnit unit) {
    beginClosing();
    return termination;
  }

  @Override
  @Deprecated
  public void shutdown() {
    beginClosing();
  }

  /** Decides whether and for how long the owner of the loop may block in the selector. */
  private final class Waits implements IoHandlerContext {
    /** Also checked after the selector returns. An interrupt is left for the caller to handle. */
    @Override
    public boolean canBlock() {
      return !hasTasks()
          && !hasScheduledTasks()
          && !isShuttingDown()
          && !Thread.currentThread().isInterrupted();
    }

    @Override
    public long delayNanos(long now) {
      return Math.min(LONGEST_WAIT, CallerLoop.this.delayNanos(now, LONGEST_WAIT));
    }

    @Override
    public long deadlineNanos() {
      return nextScheduledTaskDeadlineNanos();
    }
  }
}
