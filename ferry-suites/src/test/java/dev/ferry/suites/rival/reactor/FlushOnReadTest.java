package dev.ferry.suites.rival.reactor;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.DefaultChannelId;
import io.netty.channel.embedded.EmbeddedChannel;
import org.junit.jupiter.api.Test;

final class FlushOnReadTest {
  @Test
  void read_ofAStream_sendsWhatItsConnectionHasWritten() {
    EmbeddedChannel connection = new EmbeddedChannel();
    EmbeddedChannel stream =
        new EmbeddedChannel(
            connection, DefaultChannelId.newInstance(), true, false, FlushOnRead.INSTANCE);
    connection.write("window");
    assertThat((Object) connection.readOutbound()).isNull();

    stream.read();

    assertThat((Object) connection.readOutbound()).isEqualTo("window");
    stream.finishAndReleaseAll();
    connection.finishAndReleaseAll();
  }
}
