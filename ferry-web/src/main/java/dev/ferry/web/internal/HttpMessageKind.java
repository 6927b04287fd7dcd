package dev.ferry.web.internal;

import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.web.internal.frame.FrameRules;

/** The message to which a body belongs. */
public enum HttpMessageKind {
  REQUEST("the request", ErrorKind.INVALID_REQUEST, 0),
  RESPONSE("the response", ErrorKind.INTERNAL, FrameRules.TRAILERS);

  private final String what;
  private final ErrorKind fault;
  private final int trailers;

  HttpMessageKind(String what, ErrorKind fault, int trailers) {
    this.what = what;
    this.fault = fault;
    this.trailers = trailers;
  }

  public String what() {
    return what;
  }

  /** Returns the flag bits of a trailers frame; 0 if the body has no trailers. */
  public int trailers() {
    return trailers;
  }

  public FerryException unsound(String why) {
    return new FerryException(fault, what + " is unsound: " + why);
  }
}
