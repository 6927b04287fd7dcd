package dev.ferry.web.internal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.FuzzTarget;
import dev.ferry.web.internal.frame.Deframer;
import dev.ferry.web.internal.frame.FrameRules;
import dev.ferry.web.internal.frame.TextDecoder;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Bodies of gRPC-Web, in binary and as text, to the parser that splits them buffer by buffer and to
 * a plain one that has all bytes at once. The first byte says of what the body is, the second how
 * large the buffers are in which it arrives.
 */
final class FramesFuzzTest implements FuzzTarget {
  private static final int TEXT = 1;
  private static final int COMPRESSED = 4;
  private static final int ONE = 8;

  private final UnpooledByteBufAllocator buffers = new UnpooledByteBufAllocator(false);

  /** What a body has: its messages, and whether it was sound to its end. */
  private static final class Body {
    private final List<byte[]> messages = new ArrayList<>();
    private boolean sound;
  }

  @Override
  public void parse(byte[] input) throws Exception {
    if (input.length < 2) {
      return;
    }
    byte[] bytes = Arrays.copyOfRange(input, 2, input.length);
    Body plain = plain(input[0], bytes);
    Body arrived = arrived(input[0], input[1] & 0xff, bytes);
    // What is unsound is found buffer by buffer, perhaps before the message in front of it is
    // taken.
    int taken = plain.sound ? plain.messages.size() : arrived.messages.size();
    assertThat(arrived.sound).isEqualTo(plain.sound);
    assertThat(arrived.messages)
        .usingElementComparator(Arrays::compare)
        .isEqualTo(plain.messages.subList(0, taken));
    long used = buffers.metric().usedHeapMemory() + buffers.metric().usedDirectMemory();
    assertThat(used).as("bytes of buffers that were not released").isZero();
    timeout(new String(bytes, StandardCharsets.ISO_8859_1));
  }

  private static FrameRules rules(int flags) {
    return new FrameRules((flags & COMPRESSED) != 0, (flags & ONE) == 0);
  }

  private Body arrived(int flags, int piece, byte[] bytes) throws IOException {
    Body body = new Body();
    Deframer deframer = new Deframer(rules(flags), buffers);
    TextDecoder text = (flags & TEXT) == 0 ? null : new TextDecoder();
    int most = piece == 0 ? 64 * 1024 : piece;
    try {
      for (int at = 0; at < bytes.length; at += most) {
        int length = Math.min(most, bytes.length - at);
        deframer.add(decoded(text, buffers.buffer(length).writeBytes(bytes, at, length)));
        for (var frame = deframer.next(); frame != null; frame = deframer.next()) {
          try (MessageStream message = frame.message()) {
            body.messages.add(message.readNBytes(message.available()));
          }
        }
      }
      if (text != null) {
        text.end();
      }
      deframer.end();
      body.sound = true;
    } catch (FerryException e) {
      assertThat(e.kind())
          .isIn(ErrorKind.INCOMPLETE, ErrorKind.TOO_LARGE, ErrorKind.INVALID_REQUEST);
    } finally {
      deframer.close();
    }
    return body;
  }

  private ByteBuf decoded(@Nullable TextDecoder text, ByteBuf arrived) throws FerryException {
    if (text == null) {
      return arrived;
    }
    ByteBuf plain = buffers.directBuffer(TextDecoder.bound(arrived.readableBytes()));
    boolean done = false;
    try {
      text.decode(arrived, plain);
      done = true;
      return plain;
    } finally {
      arrived.release();
      if (!done) {
        plain.release();
      }
    }
  }

  private static Body plain(int flags, byte[] bytes) {
    Body body = new Body();
    boolean binary = (flags & TEXT) == 0;
    ByteArrayOutputStream decoded = new ByteArrayOutputStream();
    boolean sound = binary || decode(bytes, decoded);
    ByteBuffer in = ByteBuffer.wrap(binary ? bytes : decoded.toByteArray());
    FrameRules rules = rules(flags);
    try {
      while (in.remaining() >= FrameRules.HEADER_BYTES) {
        rules.begin(in.get() & 0xff);
        long length = in.getInt() & 0xffff_ffffL;
        rules.length(length);
        if (length > in.remaining()) {
          return body;
        }
        byte[] message = new byte[(int) length];
        in.get(message);
        body.messages.add(message);
      }
      body.sound = sound && !in.hasRemaining();
    } catch (FerryException e) {
      body.sound = false;
    }
    return body;
  }

  /** Decodes four characters at a time, and returns whether all of them are sound. */
  private static boolean decode(byte[] text, ByteArrayOutputStream target) {
    int at = 0;
    for (; at + TextDecoder.QUARTET <= text.length; at += TextDecoder.QUARTET) {
      try {
        target.writeBytes(
            Base64.getDecoder().decode(Arrays.copyOfRange(text, at, at + TextDecoder.QUARTET)));
      } catch (IllegalArgumentException e) {
        return false;
      }
    }
    return at == text.length;
  }

  private static void timeout(String field) {
    try {
      assertThat(GrpcTimeout.parse(field).isNegative()).isFalse();
    } catch (FerryException e) {
      assertThat(e.kind()).isEqualTo(ErrorKind.INVALID_REQUEST);
    }
  }
}
