package dev.ferry.http;

import dev.ferry.core.Carrier;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileFacts;
import dev.ferry.core.StorePath;
import dev.ferry.core.Transfer;
import dev.ferry.core.TransferOptions;
import java.nio.file.Path;
import java.util.List;

/** Files over java.net.http, HTTP/1.1. */
public final class JdkHttpCarrier implements Carrier {
  /** Connects, lazily, in plain text. */
  public static JdkHttpCarrier connect(String host, int port) {
    throw new UnsupportedOperationException();
  }

  @Override
  public Transfer download(StorePath path, Path target, TransferOptions options)
      throws FerryException {
    throw new UnsupportedOperationException();
  }

  @Override
  public Transfer upload(Path source, StorePath path, TransferOptions options)
      throws FerryException {
    throw new UnsupportedOperationException();
  }

  @Override
  public FileFacts stat(StorePath path, boolean digest) throws FerryException {
    throw new UnsupportedOperationException();
  }

  @Override
  public List<FileFacts> list(StorePath directory) throws FerryException {
    throw new UnsupportedOperationException();
  }

  @Override
  public void close() {}
}
