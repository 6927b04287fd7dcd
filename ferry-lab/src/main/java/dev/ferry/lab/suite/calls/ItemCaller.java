package dev.ferry.lab.suite.calls;

import java.io.IOException;

/** Asks for items, through a client that it keeps or one that it makes for each call. */
interface ItemCaller extends AutoCloseable {
  /** Has the first items come, and gives them to a visitor. */
  void call(long count, ItemVisitor visitor) throws IOException;

  @Override
  void close();

  /** Is given items. */
  @FunctionalInterface
  interface ItemVisitor {
    /** Takes the next item. */
    void item(long id, String name, double price);
  }

  /** Makes a call. */
  @FunctionalInterface
  interface Call {
    void call(long count, ItemVisitor visitor) throws IOException;
  }

  /** One that makes its clients itself, or uses one that is closed with it. */
  static ItemCaller of(Call call, Runnable close) {
    return new ItemCaller() {
      @Override
      public void call(long count, ItemVisitor visitor) throws IOException {
        call.call(count, visitor);
      }

      @Override
      public void close() {
        close.run();
      }
    };
  }
}
