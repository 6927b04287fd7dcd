/** The server of gRPC-Web, and of HTTP with it. */
module dev.ferry.web {
  requires transitive dev.ferry.core;
  requires transitive dev.ferry.wire;
  requires dev.ferry.zerocopy;
  requires com.google.common;
  requires dev.ferry.grpc;
  requires dev.ferry.http;
  requires io.grpc;
  requires io.grpc.services;
  requires io.netty.buffer;
  requires io.netty.codec;
  requires io.netty.codec.http;
  requires io.netty.common;
  requires io.netty.transport;

  exports dev.ferry.web;
}
