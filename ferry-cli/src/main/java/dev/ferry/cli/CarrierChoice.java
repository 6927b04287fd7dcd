package dev.ferry.cli;

import dev.ferry.core.Carrier;
import dev.ferry.grpc.GrpcCarrier;
import dev.ferry.grpc.Method;
import dev.ferry.http.JdkHttpCarrier;
import java.util.Arrays;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** The carriers a user can choose from. */
enum CarrierChoice {
  /** grpc-java on Netty with the hand-off of buffers. */
  GRPC("grpc", CarrierChoice.GRPC_PORT) {
    @Override
    Carrier connect(String host, int port) {
      return GrpcCarrier.connect(host, port, Method.ZERO_COPY);
    }
  },
  /** java.net.http over HTTP/1.1. */
  HTTP("http", CarrierChoice.HTTP_PORT) {
    @Override
    Carrier connect(String host, int port) {
      return JdkHttpCarrier.connect(host, port);
    }
  };

  /** Where {@code ferry serve} listens for gRPC unless told otherwise. */
  static final int GRPC_PORT = 7070;

  /** Where {@code ferry serve} listens for HTTP unless told otherwise. */
  static final int HTTP_PORT = 7080;

  private final String label;
  private final int defaultPort;

  CarrierChoice(String label, int defaultPort) {
    this.label = label;
    this.defaultPort = defaultPort;
  }

  /** Connects, lazily; the caller closes. */
  abstract Carrier connect(String host, int port);

  int defaultPort() {
    return defaultPort;
  }

  /** Reads a name of the command line. */
  static final class Converter implements ITypeConverter<CarrierChoice> {
    @Override
    public CarrierChoice convert(String text) {
      for (CarrierChoice choice : values()) {
        if (choice.label.equals(text)) {
          return choice;
        }
      }
      throw new TypeConversionException(
          "'" + text + "' is no carrier, choose one of " + Arrays.toString(values()));
    }
  }

  /** The name on the command line. */
  @Override
  public String toString() {
    return label;
  }
}
