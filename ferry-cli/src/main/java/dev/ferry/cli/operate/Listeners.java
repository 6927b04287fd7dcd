package dev.ferry.cli.operate;

import dev.ferry.wire.EndedRequest;
import dev.ferry.wire.RequestListener;
import dev.ferry.wire.ServedRequest;
import java.util.List;

/** Passes everything on to several listeners. */
record Listeners(List<RequestListener> all) implements RequestListener {
  @Override
  public void began(ServedRequest request) {
    for (RequestListener listener : all) {
      listener.began(request);
    }
  }

  @Override
  public void ended(EndedRequest request) {
    for (RequestListener listener : all) {
      listener.ended(request);
    }
  }
}
