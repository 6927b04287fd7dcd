package dev.ferry.wire.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http2.Http2Flags;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class MessageSharesTest {
  private static final int LARGE = 1 << 20;

  private final MessageShares shares = new MessageShares(8 * LARGE);
  private final MessageShares.Connection connection = shares.connect(address(1));
  private final Set<Integer> closed = new HashSet<>();

  private static InetAddress address(int last) {
    return new InetSocketAddress("10.0.0." + last, 1).getAddress();
  }

  private static ByteBuf message(int length, int sent) {
    return Unpooled.buffer().writeByte(0).writeInt(length).writeZero(sent);
  }

  private boolean data(int call, ByteBuf bytes) {
    return data(connection, call, bytes);
  }

  private boolean data(MessageShares.Connection from, int call, ByteBuf bytes) {
    from.frame(0, bytes.readableBytes());
    return from.payload(call, bytes, 0, bytes.readableBytes(), closed::contains);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3, 5, 6, 1000, LARGE})
  void messages_cutAnywhere_areHeldUntilTheyAreComplete(int size) {
    ByteBuf all = Unpooled.buffer();
    all.writeBytes(message(0, 0)).writeBytes(message(10, 10));
    all.writeBytes(message(LARGE, LARGE)).writeBytes(message(LARGE, LARGE - 1));
    while (all.isReadable()) {
      assertThat(data(1, all.readSlice(Math.min(size, all.readableBytes())))).isTrue();
    }
    assertThat(shares.taken()).isEqualTo(LARGE);

    assertThat(data(1, Unpooled.buffer().writeZero(1))).isTrue();
    assertThat(shares.taken()).isZero();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 7, 1000})
  void padding_isNoneOfAMessage(int size) {
    ByteBuf frame =
        Unpooled.buffer().writeByte(9).writeBytes(message(LARGE, LARGE - 1000)).writeZero(9);
    for (int i = 0; i < 3; i++) {
      connection.frame(Http2Flags.PADDED, frame.readableBytes());
      for (int at = 0; at < frame.readableBytes(); at += size) {
        int count = Math.min(size, frame.readableBytes() - at);
        assertThat(connection.payload(1, frame, at, count, closed::contains)).isTrue();
      }
      frame = Unpooled.buffer().writeByte(9).writeZero(i == 0 ? 999 : 1).writeZero(9);
      assertThat(shares.taken()).isEqualTo(i < 2 ? LARGE : 0);
    }
  }

  @Test
  void messages_ofOneAddress_leaveOthersTheirShare() {
    int held = 0;
    while (data(2 * held + 1, message(LARGE, LARGE - 1))) {
      held++;
    }
    assertThat(held).isEqualTo(4);
    assertThat(data(shares.connect(address(1)), 1, message(LARGE, LARGE - 1))).isFalse();
    assertThat(data(shares.connect(address(2)), 1, message(LARGE, LARGE - 1))).isTrue();
    // Small ones are not counted.
    assertThat(data(101, message(LARGE, MessageShares.SMALL))).isTrue();

    connection.closed(1);
    connection.closed(3);
    assertThat(data(103, message(LARGE, LARGE - 1))).isTrue();
    connection.close();
    assertThat(shares.taken()).isEqualTo(LARGE);
  }

  @Test
  void data_ofClosedCalls_holdsNothing() {
    closed.add(1);
    assertThat(data(1, message(LARGE, LARGE - 1))).isTrue();
    assertThat(shares.taken()).isZero();

    // A call that is refused when it is opened has no end.
    for (int call = 3; call < 11; call += 2) {
      assertThat(data(call, message(LARGE, LARGE - 1))).isTrue();
      closed.add(call);
    }
    assertThat(data(11, message(LARGE, LARGE - 1))).isTrue();
    assertThat(shares.taken()).isEqualTo(LARGE);
  }
}
