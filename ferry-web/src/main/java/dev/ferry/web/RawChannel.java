package dev.ferry.web;

import com.linecorp.armeria.client.WebClient;
import dev.ferry.grpc.message.Framing;
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

  RawChannel(WebClient client, String server, boolean text, Framing framing) {
    this.client = client;
    this.server = server;
    this.text = text;
    this.framing = framing;
  }

  @Override
  public <I, O> ClientCall<I, O> newCall(MethodDescriptor<I, O> method, CallOptions options) {
    return new RawClientCall<>(client, server, text, method, options, framing);
  }

  @Override
  public String authority() {
    return server;
  }
}
