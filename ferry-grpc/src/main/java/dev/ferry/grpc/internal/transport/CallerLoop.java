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
 * An event loop that whoever waits for an answer turns himself: he writes his request and reads the
 * answer, and no other thread needs to be woken for either. On a usual loop that is two of the four
 * wake-ups which a small call is made of.
 *
 * <p>One thread at a time has the loop. While one has it, calls of others are served by it as by
 * any event loop, and while nobody waits, a {@link LoopKeeper keeper} looks after the connections:
 * it is a thread that begins with the first need of it. Whatever runs here (handlers, listeners on
 * a direct executor) may therefore run on a caller's thread.
 *
 * <p>Sockets are NIO's: only its selector notices that a waiting thread is interrupted.
 *
 * <p>Thread-safe, but for what only the thread that {@link #enter has} the loop may do.
 */
public final class CallerLoop extends AbstractScheduledEventExecutor
    implements IoEventLoop, AutoCloseable {
  /** As long as Netty's own loops wait where nothing is scheduled. */
  private static final long LONGEST_WAIT = TimeUnit.SECONDS.toNanos(1);

  /** A turn is to end even where tasks never do: who waits has to look whether he is answered. */
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
   * @param name of the keeper's thread
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
   * Has the calling thread take the loop, if nobody has it and no other call is under way. Who
   * takes it must {@link #leave} it.
   *
   * @return false where another thread serves the call, which then is {@link #serve served}
   * @throws IllegalStateException where the calling thread has it already: it would wait for itself
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

  /** Gives the loop back. What is left to be done is the keeper's. */
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

  /** Whether there is something to be done, and nobody to do it. */
  boolean needsKeeper() {
    return owner.get() == null && (hasTasks() || keeper.hasCalls());
  }

  boolean hasTasks() {
    return !tasks.isEmpty();
  }

  /**
   * Turns the loop until something has happened, or it is to be closed. For the thread that has it.
   *
   * @param done is asked after each turn; what makes it true on another thread must {@link #wakeup}
   *     the loop
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

  /** Waits for the sockets or for a task, and does what there is to be done. */
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
   * A call begins whose caller does not turn the loop.
   *
   * @param waiting whether the caller waits for it, and would rather have turned the loop
   */
  public Served serve(boolean waiting) {
    keeper.callBegins(waiting);
    return new Served();
  }

  /** A call whose caller does not turn the loop. Thread-safe. */
  public final class Served {
    private final AtomicBoolean ended = new AtomicBoolean();

    private Served() {}

    /** The call has ended, or did not begin. Only the first time counts. */
    public void end() {
      if (ended.compareAndSet(false, true)) {
        keeper.callEnds();
      }
    }
  }

  /** Has whoever waits in the loop look again at what he waits for. */
  public void wakeup() {
    if (!inEventLoop() && owner.get() != null && !isShutdown()) {
      // A task cannot be overlooked, as a mere wake-up of the selector can.
      tasks.add(() -> {});
      io.wakeup();
    }
  }

  @Override
  public void execute(Runnable task) {
    tasks.add(task);
    if (isShutdown() && tasks.remove(task)) {
      throw new RejectedExecutionException("the loop is closed");
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
   * Cuts what is still connected and stops the keeper; waits until that is done, for some seconds
   * at most. Channels are to be closed before: calls that are under way fail, but what they were
   * about to send may not be released. On a thread that turns the loop it is done when that thread
   * leaves it.
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

  /** Does it unless a thread has the loop; that one does it when it leaves. */
  private void destroy() {
    if (!isShutdown() && acquire()) {
      try {
        if (!isShutdown()) {
          cut();
        }
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
      // Once more for what those tasks began.
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

  /** When, and for how long, the thread that has the loop may wait for its sockets. */
  private final class Waits implements IoHandlerContext {
    /** Asked again after the selector has returned: an interrupt is left for the caller to see. */
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
