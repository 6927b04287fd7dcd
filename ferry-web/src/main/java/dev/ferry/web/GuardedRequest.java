package dev.ferry.web;

import com.linecorp.armeria.common.FilteredHttpRequest;
import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpObject;
import com.linecorp.armeria.common.HttpRequest;
import dev.ferry.contract.Errors;
import dev.ferry.core.FerryException;
import org.reactivestreams.Subscriber;

/** A request that fails where its frames are not sound, before anybody reads them. */
final class GuardedRequest extends FilteredHttpRequest {
  private final FrameCheck check;

  GuardedRequest(HttpRequest request, FrameCheck check) {
    super(request, true);
    this.check = check;
  }

  @Override
  protected HttpObject filter(HttpObject object) {
    if (object instanceof HttpData data) {
      try {
        check.accept(data.byteBuf());
      } catch (FerryException e) {
        data.close();
        throw Errors.toStatus(e, "request");
      }
    }
    return object;
  }

  @Override
  protected void beforeComplete(Subscriber<? super HttpObject> subscriber) {
    try {
      check.end();
    } catch (FerryException e) {
      throw Errors.toStatus(e, "request");
    }
  }
}
