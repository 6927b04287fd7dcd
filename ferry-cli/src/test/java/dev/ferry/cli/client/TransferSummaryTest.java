package dev.ferry.cli.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ferry.core.FileFacts;
import dev.ferry.core.Transfer;
import java.time.Instant;
import org.junit.jupiter.api.Test;

final class TransferSummaryTest {
  @Test
  void of_resumedTransfer_hasTheRateOfWhatWasMoved() {
    FileFacts facts = new FileFacts("f", 40_000_000, Instant.EPOCH, false, null);
    Transfer whole = new Transfer(facts, 40_000_000, "h2c", "identity");
    Transfer rest = new Transfer(facts, 10_000_000, "h2c", "identity", 30_000_000);

    assertThat(TransferSummary.of("f -> g", whole, 2))
        .isEqualTo("f -> g: 40.0 MB (40000000 bytes) in 2.00 s, 20.0 MB/s, not verified");
    assertThat(TransferSummary.of("f -> g", rest, 2))
        .isEqualTo(
            "f -> g: 40.0 MB (40000000 bytes), resumed at byte 30000000, in 2.00 s, 5.0 MB/s, not"
                + " verified");
  }
}
