package dev.ferry.cli.operate;

import dev.ferry.core.internal.PlainText;
import dev.ferry.wire.EndedRequest;
import dev.ferry.wire.RequestListener;
import dev.ferry.wire.ServedRequest;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.spi.LoggingEventBuilder;

/** Logs each request that has ended, at the level info: its text, and its fields for JSON. */
final class RequestLines implements RequestListener {
  private static final Logger LOG = LoggerFactory.getLogger("dev.ferry.requests");
  private static final int MAX_PATH = 512;
  private static final double NANOS = 1e9;

  @Override
  public void began(ServedRequest request) {}

  @Override
  public void ended(EndedRequest request) {
    if (LOG.isInfoEnabled()) {
      LoggingEventBuilder line = LOG.atInfo();
      LineText.fields(
          request,
          (name, value) -> {
            LoggingEventBuilder unused = line.addKeyValue(name, value);
          });
      line.log(text(request));
    }
  }

  /** Returns one line without control characters. */
  static String text(EndedRequest ended) {
    ServedRequest request = ended.request();
    StringBuilder line = new StringBuilder();
    line.append(request.carrier()).append(' ').append(request.operation());
    String path = ended.path();
    if (path != null) {
      line.append(" '").append(path, 0, Math.min(path.length(), MAX_PATH)).append('\'');
    }
    line.append(": ")
        .append(RequestText.result(ended))
        .append(", ")
        .append(ended.bytes())
        .append(String.format(Locale.ROOT, " bytes in %.3f s", ended.duration().toNanos() / NANOS));
    append(line, "caller", ended.caller());
    append(line, "peer", RequestText.peer(request.peer()));
    append(line, "traceparent", request.traceParent());
    return PlainText.of(line.toString());
  }

  private static void append(StringBuilder line, String name, @Nullable String value) {
    if (value != null) {
      line.append(", ").append(name).append(' ').append(value);
    }
  }
}
