/** What all ports of Ferry share: limits, TLS, callers and access rules. */
@SuppressWarnings("module") // Ferry's other modules are compiled later.
module dev.ferry.wire {
  requires transitive dev.ferry.core;
  requires com.google.common;
  // A part of Guava, which cannot ask for it: it has a name, but no descriptor.
  requires com.google.common.util.concurrent.internal;
  requires com.google.protobuf;
  requires io.grpc;
  requires io.grpc.protobuf;
  requires io.grpc.stub;
  requires io.netty.buffer;
  requires io.netty.codec;
  requires io.netty.codec.http2;
  requires io.netty.common;
  requires io.netty.handler;
  requires io.netty.transport;
  requires jdk.security.auth;
  requires org.slf4j;

  exports dev.ferry.wire;
  exports dev.ferry.wire.internal to
      dev.ferry.grpc,
      dev.ferry.http,
      dev.ferry.web;
  exports dev.ferry.wire.internal.contract to
      dev.ferry.grpc,
      dev.ferry.http,
      dev.ferry.library,
      dev.ferry.web;
  exports dev.ferry.wire.internal.servers to
      dev.ferry.grpc,
      dev.ferry.http;
  // Protobuf reads the fields of messages by reflection.
  exports dev.ferry.wire.internal.v1 to
      com.google.protobuf,
      dev.ferry.grpc,
      dev.ferry.web;
}
