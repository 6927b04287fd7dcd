package dev.ferry.grpc.internal;

import dev.ferry.contract.v1.DeleteRequest;
import dev.ferry.contract.v1.FilesGrpc;
import dev.ferry.contract.v1.MakeDirectoryRequest;
import dev.ferry.contract.v1.MakeLinkRequest;
import dev.ferry.contract.v1.MoveRequest;
import dev.ferry.core.FerryException;
import dev.ferry.core.StorePath;
import org.jspecify.annotations.Nullable;

/** The calls of a client that change names in the store. */
record NameCalls(FileCalls calls) {
  /** See {@link dev.ferry.core.Carrier#delete}. */
  void delete(StorePath path, @Nullable String version) throws FerryException {
    DeleteRequest.Builder request = DeleteRequest.newBuilder().setPath(path.value());
    if (version != null) {
      request.setVersion(version);
    }
    calls.change(FilesGrpc.getDeleteMethod(), request.build(), path);
  }

  /** See {@link dev.ferry.core.Carrier#move}. */
  void move(StorePath source, StorePath target, boolean replace) throws FerryException {
    MoveRequest request =
        MoveRequest.newBuilder()
            .setPath(source.value())
            .setTarget(target.value())
            .setReplace(replace)
            .build();
    calls.change(FilesGrpc.getMoveMethod(), request, source);
  }

  /** See {@link dev.ferry.core.Carrier#makeDirectory}. */
  void makeDirectory(StorePath path, boolean parents) throws FerryException {
    MakeDirectoryRequest request =
        MakeDirectoryRequest.newBuilder().setPath(path.value()).setMakeParents(parents).build();
    calls.change(FilesGrpc.getMakeDirectoryMethod(), request, path);
  }

  /** See {@link dev.ferry.core.Carrier#makeLink}. */
  void makeLink(StorePath path, String target, boolean replace) throws FerryException {
    MakeLinkRequest request =
        MakeLinkRequest.newBuilder()
            .setPath(path.value())
            .setTarget(target)
            .setReplace(replace)
            .build();
    calls.change(FilesGrpc.getMakeLinkMethod(), request, path);
  }
}
