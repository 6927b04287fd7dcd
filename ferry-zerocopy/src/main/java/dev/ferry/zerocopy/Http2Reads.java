package dev.ferry.zerocopy;

import io.netty.handler.codec.http2.DefaultHttp2LocalFlowController;
import io.netty.handler.codec.http2.Http2ConnectionHandler;
import io.netty.handler.codec.http2.Http2Exception;

/**
 * How a connection of Netty's HTTP/2 receives: frames without copies, and windows that are returned
 * early. {@link ZeroCopy} applies it to grpc-java, and other users of Netty can apply it to their
 * connections. The methods must be called on the event loop of the connection, or before it has
 * one.
 */
public final class Http2Reads {
  /**
   * Netty returns a window when half of it was consumed, so only the other half is sure to be on
   * its way. Returned in quarters, three quarters are.
   */
  private static final float UPDATE_RATIO = 0.75f;

  private Http2Reads() {}

  /**
   * Has a connection collect the reads of a frame without copying, and streams that are not yet
   * open return their windows in quarters. Netty's default cumulator copies the bytes already read
   * of a frame whenever more bytes arrive.
   */
  public static void tune(Http2ConnectionHandler connection) {
    connection.setCumulator(BoundedCumulator.INSTANCE);
    windows(connection).windowUpdateRatio(UPDATE_RATIO);
  }

  /**
   * Lets the connection itself return its window in quarters. Needed if it is as small as that of a
   * stream. The connection's SETTINGS must have been sent.
   *
   * @throws Http2Exception if the connection cannot return what has been consumed
   */
  public static void tuneConnectionWindow(Http2ConnectionHandler connection) throws Http2Exception {
    windows(connection).windowUpdateRatio(connection.connection().connectionStream(), UPDATE_RATIO);
  }

  private static DefaultHttp2LocalFlowController windows(Http2ConnectionHandler http2) {
    return (DefaultHttp2LocalFlowController) http2.connection().local().flowController();
  }
}
