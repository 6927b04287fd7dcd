package dev.ferry.grpc.internal.transport;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.From;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

/** Whatever messages there are, and wherever frames cut them. */
class MessageJoinerTest {
  /** What stands before a frame in the buffer that it is a part of. */
  private static final int BEFORE = 9;

  /** A message as it stands on the wire. */
  private record Message(int flag, byte[] body) {
    void write(ByteBuf out) {
      out.writeByte(flag).writeInt(body.length).writeBytes(body);
    }
  }

  /** Where a message begins and ends, and the last frame that has bytes of it. */
  private record Place(int begin, int end, boolean joinable, int firstFrame, int lastFrame) {
    boolean isWhole() {
      return firstFrame == lastFrame;
    }
  }

  @Provide
  Arbitrary<Message> messages() {
    Arbitrary<Integer> flags = Arbitraries.frequency(of(9, 0), of(1, 1));
    return Combinators.combine(flags, Arbitraries.bytes().array(byte[].class).ofMaxSize(300))
        .as(Message::new);
  }

  private static Tuple.Tuple2<Integer, Integer> of(int frequency, int flag) {
    return Tuple.of(frequency, flag);
  }

  @Property(tries = 2_000)
  void join_anyMessagesInAnyFrames_joinsThoseThatFollowEachOtherWholeInAFrame(
      @ForAll @Size(max = 40) List<@From("messages") Message> messages,
      @ForAll @Size(min = 1, max = 10) List<@IntRange(min = 1, max = 1_000) Integer> frameSizes) {
    ByteBuf wire = Unpooled.buffer();
    messages.forEach(m -> m.write(wire));
    byte[] before = ByteBufUtil.getBytes(wire);
    List<Integer> frameOf = new ArrayList<>();
    byte[] after = joined(before, frameSizes, frameOf);

    List<Place> left = places(messages, frameOf);
    int at = 0;
    boolean open = false;
    int frame = -1;
    while (at < after.length) {
      Place first = left.remove(0);
      assertThat(first.begin).isEqualTo(at);
      int end = at + JoinedMessages.PREFIX + Unpooled.wrappedBuffer(after).getInt(at + 1);
      boolean canJoin = first.joinable && first.isWhole();
      assertThat(canJoin && open && first.firstFrame == frame).as("joined to the last").isFalse();
      Place last = first;
      while (last.end < end) {
        last = left.remove(0);
        assertThat(last.joinable && last.isWhole() && canJoin).isTrue();
        assertThat(last.lastFrame).isEqualTo(first.firstFrame);
      }
      assertThat(last.end).isEqualTo(end);
      // Nothing but the length that stands for all of them is different.
      System.arraycopy(before, at + 1, after, at + 1, Integer.BYTES);
      open = canJoin;
      frame = first.firstFrame;
      at = end;
    }
    assertThat(left).isEmpty();
    assertThat(after).isEqualTo(before);
  }

  private static byte[] joined(byte[] wire, List<Integer> frameSizes, List<Integer> frameOf) {
    MessageJoiner.Frames frames = new MessageJoiner.Frames();
    ByteBuf all = Unpooled.buffer();
    for (int i = 0; all.readableBytes() < wire.length; i++) {
      int length =
          Math.min(frameSizes.get(i % frameSizes.size()), wire.length - all.readableBytes());
      ByteBuf frame = Unpooled.buffer(BEFORE + length).writeZero(BEFORE).skipBytes(BEFORE);
      frames.join(frame.writeBytes(wire, all.readableBytes(), length));
      assertThat(frame.readableBytes()).isEqualTo(length);
      all.writeBytes(frame);
      for (int j = 0; j < length; j++) {
        frameOf.add(i);
      }
    }
    return ByteBufUtil.getBytes(all);
  }

  private static List<Place> places(List<Message> messages, List<Integer> frameOf) {
    List<Place> places = new ArrayList<>();
    int at = 0;
    for (Message m : messages) {
      int end = at + JoinedMessages.PREFIX + m.body.length;
      places.add(new Place(at, end, m.flag == 0, frameOf.get(at), frameOf.get(end - 1)));
      at = end;
    }
    return places;
  }

  @Example
  void join_lengthOfFourBytes_isNotTakenForANegativeOne() {
    ByteBuf frame = Unpooled.buffer().writeByte(0).writeInt(-1).writeByte(7);
    byte[] before = ByteBufUtil.getBytes(frame);
    MessageJoiner.Frames frames = new MessageJoiner.Frames();
    frames.join(frame);
    frames.join(frame);
    assertThat(ByteBufUtil.getBytes(frame)).isEqualTo(before);
  }

  @Example
  void joinStreamOfHeaders_whereNoHeadersAreHandled_doesNothing() {
    MessageJoiner.joinStreamOfHeaders();
  }
}
