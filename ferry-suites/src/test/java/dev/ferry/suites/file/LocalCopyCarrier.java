package dev.ferry.suites.file;

import dev.ferry.core.CallLimits;
import dev.ferry.core.Digest;
import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileFacts;
import dev.ferry.core.Listing;
import dev.ferry.core.StorePath;
import dev.ferry.core.StubCarrier;
import dev.ferry.core.Transfer;
import dev.ferry.core.TransferOptions;
import dev.ferry.core.local.LocalFileStore;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** A carrier that copies files on one disk. */
final class LocalCopyCarrier extends StubCarrier {
  private final LocalFileStore store;
  private final String method;
  private final int port;

  LocalCopyCarrier(Path root, String method, int port) throws FerryException {
    this.store = LocalFileStore.open(root);
    this.method = method;
    this.port = port;
  }

  @Override
  public Transfer download(StorePath path, Path target, TransferOptions options)
      throws FerryException {
    return copy(store.root().resolve(path.value()), target);
  }

  @Override
  public Transfer upload(Path source, StorePath path, TransferOptions options)
      throws FerryException {
    return copy(source, store.root().resolve(path.value()));
  }

  private Transfer copy(Path from, Path to) throws FerryException {
    try {
      if (method.equals(LocalCopySuite.ENDLESS)) {
        Thread.sleep(Long.MAX_VALUE);
      }
      if (method.equals(LocalCopySuite.SILENT)) {
        waitForTheServersEnd();
      }
      Files.copy(from, to);
      if (method.equals(LocalCopySuite.CORRUPT)) {
        corrupt(to);
      }
      String protocol = method.equals(LocalCopySuite.MISLABELLED) ? "pigeon" : "file";
      long size = Files.size(to);
      FileFacts facts =
          new FileFacts(
              to.toString(), size, Files.getLastModifiedTime(to).toInstant(), false, null);
      return new Transfer(facts, size, protocol, "identity");
    } catch (IOException e) {
      throw FerryException.of(e, from.toString());
    } catch (InterruptedException e) {
      throw new FerryException(ErrorKind.CANCELLED, "interrupted", e);
    }
  }

  private void waitForTheServersEnd() throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      Files.createFile(store.root().resolve(LocalCopySuite.WAITING));
      throw new EOFException("the server said " + socket.getInputStream().read());
    }
  }

  private static void corrupt(Path file) throws IOException {
    byte[] bytes = Files.readAllBytes(file);
    bytes[bytes.length / 2] ^= 1;
    Files.write(file, bytes, StandardOpenOption.TRUNCATE_EXISTING);
  }

  @Override
  public FileFacts stat(StorePath path, Digest.@Nullable Algorithm digest, CallLimits limits)
      throws FerryException {
    return digest == null ? store.stat(path, false) : store.stat(path, digest);
  }

  @Override
  public boolean list(
      StorePath directory, boolean tree, Predicate<FileFacts> entries, CallLimits limits)
      throws FerryException {
    try (Listing listing = tree ? store.listTree(directory) : store.list(directory)) {
      FileFacts entry = listing.next();
      while (entry != null && entries.test(entry)) {
        entry = listing.next();
      }
      return true;
    }
  }
}
