package dev.ferry.flight;

import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import org.apache.arrow.flight.CallStatus;
import org.apache.arrow.flight.FlightRuntimeException;
import org.apache.arrow.flight.FlightStatusCode;

/** Converts errors to and from Flight errors. */
final class FlightErrors {
  private FlightErrors() {}

  /** Creates the Flight error of a server error, with its message for the user. */
  static FlightRuntimeException toFlight(FerryException e) {
    FlightStatusCode code =
        switch (e.kind()) {
          case NOT_FOUND -> FlightStatusCode.NOT_FOUND;
          case INVALID_PATH, INVALID_REQUEST -> FlightStatusCode.INVALID_ARGUMENT;
          case ALREADY_EXISTS -> FlightStatusCode.ALREADY_EXISTS;
          case CANCELLED -> FlightStatusCode.CANCELLED;
          case OUT_OF_SPACE, TOO_LARGE, OVERLOADED -> FlightStatusCode.RESOURCE_EXHAUSTED;
          default -> FlightStatusCode.INTERNAL;
        };
    return new CallStatus(code)
        .withDescription(String.valueOf(e.getMessage()))
        .toRuntimeException();
  }

  /** Returns the error of a failed call for a file. */
  static FerryException toFerry(FlightRuntimeException e, String name) {
    ErrorKind kind =
        switch (e.status().code()) {
          case NOT_FOUND -> ErrorKind.NOT_FOUND;
          case INVALID_ARGUMENT -> ErrorKind.INVALID_REQUEST;
          case ALREADY_EXISTS -> ErrorKind.ALREADY_EXISTS;
          case CANCELLED -> ErrorKind.CANCELLED;
          case RESOURCE_EXHAUSTED -> ErrorKind.OVERLOADED;
          case UNAVAILABLE -> ErrorKind.UNAVAILABLE;
          default -> ErrorKind.INTERNAL;
        };
    String said = e.status().description();
    return new FerryException(kind, said == null ? name + ": " + e.status().code() : said, e);
  }
}
