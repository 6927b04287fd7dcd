package dev.ferry.cli.operate;

import dev.ferry.net.EndedRequest;
import dev.ferry.net.RequestListener;
import dev.ferry.net.ServedRequest;
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
