package dev.ferry.lab.suite.calls;

import java.io.IOException;

/** Asks for pages of users, through a client of its own or one for each page. For one worker. */
interface UserCaller extends AutoCloseable {
  /** Has a page come, and gives its users to a visitor. */
  void page(long page, long size, UserVisitor visitor) throws IOException;

  @Override
  void close();

  /** Is given users. */
  @FunctionalInterface
  interface UserVisitor {
    /** Takes the next user. */
    void user(String userName, String email, int age, String address, long createdMillis);
  }

  /** Asks for a page. */
  @FunctionalInterface
  interface Asking {
    void ask(long page, long size, UserVisitor visitor) throws IOException;
  }

  /** One that makes its clients itself, or uses one that is closed with it. */
  static UserCaller of(Asking asking, Runnable close) {
    return new UserCaller() {
      @Override
      public void page(long page, long size, UserVisitor visitor) throws IOException {
        asking.ask(page, size, visitor);
      }

      @Override
      public void close() {
        close.run();
      }
    };
  }
}
