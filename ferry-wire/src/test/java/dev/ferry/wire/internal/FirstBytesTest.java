package dev.ferry.wire.internal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ferry.wire.internal.FirstBytes.Protocol;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class FirstBytesTest {
  @ParameterizedTest
  @CsvSource({
    "PRI * HTT, UNKNOWN, 0",
    "PRI * HTTP/2.0RNRNSMRNRN, HTTP2, 0",
    "PRI * HTTP/2.0RNRNSMRNRNrest, HTTP2, 4",
    "PRI * HTTP/2.0RNRNSMx, HTTP1_HEAD, 0",
    "GET / HTTP/1.1RNHost: x, HTTP1_HEAD, 0",
    "GET / HTTP/1.1RNHost: xRN, HTTP1_HEAD, 0",
    "GET / HTTP/1.1RNHost: xRNRNbody, HTTP1, 4",
    "GET / HTTP/1.0NNbody, HTTP1, 4",
    "RNRNRNRN, HTTP1_HEAD, 0",
    "RNRNGET / HTTP/1.1RNRN, HTTP1, 0",
  })
  void scan_bytesInAnyBuffers_knowsTheProtocol(String sent, Protocol protocol, int rest) {
    byte[] bytes =
        sent.replace('R', '\r')
            .replace('N', '\n')
            .replace("P\rI", "PRI")
            .getBytes(StandardCharsets.US_ASCII);

    FirstBytes whole = new FirstBytes();
    ByteBuf once = Unpooled.wrappedBuffer(bytes);
    assertThat(once.writerIndex() - whole.scan(once)).isEqualTo(rest);
    assertThat(whole.protocol()).isEqualTo(protocol);

    FirstBytes byteByByte = new FirstBytes();
    for (byte b : bytes) {
      byteByByte.scan(Unpooled.wrappedBuffer(new byte[] {b}));
    }
    assertThat(byteByByte.protocol()).isEqualTo(protocol);
  }
}
