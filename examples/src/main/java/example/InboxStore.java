package example;

import dev.ferry.core.CreateOptions;
import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileFacts;
import dev.ferry.core.FileSink;
import dev.ferry.core.FileSource;
import dev.ferry.core.FileStore;
import dev.ferry.core.Listing;
import dev.ferry.core.StorePath;

/**
 * A store of one's own: it takes new files, and neither shows nor replaces those that it has.
 *
 * @param store where the files go
 */
public record InboxStore(FileStore store) implements FileStore {
  @Override
  public boolean isRemote() {
    return store.isRemote();
  }

  @Override
  public FileStore heldBy(String holder) {
    return new InboxStore(store.heldBy(holder));
  }

  @Override
  public FileSink create(StorePath path, CreateOptions options) throws FerryException {
    return store.create(path, options.withCreateOnly(true));
  }

  @Override
  public FileFacts stat(StorePath path, boolean digest) throws FerryException {
    throw hidden(path);
  }

  @Override
  public Listing list(StorePath directory) throws FerryException {
    throw hidden(directory);
  }

  @Override
  public FileSource open(StorePath path) throws FerryException {
    throw hidden(path);
  }

  private static FerryException hidden(StorePath path) {
    return new FerryException(ErrorKind.NOT_FOUND, path + ": this server takes files only");
  }
}
