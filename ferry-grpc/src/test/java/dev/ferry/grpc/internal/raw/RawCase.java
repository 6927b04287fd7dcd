package dev.ferry.grpc.internal.raw;

import dev.ferry.core.TestFiles;
import dev.ferry.grpc.internal.raw.RawClient.Ending;
import dev.ferry.wire.internal.contract.Limits;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/**
 * A random upload, as it stands on the wire.
 *
 * @param seed makes the same case again
 * @param damage done to one of the messages
 * @param file what the chunks have in them
 * @param frames the DATA frames
 */
public record RawCase(long seed, Damage damage, byte[] file, List<byte[]> frames, Ending ending) {
  /** Under which all of them are stored. */
  public static final String NAME = "file";

  private static final int MEMBER_FRAME = 18;
  private static final byte[] BOMB =
      Messages.gzip(Messages.chunk(new byte[Limits.MAX_MESSAGE + 1]));
  private static final byte[] MEMBER_OF_BOMB = Messages.gzip(new byte[Limits.MAX_MESSAGE / 8]);

  /** What is done to a compressed message. */
  public enum Damage {
    /** Nothing. */
    NONE,
    /** A byte of the header is another. */
    HEADER,
    /** A bit of what stands between header and trailer is flipped. */
    BODY,
    /** The CRC-32 is another. */
    CRC,
    /** The length is another. */
    LENGTH,
    /** The length is said to be as much as a message may have, or more. */
    HUGE_LENGTH,
    /** The message ends early. */
    TRUNCATED,
    /** Something follows that is no member. */
    GARBAGE_BEHIND,
    /** It decompresses to more than a message may have. */
    BOMB,
    /** A bomb of which each member is small. */
    BOMB_OF_MEMBERS,
    /** What is compressed is no part of a file. */
    NO_PART,
    /** It is not compressed, although it is marked so. */
    NOT_COMPRESSED,
    /** The stream ends within it. */
    STREAM_CUT
  }

  /** Makes a case. */
  public static RawCase random(long seed) {
    Random random = new Random(seed);
    byte[] file = content(random);
    List<byte[]> messages = new ArrayList<>();
    messages.add(Messages.facts(NAME, random.nextBoolean() ? file.length : -1));
    for (int at = 0; at < file.length; ) {
      int length = Math.min(file.length - at, chunkLength(file.length, random));
      messages.add(Messages.chunk(file, at, length));
      at += length;
    }
    if (random.nextBoolean()) {
      messages.add(Messages.end(Messages.sha256(file)));
    }
    Damage damage =
        random.nextBoolean()
            ? Damage.NONE
            : Damage.values()[random.nextInt(Damage.values().length)];
    int damaged = damage == Damage.NONE ? -1 : random.nextInt(messages.size());
    ByteArrayOutputStream stream = new ByteArrayOutputStream();
    for (int i = 0; i < messages.size(); i++) {
      boolean compressed = i == damaged || random.nextInt(4) != 0;
      byte[] message = compressed ? compressed(messages.get(i), random) : messages.get(i);
      message = i == damaged ? damaged(damage, message, messages.get(i), random) : message;
      byte[] prefixed = Messages.prefixed(compressed, message);
      if (i == damaged && damage == Damage.STREAM_CUT) {
        int length = random.nextInt(prefixed.length);
        // Behind the five bytes before a message, grpc-java takes the end for that of the call.
        stream.write(prefixed, 0, length == Messages.PREFIX ? length - 1 : length);
        break;
      }
      stream.writeBytes(prefixed);
    }
    Ending ending = random.nextInt(10) == 0 ? Ending.RESET : Ending.HALF_CLOSE;
    int count = random.nextInt(3) == 0 ? 1 : 1 + random.nextInt(100);
    List<byte[]> frames = Messages.cut(stream.toByteArray(), count, random);
    return new RawCase(seed, damage, file, frames, ending);
  }

  private static byte[] content(Random random) {
    int most =
        switch (random.nextInt(60)) {
          case 0 -> 2_000_000;
          case 1, 2, 3 -> 300_000;
          case 4, 5 -> 1;
          default -> 20_000;
        };
    int size = random.nextInt(most);
    return random.nextBoolean()
        ? TestFiles.random(size, random.nextLong())
        : TestFiles.compressible(size, random.nextLong());
  }

  private static int chunkLength(int size, Random random) {
    int most =
        switch (random.nextInt(4)) {
          case 0 -> size;
          case 1 -> Math.max(1, size / 3);
          default -> Math.max(1, size / 20);
        };
    // Now and then so small that it is looked at before it is compressed out.
    return random.nextInt(10) == 0 ? 1 + random.nextInt(400) : 1 + random.nextInt(most);
  }

  private static byte[] compressed(byte[] message, Random random) {
    int level = level(random);
    if (random.nextInt(4) != 0) {
      return Messages.gzip(level, message, 0, message.length);
    }
    int middle = random.nextInt(message.length + 1);
    return Messages.join(
        List.of(
            Messages.gzip(level, message, 0, middle),
            Messages.gzip(level(random), message, middle, message.length - middle)));
  }

  private static int level(Random random) {
    return random.nextInt(8) == 0 ? random.nextInt(10) : random.nextInt(2);
  }

  private static byte[] damaged(Damage damage, byte[] compressed, byte[] plain, Random random) {
    byte[] bytes = compressed.clone();
    int trailer = bytes.length - 8;
    switch (damage) {
      case HEADER -> bytes[random.nextInt(10)] ^= (byte) (1 + random.nextInt(255));
      case BODY -> bytes[10 + random.nextInt(bytes.length - MEMBER_FRAME)] ^= bit(random);
      case CRC -> bytes[trailer + random.nextInt(4)] ^= bit(random);
      case LENGTH -> bytes[trailer + 4 + random.nextInt(4)] ^= bit(random);
      case HUGE_LENGTH -> Arrays.fill(bytes, trailer + 4, bytes.length, huge(random));
      case TRUNCATED -> {
        return Arrays.copyOf(bytes, random.nextInt(bytes.length));
      }
      case GARBAGE_BEHIND -> {
        return Messages.join(List.of(bytes, TestFiles.random(1 + random.nextInt(100), 1)));
      }
      case BOMB -> {
        return BOMB;
      }
      case BOMB_OF_MEMBERS -> {
        return Messages.join(List.of(bytes, repeated(MEMBER_OF_BOMB, 9)));
      }
      case NO_PART -> {
        byte[] garbage = TestFiles.random(1 + random.nextInt(2000), random.nextLong());
        garbage[0] = 7;
        return Messages.gzip(garbage);
      }
      case NOT_COMPRESSED -> {
        return random.nextInt(4) == 0 ? new byte[0] : plain;
      }
      case NONE, STREAM_CUT -> {
        return bytes;
      }
    }
    return bytes;
  }

  private static byte[] repeated(byte[] bytes, int times) {
    return Messages.join(Collections.nCopies(times, bytes));
  }

  private static byte huge(Random random) {
    return (byte) (random.nextBoolean() ? 0xff : 0);
  }

  private static byte bit(Random random) {
    return (byte) (1 << random.nextInt(8));
  }

  @Override
  public String toString() {
    return "seed " + seed + ": " + damage + ", " + file.length + " bytes, " + ending;
  }
}
