package dev.ferry.web;

import com.linecorp.armeria.client.WebClient;
import dev.ferry.grpc.message.Framing;
import dev.ferry.web.WebChannel.Running;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.MethodDescriptor;

/** gRPC-Web over an HTTP client of Armeria's, with messages that are handed off. Thread-safe. */
final class RawChannel extends Channel {
  private final WebClient client;
  private final String server;
  private final boolean text;
  private final Framing framing;
  private final Running running;

  /**
   * @param running knows the calls while they run
   */
  RawChannel(WebClient client, String server, boolean text, Framing framing, Running running) {
    this.client = client;
    this.server = server;
    this.text = text;
    this.framing = framing;
    this.running = running;
  }

  @Override
  public <I, O> ClientCall<I, O> newCall(MethodDescriptor<I, O> method, CallOptions options) {
    return new RawClientCall<>(client, server, text, method, options, framing, running);
  }

  @Override
  public String authority() {
    return server;
  }
}
