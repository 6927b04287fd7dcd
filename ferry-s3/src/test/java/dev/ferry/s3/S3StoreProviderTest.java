package dev.ferry.s3;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ferry.core.ReceiveLimits;
import dev.ferry.core.remote.StoreProvider;
import java.util.Map;
import java.util.ServiceLoader;
import org.junit.jupiter.api.Test;

final class S3StoreProviderTest {
  @Test
  void providers_haveThisOne() {
    assertThat(ServiceLoader.load(StoreProvider.class))
        .hasOnlyElementsOfType(S3StoreProvider.class)
        .extracting(StoreProvider::scheme)
        .containsExactly("s3");
  }

  @Test
  void open_withTooLittleMemory_saysHowMuch() {
    assertThatThrownBy(
            () ->
                new S3StoreProvider()
                    .open("s3://bucket", Map.of("memory", "1M"), ReceiveLimits.STORE))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("'1M' of memory is too little for two transfers; give 128M or more");
  }
}
