package dev.ferry.grpc.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.Sha256;
import dev.ferry.core.TestFiles;
import dev.ferry.core.local.LocalFileStore;
import dev.ferry.wire.ServerSettings;
import dev.ferry.wire.internal.contract.GrpcErrors;
import dev.ferry.wire.internal.v1.CancelUploadRequest;
import dev.ferry.wire.internal.v1.DigestAlgorithm;
import dev.ferry.wire.internal.v1.DownloadRequest;
import dev.ferry.wire.internal.v1.FileEnd;
import dev.ferry.wire.internal.v1.FileFacts;
import dev.ferry.wire.internal.v1.FilePart;
import dev.ferry.wire.internal.v1.FilesGrpc;
import dev.ferry.wire.internal.v1.ListRequest;
import dev.ferry.wire.internal.v1.StatReply;
import dev.ferry.wire.internal.v1.StatRequest;
import dev.ferry.wire.internal.v1.UploadOptions;
import dev.ferry.wire.internal.v1.UploadReply;
import dev.ferry.wire.internal.v1.UploadStatusRequest;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.health.v1.HealthCheckRequest;
import io.grpc.health.v1.HealthCheckResponse.ServingStatus;
import io.grpc.health.v1.HealthGrpc;
import io.grpc.stub.MetadataUtils;
import io.grpc.stub.StreamObserver;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A foreign peer with generated code and grpc-java's own channel, which does as it likes. */
class ServerProtocolTest extends StockChannelHarness {
  private UploadReply upload(FilePart... parts) throws Exception {
    CompletableFuture<UploadReply> reply = new CompletableFuture<>();
    StreamObserver<FilePart> call =
        FilesGrpc.newStub(channel)
            .upload(
                new StreamObserver<>() {
                  @Override
                  public void onNext(UploadReply message) {
                    reply.complete(message);
                  }

                  @Override
                  public void onError(Throwable failure) {
                    reply.completeExceptionally(failure);
                  }

                  @Override
                  public void onCompleted() {}
                });
    for (FilePart part : parts) {
      call.onNext(part);
    }
    call.onCompleted();
    return reply.get(120, TimeUnit.SECONDS);
  }

  private static FilePart facts(String name, long size) {
    return FilePart.newBuilder()
        .setFacts(FileFacts.newBuilder().setName(name).setSize(size))
        .build();
  }

  private static FilePart chunk(String text) {
    return FilePart.newBuilder().setChunk(ByteString.copyFromUtf8(text)).build();
  }

  private static FilePart end(byte[] digest) {
    return FilePart.newBuilder()
        .setEnd(FileEnd.newBuilder().setSha256(ByteString.copyFrom(digest)))
        .build();
  }

  private void assertRefused(ErrorKind kind, FilePart... parts) throws Exception {
    assertThatThrownBy(() -> upload(parts))
        .isInstanceOf(ExecutionException.class)
        .satisfies(
            e -> {
              Throwable cause = e.getCause() == null ? e : e.getCause();
              FerryException failure = GrpcErrors.fromStatus(cause, "upload");
              assertThat(failure.kind()).isEqualTo(kind);
            });
    try (Stream<Path> files = Files.list(root)) {
      assertThat(files).isEmpty();
    }
  }

  @Test
  void stat_withMetadataOverTheLimit_isRefusedAlone() throws Exception {
    TestFiles.sparse(root.resolve("big"), 64L << 20);
    Iterator<FilePart> download =
        FilesGrpc.newBlockingStub(channel)
            .download(DownloadRequest.newBuilder().setPath("big").build());
    assertThat(download.next().getFacts().getSize()).isEqualTo(64L << 20);

    assertThat(statWith(14_000).getFacts().getSize()).isEqualTo(64L << 20);
    assertThatThrownBy(() -> statWith(200_000))
        .satisfies(
            e -> {
              assertThat(Status.fromThrowable(e).getCode())
                  .isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
              FerryException failure = GrpcErrors.fromStatus(e, "stat");
              assertThat(failure.kind()).isEqualTo(ErrorKind.INVALID_REQUEST);
              assertThat(failure).hasMessageContaining("more than 32768 bytes; send fewer");
            });
    assertThat(statWith(14_000).getFacts().getSize()).isEqualTo(64L << 20);

    long bytes = 0;
    while (download.hasNext()) {
      bytes += download.next().getChunk().size();
    }
    assertThat(bytes).isEqualTo(64L << 20);
  }

