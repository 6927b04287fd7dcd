package dev.ferry.grpc.internal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ferry.core.TestFiles;
import dev.ferry.core.local.LocalFileStore;
import dev.ferry.grpc.internal.raw.Messages;
import dev.ferry.grpc.internal.raw.RawClient;
import dev.ferry.grpc.internal.raw.RawClient.Ending;
import dev.ferry.grpc.internal.raw.RawClient.IncomingResponse;
import dev.ferry.wire.ServerSettings;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Messages that cannot be read, in an upload of a size that nobody announced. */
class BrokenMessagesTest {
  private static final byte[] GARBAGE = {7, 7, 7, 7};

  @TempDir Path root;
  private GrpcFilesServer server;
  private RawClient client;

  @BeforeEach
  void start() throws Exception {
    server =
        GrpcFilesServer.start(LocalFileStore.open(root), "127.0.0.1", 0, ServerSettings.defaults());
    client = new RawClient(server.port());
  }

  @AfterEach
  void stop() {
    client.close();
    server.close();
  }

  private void assertRefused(boolean compressed, byte[] message) throws Exception {
    byte[] first = Messages.facts("a", -1);
    byte[] chunk = Messages.chunk(new byte[100]);
    List<byte[]> frames =
        List.of(
            Messages.prefixed(false, first),
            Messages.prefixed(true, Messages.gzip(chunk)),
            Messages.prefixed(compressed, message),
            Messages.prefixed(false, chunk));
    // In one frame and in several: the end of the stream is there already, or is not.
    for (List<byte[]> cut : List.of(frames, List.of(Messages.join(frames)))) {
      IncomingResponse response = client.upload("gzip", cut, Ending.HALF_CLOSE);
      TestFiles.awaitTree(root);
      TestFiles.awaitNothingOpen(root);
      assertThat(response.kind()).as("%s", response).isEqualTo("invalid-request");
    }
  }

  @Test
  void upload_ofGarbage_isRefused() throws Exception {
    assertRefused(false, GARBAGE);
  }

  @Test
  void upload_ofCompressedGarbage_isRefused() throws Exception {
    assertRefused(true, Messages.gzip(GARBAGE));
  }

  @Test
  void upload_ofWhatIsNotCompressedAsItSays_isRefused() throws Exception {
    assertRefused(true, new byte[100]);
  }

  @Test
  void upload_ofNothingThatIsCompressed_isRefused() throws Exception {
    assertRefused(true, new byte[0]);
  }

  @Test
  void upload_ofAMemberThatIsCut_isRefused() throws Exception {
    byte[] compressed = Messages.gzip(Messages.chunk(TestFiles.random(1000, 1)));
    assertRefused(true, Arrays.copyOf(compressed, 500));
  }
}
