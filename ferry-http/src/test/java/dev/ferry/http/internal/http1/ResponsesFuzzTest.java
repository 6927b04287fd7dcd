package dev.ferry.http.internal.http1;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ferry.core.CallLimits;
import dev.ferry.core.Change;
import dev.ferry.core.CreateOptions;
import dev.ferry.core.Digest;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileFacts;
import dev.ferry.core.FileSink;
import dev.ferry.core.FuzzTarget;
import dev.ferry.core.Fuzzing;
import dev.ferry.core.PartReceiver;
import dev.ferry.core.PartRequest;
import dev.ferry.core.StorePath;
import dev.ferry.core.TestFiles;
import dev.ferry.core.Transfer;
import dev.ferry.core.TransferOptions;
import dev.ferry.core.local.LocalFileStore;
import dev.ferry.core.upload.UploadId;
import dev.ferry.core.upload.UploadStatus;
import dev.ferry.http.internal.Call;
import dev.ferry.wire.Servers.Address;
import dev.ferry.wire.Servers.Endpoint;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a server may respond to each request of a client. The first byte chooses the request, the
 * second says how large the pieces are in which the response arrives.
 */
final class ResponsesFuzzTest implements FuzzTarget {
  private static final StorePath FILE = new StorePath("f");
  private static final CallLimits LIMITS = CallLimits.DEFAULT;

  /** A client of a server that has the same response to the request on each connection. */
  private static final class Answered extends Http1Client {
    private final byte[] response;

    Answered(byte[] response) {
      super(new Endpoint(new Address("localhost", 1), null), "", false, null, null, null);
      this.response = response;
    }

    @Override
    Connection connect(Call call) {
      int piece = response[1] == 0 ? 64 * 1024 : response[1] & 0xff;
      String text = new String(response, 2, response.length - 2, StandardCharsets.ISO_8859_1);
      return new Connection(new Arriving(text, List.of(piece)), false, new ConnectionPool());
    }
  }

  /** Receives a file, or its bytes from the second on. */
  private record Receiving(LocalFileStore store, @Nullable PartRequest wanted)
      implements PartReceiver {
    @Override
    public FileSink part(FileFacts facts, long length) throws FerryException {
      return whole(facts);
    }

    @Override
    public FileSink whole(FileFacts facts) throws FerryException {
      CreateOptions options =
          CreateOptions.DEFAULT.withLastModified(facts.lastModified()).withMode(facts.mode());
      return store.create(FILE, options);
    }
  }

  @Override
  public void parse(byte[] input) throws Exception {
    if (input.length < 2) {
      return;
    }
    try (Http1Carrier carrier = new Http1Carrier(new Answered(input))) {
      ask(carrier, input[0]);
    } catch (FerryException e) {
      assertThat(String.valueOf(e.getMessage()).length()).isLessThan(70_000);
    }
  }

  private static void ask(Http1Carrier carrier, int request) throws Exception {
    switch (request & 7) {
      case 0, 1 -> {
        FileFacts facts =
            carrier.stat(FILE, request % 8 == 0 ? null : Digest.Algorithm.CRC32C, LIMITS);
        assertThat(facts.size()).isNotNegative();
        long unused = facts.lastModified().toEpochMilli();
      }
      case 2, 3 -> {
        boolean unused = carrier.list(FILE, request % 8 == 3, ResponsesFuzzTest::check, LIMITS);
      }
      case 4 -> {
        UploadStatus status = carrier.uploadStatus(new UploadId("", 1, 2), LIMITS);
        assertThat(status.received()).isNotNegative();
      }
      case 5 -> carrier.change(new Change.MakeLink(FILE, "x", false), LIMITS);
      case 6 -> download(carrier, null);
      default -> download(carrier, new PartRequest(1, 2, null));
    }
  }

  private static boolean check(FileFacts entry) {
    assertThat(entry.size()).isNotNegative();
    long unused = entry.lastModified().toEpochMilli();
    return true;
  }

  private static void download(Http1Carrier carrier, @Nullable PartRequest wanted)
      throws Exception {
    Path folder = Fuzzing.emptyFolder("responses");
    Receiving receiving = new Receiving(LocalFileStore.open(folder), wanted);
    try {
      Transfer transfer =
          carrier.download(FILE, receiving, TransferOptions.DEFAULT.withGzip(wanted == null));
      assertThat(Files.size(folder.resolve("f"))).isEqualTo(transfer.facts().size());
      assertThat(TestFiles.tree(folder)).containsExactly("f");
    } catch (FerryException e) {
      assertThat(TestFiles.tree(folder)).isEmpty();
      throw e;
    }
  }
}