  private StatReply statWith(int bytes) {
    Metadata metadata = new Metadata();
    metadata.put(
        Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER),
        "Bearer " + "a".repeat(bytes));
    return FilesGrpc.newBlockingStub(channel)
        .withInterceptors(MetadataUtils.newAttachHeadersInterceptor(metadata))
        .stat(StatRequest.newBuilder().setPath("big").build());
  }

  @Test
  void upload_ofPlainMessages_isStored() throws Exception {
    upload(facts("a", 5), chunk("he"), chunk(""), chunk("llo"));
    assertThat(root.resolve("a")).hasContent("hello");
  }

  @Test
  void upload_intoAMissingDirectory_isStoredIfItMayMakeIt() throws Exception {
    FilePart first = facts("dir/a", 5);
    assertRefused(ErrorKind.NOT_FOUND, first, chunk("hello"));
    UploadOptions making = UploadOptions.newBuilder().setMakeParents(true).build();
    upload(first.toBuilder().setOptions(making).build(), chunk("hello"));
    assertThat(root.resolve("dir/a")).hasContent("hello");
  }

  @Test
  void upload_withoutASize_isStored() throws Exception {
    FilePart first = FilePart.newBuilder().setFacts(FileFacts.newBuilder().setName("a")).build();
    assertThat(upload(first, chunk("hello")).getFacts().getSize()).isEqualTo(5);
  }

  @Test
  void upload_ofAChunkBeforeTheFacts_isRefused() throws Exception {
    assertRefused(ErrorKind.INVALID_REQUEST, chunk("hello"), facts("a", 5));
  }

  @Test
  void upload_ofFactsTwice_isRefused() throws Exception {
    assertRefused(ErrorKind.INVALID_REQUEST, facts("a", 5), facts("b", 5), chunk("hello"));
  }

  @Test
  void upload_ofAnEmptyMessage_isRefused() throws Exception {
    assertRefused(ErrorKind.INVALID_REQUEST, facts("a", 0), FilePart.getDefaultInstance());
  }

  @Test
  void upload_idOrOffsetThatIsNone_isRefused() throws Exception {
    FilePart first = facts("a", 5);
    UploadOptions id =
        UploadOptions.newBuilder().setUploadId(ByteString.copyFrom(new byte[16])).build();
    UploadOptions shortId =
        UploadOptions.newBuilder().setUploadId(ByteString.copyFrom(new byte[15])).build();
    UploadOptions bare = UploadOptions.newBuilder().setOffset(1).build();
    assertRefused(ErrorKind.INVALID_REQUEST, first.toBuilder().setOptions(shortId).build());
    assertRefused(ErrorKind.INVALID_REQUEST, first.toBuilder().setOptions(bare).build());
    for (long offset : new long[] {1, -1}) {
      UploadOptions unknown = id.toBuilder().setOffset(offset).build();
      assertRefused(ErrorKind.NOT_FOUND, first.toBuilder().setOptions(unknown).build());
    }
  }

  @ParameterizedTest
  @CsvSource({"15, INVALID_ARGUMENT", "16, NOT_FOUND", "0, INVALID_ARGUMENT"})
  void uploadStatusAndCancel_idThatIsNone_areRefused(int length, Status.Code code) {
    ByteString id = ByteString.copyFrom(new byte[length]);
    FilesGrpc.FilesBlockingStub stub = FilesGrpc.newBlockingStub(channel);
    assertThatThrownBy(
            () -> stub.uploadStatus(UploadStatusRequest.newBuilder().setUploadId(id).build()))
        .satisfies(e -> assertThat(Status.fromThrowable(e).getCode()).isEqualTo(code));
    assertThatThrownBy(
            () -> stub.cancelUpload(CancelUploadRequest.newBuilder().setUploadId(id).build()))
        .satisfies(e -> assertThat(Status.fromThrowable(e).getCode()).isEqualTo(code));
  }

  @Test
  void upload_ofNothing_isRefused() throws Exception {
    assertRefused(ErrorKind.INCOMPLETE);
  }

  @Test
  void upload_ofFewerBytesThanAnnounced_isRefused() throws Exception {
    assertRefused(ErrorKind.INCOMPLETE, facts("a", 6), chunk("hello"));
  }

  @Test
  void upload_ofMoreBytesThanAnnounced_isRefused() throws Exception {
    assertRefused(ErrorKind.INCOMPLETE, facts("a", 4), chunk("hello"));
  }

  @Test
  void upload_withAWrongDigest_isRefused() throws Exception {
    assertRefused(ErrorKind.DIGEST_MISMATCH, facts("a", 5), chunk("hello"), end(new byte[32]));
  }

  @Test
  void upload_withADigestOfTheWrongLength_isRefused() throws Exception {
    assertRefused(ErrorKind.INVALID_REQUEST, facts("a", 5), chunk("hello"), end(new byte[31]));
  }

  private static FilePart end(int crc32c) {
    return FilePart.newBuilder().setEnd(FileEnd.newBuilder().setCrc32C(crc32c)).build();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void upload_withACrc32c_isCompared(boolean announced) throws Exception {
    FilePart first =
        facts("a", 5).toBuilder()
            .setOptions(
                UploadOptions.newBuilder()
                    .setDigestFollows(announced)
                    .setDigestAlgorithm(DigestAlgorithm.CRC_32C))
            .build();
    // Of "hello".
    int crc = 0x9a71bb4c;
    assertRefused(ErrorKind.DIGEST_MISMATCH, first, chunk("hel"), chunk("lo"), end(crc + 1));
    if (announced) {
      assertRefused(ErrorKind.INVALID_REQUEST, first, chunk("hel"), chunk("lo"));
    }
    assertThat(upload(first, chunk("hel"), chunk("lo"), end(crc)).getFacts().getCrc32C())
        .isEqualTo(crc);
  }

  @Test
  void download_byAClientThatKnowsSha256Alone_endsWithIt() throws Exception {
    Path file = Files.writeString(root.resolve("a"), "hello");
    DownloadRequest.Builder request = DownloadRequest.newBuilder().setPath("a").setWantDigest(true);
    FileEnd end = last(request.build()).getEnd();
    assertThat(end.getSha256().toByteArray()).isEqualTo(Sha256.ofFile(file).toBytes());
    assertThat(end.hasCrc32C()).isFalse();

    end = last(request.setDigestAlgorithm(DigestAlgorithm.CRC_32C).build()).getEnd();
    assertThat(end.getCrc32C()).isEqualTo(0x9a71bb4c);
    assertThat(end.getSha256()).isEqualTo(ByteString.EMPTY);

    end = last(request.setDigestAlgorithmValue(99).build()).getEnd();
    assertThat(end.getSha256().toByteArray()).isEqualTo(Sha256.ofFile(file).toBytes());
  }

  private FilePart last(DownloadRequest request) {
    FilePart last = FilePart.getDefaultInstance();
    var parts = FilesGrpc.newBlockingStub(channel).download(request);
    while (parts.hasNext()) {
      last = parts.next();
    }
    return last;
  }

  @Test
  void upload_ofAnEscapingPath_isRefused() throws Exception {
    assertRefused(ErrorKind.INVALID_PATH, facts("../a", 5), chunk("hello"));
  }

  @Test
  void upload_ofAMessageOverTheLimit_isRefused() throws Exception {
    FilePart huge =
        FilePart.newBuilder().setChunk(ByteString.copyFrom(new byte[4 * 1024 * 1024])).build();
    assertThatThrownBy(() -> upload(facts("a", huge.getChunk().size()), huge))
        .hasMessageContaining("exceeds maximum size");
  }

  @Test
  void download_ofAChunkSizeOutOfRange_isRefused() {
    DownloadRequest request =
        DownloadRequest.newBuilder().setPath("a").setChunkSize(2_000_000).build();
    assertThatThrownBy(() -> FilesGrpc.newBlockingStub(channel).download(request).next())
        .isInstanceOfSatisfying(
            StatusRuntimeException.class,
            e -> assertThat(e.getStatus().getCode()).isEqualTo(Status.Code.INVALID_ARGUMENT))
        .hasMessageContaining("2000000");
  }

  @Test
  void download_byABlockingIterator_hasFactsChunksAndNoEnd() throws Exception {
    Files.writeString(root.resolve("a"), "hello");
    var parts =
        FilesGrpc.newBlockingStub(channel)
            .download(DownloadRequest.newBuilder().setPath("a").setChunkSize(2).build());
    assertThat(parts.next().getFacts().getSize()).isEqualTo(5);
    assertThat(parts.next().getChunk().toStringUtf8()).isEqualTo("he");
    assertThat(parts.next().getChunk().toStringUtf8()).isEqualTo("ll");
    assertThat(parts.next().getChunk().toStringUtf8()).isEqualTo("o");
    assertThat(parts.hasNext()).isFalse();
  }

  @Test
  void statAndList_ofTheRoot_succeed() throws Exception {
    Files.writeString(root.resolve("a"), "hello");
    FilesGrpc.FilesBlockingStub stub = FilesGrpc.newBlockingStub(channel);
    assertThat(stub.stat(StatRequest.getDefaultInstance()).getFacts().getDirectory()).isTrue();
    assertThat(stub.list(ListRequest.getDefaultInstance()).next().getEntries(0).getName())
        .isEqualTo("a");
  }

  @Test
  void health_ofTheService_isServing() {
    var request = HealthCheckRequest.newBuilder().setService(FilesGrpc.SERVICE_NAME).build();
    assertThat(HealthGrpc.newBlockingStub(channel).check(request).getStatus())
        .isEqualTo(ServingStatus.SERVING);
  }

  @Test
  void start_onAPortInUse_saysSo() throws Exception {
    LocalFileStore store = LocalFileStore.open(root);
    assertThatThrownBy(
            () ->
                GrpcFilesServer.start(store, "127.0.0.1", server.port(), ServerSettings.defaults())
                    .close())
        .isInstanceOfSatisfying(
            FerryException.class, e -> assertThat(e.kind()).isEqualTo(ErrorKind.UNAVAILABLE))
        .hasMessageContaining(":" + server.port() + ": another program listens there");
  }
}
