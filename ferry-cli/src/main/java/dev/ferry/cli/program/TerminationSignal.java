package dev.ferry.cli.program;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;

/**
 * SIGTERM, by the JDK's own {@code sun.misc.Signal}: there is no public class for signals, and a
 * shutdown hook neither learns what ends the process nor changes its exit code.
 */
final class TerminationSignal {
  private TerminationSignal() {}

  /**
   * Runs something on SIGTERM, on a thread of its own, instead of ending the process.
   *
   * <p>Reflective, so that a JVM without that class, or one that was told to leave signals alone
   * ({@code -Xrs}), just ends as it would.
   */
  static void handle(Runnable action) {
    InvocationHandler handler =
        (proxy, method, arguments) ->
            switch (method.getName()) {
              case "handle" -> {
                action.run();
                yield null;
              }
              case "equals" -> arguments[0] == proxy;
              case "hashCode" -> System.identityHashCode(proxy);
              default -> "SIGTERM handler";
            };
    try {
      Class<?> signal = Class.forName("sun.misc.Signal");
      Class<?> listener = Class.forName("sun.misc.SignalHandler");
      Object proxy =
          Proxy.newProxyInstance(
              TerminationSignal.class.getClassLoader(), new Class<?>[] {listener}, handler);
      Object term = signal.getConstructor(String.class).newInstance("TERM");
      signal.getMethod("handle", signal, listener).invoke(null, term, proxy);
    } catch (ReflectiveOperationException e) {
      return;
    }
  }
}
