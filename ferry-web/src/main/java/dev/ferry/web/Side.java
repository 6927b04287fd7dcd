package dev.ferry.web;

import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;

/** Whose body it is. */
enum Side {
  REQUEST("the request", ErrorKind.INVALID_REQUEST, 0),
  RESPONSE("the answer", ErrorKind.INTERNAL, FrameRules.TRAILERS);

  private final String what;
  private final ErrorKind fault;
  private final int trailers;

  Side(String what, ErrorKind fault, int trailers) {
    this.what = what;
    this.fault = fault;
    this.trailers = trailers;
  }

  String what() {
    return what;
  }

  /** Flags that stand for trailers; 0 if a body has none. */
  int trailers() {
    return trailers;
  }

  FerryException unsound(String why) {
    return new FerryException(fault, what + " is unsound: " + why);
  }
}
