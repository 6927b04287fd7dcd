package dev.ferry.cli.program;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;

/**
 * Handles SIGTERM with the JDK's {@code sun.misc.Signal}. There is no public API for signals, and a
 * shutdown hook can neither detect the signal nor change the exit code.
 */
final class TerminationSignal {
  private TerminationSignal() {}

  /**
   * Runs an action on SIGTERM, on a separate thread, instead of exiting.
   *
   * <p>Uses reflection. If the JVM does not have the class, or does not handle signals ({@code
   * -Xrs}), SIGTERM has its default effect.
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
      // This JVM has no such class: SIGTERM ends it at once.
      return;
    }
  }
}
