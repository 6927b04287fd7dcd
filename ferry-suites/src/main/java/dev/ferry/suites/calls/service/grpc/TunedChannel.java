package dev.ferry.suites.calls.service.grpc;

import io.grpc.netty.NettyChannelBuilder;

/**
 * The settings of grpc-java that make small calls fast. Most of the cost of a small call is waking
 * threads, so these calls run on the event loops. Any user of grpc-java can set them.
 */
public final class TunedChannel {
  /**
   * HTTP/2 window in bytes of both ends. The value is grpc-java's default. A window that is set
   * explicitly stops grpc-java from measuring the connection with a PING per response, which costs
   * as much as the response.
   */
  static final int WINDOW = 1024 * 1024;

  private TunedChannel() {}

  /** Tunes the builder of a channel. Callbacks of its calls must not block. */
  public static NettyChannelBuilder tune(NettyChannelBuilder builder) {
    return builder.directExecutor().disableRetry().flowControlWindow(WINDOW);
  }
}
