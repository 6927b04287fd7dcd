/** Clients and servers over HTTP/1.1 and HTTP/2. */
@SuppressWarnings("module") // Ferry's other modules are compiled later.
module dev.ferry.http {
  requires transitive dev.ferry.core;
  requires transitive dev.ferry.wire;
  requires dev.ferry.zerocopy;
  requires com.fasterxml.jackson.core;
  requires com.fasterxml.jackson.databind;
  requires io.netty.buffer;
  requires io.netty.codec;
  requires io.netty.codec.http;
  requires io.netty.codec.http2;
  requires io.netty.common;
  requires io.netty.handler;
  requires io.netty.transport;
  requires io.netty.transport.classes.epoll;
  requires java.xml;
  requires org.slf4j;
  requires static org.conscrypt;

  exports dev.ferry.http;
  exports dev.ferry.http.internal.server to
      dev.ferry.web;
}
