package dev.ferry.s3;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ferry.core.Background;
import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.internal.CallerShares;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(300)
final class SlabsTest {
  private static final int MIB = 1 << 20;
  private static final int ALL = 64 * MIB;

  private final Slabs slabs = new Slabs(ALL);
  private final Slabs.Share greedy = slabs.share("greedy");
  private final Slabs.Share other = slabs.share("other");

  private static List<ByteBuffer> takeAll(Slabs.Share share, int bytes) throws FerryException {
    List<ByteBuffer> taken = new ArrayList<>();
    while (share.has(bytes)) {
      taken.add(share.take(bytes));
    }
    return taken;
  }

  @Test
  void take_oneHolderTakesAllItCan_leavesHalfOfTheRestToEachOther() throws Exception {
    assertThat(takeAll(greedy, MIB)).hasSize(32);
    // Another object, as each request has one, of the same holder.
    assertThat(slabs.share("greedy").has(MIB)).isFalse();
    assertThat(takeAll(other, MIB)).hasSize(16);
    assertThat(takeAll(slabs.share("third"), MIB)).hasSize(8);
    assertThat(slabs.used()).isEqualTo(56 * MIB);
  }

  @Test
  void take_forNobody_hasAllThereIs() throws Exception {
    assertThat(takeAll(slabs.share(CallerShares.NOBODY), 16 * MIB)).hasSize(4);
  }

  @Test
  void take_ofOtherSizesThanThoseGivenBack_hasTheSameShare() throws Exception {
    for (ByteBuffer buffer : takeAll(greedy, MIB)) {
      greedy.give(buffer);
    }
    assertThat(slabs.used()).isZero();
    assertThat(takeAll(slabs.share(CallerShares.NOBODY), 32 * MIB)).hasSize(2);
  }

  @Test
  void isScarce_holderHasMoreThanHalfOfItsShare_isSoForItAlone() throws Exception {
    ByteBuffer unused = greedy.take(16 * MIB);
    assertThat(greedy.isScarce()).isFalse();
    ByteBuffer more = greedy.take(MIB);
    assertThat(greedy.isScarce()).isTrue();
    assertThat(other.isScarce()).isFalse();
  }

  @Test
  void admit_transfersOfAnotherHolderWait_isNotBehindThem() throws Exception {
    List<ByteBuffer> taken = takeAll(greedy, MIB);
    List<Background<ByteBuffer>> waiting = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      boolean begins = i % 2 == 0;
      waiting.add(Background.start(() -> begins ? greedy.admit(MIB) : greedy.take(MIB)));
    }

    ByteBuffer admitted = other.admit(8 * MIB);
    other.give(admitted);
    other.give(other.take(8 * MIB));
    assertThat(slabs.used()).isEqualTo(ALL / 2);

    for (Background<ByteBuffer> each : waiting) {
      each.interrupt();
      FerryException failure = each.failure();
      assertThat(failure.kind()).isIn(ErrorKind.CANCELLED, ErrorKind.OVERLOADED);
    }
    taken.forEach(greedy::give);
    assertThat(slabs.used()).isZero();
  }

  @Test
  void take_whileItsHolderHasTooMuch_waitsUntilSomeIsGivenBack() throws Exception {
    List<ByteBuffer> taken = takeAll(greedy, 8 * MIB);
    Background<ByteBuffer> waiting = Background.start(() -> greedy.take(8 * MIB));
    greedy.give(taken.remove(0));
    assertThat(waiting.result().limit()).isEqualTo(8 * MIB);
  }
}
