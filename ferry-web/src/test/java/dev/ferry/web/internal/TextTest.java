package dev.ferry.web.internal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ferry.core.FerryException;
import dev.ferry.core.Generated;
import dev.ferry.web.internal.frame.TextDecoder;
import dev.ferry.web.internal.frame.TextEncoder;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.buffer.UnpooledHeapByteBuf;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Base64 of split input is the base64 of the whole. */
class TextTest {
  private static byte[] bytes(Random random, int size) {
    byte[] bytes = new byte[size];
    random.nextBytes(bytes);
    return bytes;
  }

  private static byte[] decode(byte[] text, Random random, int most) throws FerryException {
    TextDecoder decoder = new TextDecoder();
    ByteArrayOutputStream plain = new ByteArrayOutputStream();
    for (int at = 0; at < text.length; ) {
      int end = Math.min(text.length, at + 1 + random.nextInt(most));
      ByteBuf buffer = Unpooled.wrappedBuffer(text, at, end - at);
      ByteBuf target = Unpooled.buffer(TextDecoder.bound(end - at), TextDecoder.bound(end - at));
      decoder.decode(buffer, target);
      plain.writeBytes(ByteBufUtil.getBytes(target));
      at = end;
    }
    decoder.end();
    return plain.toByteArray();
  }

  @Test
  void encode_anySplit_isTheWholeEncoded() {
    Generated.check(
        150,
        input ->
            assertIsTheWholeEncoded(
                new Random(input.anyLong()), input.size(40_000), input.between(1, 20_000)));
  }

  private static void assertIsTheWholeEncoded(Random random, int size, int most) {
    byte[] plain = bytes(random, size);
    TextEncoder encoder = new TextEncoder();
    ByteArrayOutputStream text = new ByteArrayOutputStream();
    for (int at = 0; at < size; ) {
      int end = Math.min(size, at + 1 + random.nextInt(most));
      ByteBuf buffer = Unpooled.wrappedBuffer(plain, at, end - at);
      ByteBuf encoded = encoder.encode(buffer, UnpooledByteBufAllocator.DEFAULT);
      text.writeBytes(ByteBufUtil.getBytes(encoded));
      encoded.release();
      at = end;
    }
    text.writeBytes(ByteBufUtil.getBytes(encoder.end()));
    assertThat(text.toByteArray()).isEqualTo(Base64.getEncoder().encode(plain));
  }

  @Test
  void decode_anySplitWithPaddingWithin_isTheWhole() {
    Generated.check(
        150,
        input ->
            assertIsTheWhole(
                new Random(input.anyLong()), input.size(40_000), input.between(1, 20_000)));
  }

  private static void assertIsTheWhole(Random random, int size, int most) throws FerryException {
    byte[] plain = bytes(random, size);
    StringBuilder text = new StringBuilder();
    for (int at = 0; at < size; ) {
      int end = Math.min(size, at + 1 + random.nextInt(most));
      text.append(Base64.getEncoder().encodeToString(Arrays.copyOfRange(plain, at, end)));
      at = end;
    }
    byte[] sent = text.toString().getBytes(StandardCharsets.US_ASCII);
    assertThat(decode(sent, random, most)).isEqualTo(plain);
  }

  /** Text that counts the characters that are copied out of it. */
  private static final class CountedText extends UnpooledHeapByteBuf {
    private long copied;

    CountedText(String text) {
      super(UnpooledByteBufAllocator.DEFAULT, text.length(), text.length());
      writeCharSequence(text, StandardCharsets.US_ASCII);
    }

    @Override
    public ByteBuf getBytes(int index, byte[] target, int offset, int length) {
      copied += length;
      return super.getBytes(index, target, offset, length);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"AA==", "AAAAAAA=", "AAAAAAAAAAAA"})
  void decode_textOfPaddedQuartets_copiesEachCharacterTwiceAtMost(String part)
      throws FerryException {
    CountedText text = new CountedText(part.repeat(20_000));
    ByteBuf target = Unpooled.buffer(TextDecoder.bound(text.readableBytes()));
    int plain = Base64.getDecoder().decode(part).length;

    new TextDecoder().decode(text, target);

    assertThat(target.readableBytes()).isEqualTo(20_000 * plain);
    assertThat(text.copied).isLessThanOrEqualTo(2L * part.length() * 20_000);
  }
}
