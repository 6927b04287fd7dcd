package dev.ferry.suites.url;

import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.DescriptorProtos.FileDescriptorSet;
import com.google.protobuf.DescriptorProtos.ServiceDescriptorProto;
import com.google.protobuf.Descriptors.DescriptorValidationException;
import com.google.protobuf.Descriptors.FileDescriptor;
import com.google.protobuf.Descriptors.MethodDescriptor;
import com.google.protobuf.Descriptors.ServiceDescriptor;
import com.google.protobuf.InvalidProtocolBufferException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The files with the schema of a server, of which some import others. */
final class GrpcSchema {
  private final String origin;
  private final Source source;
  private final Map<String, FileDescriptorProto> files = new LinkedHashMap<>();
  private final Map<String, FileDescriptor> built = new HashMap<>();

  /** Gives files that are not known yet. */
  @FunctionalInterface
  interface Source {
    /**
     * Returns the file of a name, with others perhaps.
     *
     * @throws IOException if it has none, in one line
     */
    List<FileDescriptorProto> load(String name) throws IOException;
  }

  /**
   * Creates a schema.
   *
   * @param origin whose schema it is, for failures
   * @param known the files to begin with
   * @param source gives those that they import
   */
  GrpcSchema(String origin, List<FileDescriptorProto> known, Source source) {
    this.origin = origin;
    this.source = source;
    add(known);
  }

  /**
   * Reads the schema that {@code protoc --include_imports -o} has written.
   *
   * @throws IOException if the file cannot be read, or is none, in one line
   */
  static GrpcSchema read(Path file) throws IOException {
    FileDescriptorSet set;
    try {
      set = FileDescriptorSet.parseFrom(Files.readAllBytes(file));
    } catch (InvalidProtocolBufferException e) {
      throw new IOException(file + " is not a set of descriptors; make it by protoc -o FILE", e);
    } catch (IOException e) {
      throw new IOException(file + " cannot be read", e);
    }
    return new GrpcSchema(
        file.toString(),
        set.getFileList(),
        name -> {
          throw new IOException(
              file + " has no file " + name + "; make it by protoc --include_imports -o FILE");
        });
  }

  /** Returns the files that a method needs, as {@link #read} reads them. */
  static FileDescriptorSet of(MethodDescriptor method) {
    Map<String, FileDescriptor> files = new LinkedHashMap<>();
    collect(method.getFile(), files);
    FileDescriptorSet.Builder set = FileDescriptorSet.newBuilder();
    files.values().forEach(file -> set.addFile(file.toProto()));
    return set.build();
  }

  private static void collect(FileDescriptor file, Map<String, FileDescriptor> files) {
    if (files.putIfAbsent(file.getName(), file) == null) {
      file.getDependencies().forEach(each -> collect(each, files));
    }
  }

  private void add(List<FileDescriptorProto> more) {
    more.forEach(file -> files.put(file.getName(), file));
  }

  /**
   * Returns a method.
   *
   * @throws IOException if there is none, or the schema is wrong, in one line
   */
  MethodDescriptor method(GrpcAddress address) throws IOException {
    ServiceDescriptor service = service(address.service());
    if (service == null) {
      throw new IOException(
          "%s: %s has no service %s".formatted(address, origin, address.service()));
    }
    MethodDescriptor method = service.findMethodByName(address.method());
    if (method == null) {
      throw new IOException(
          "%s: the service has no method %s, but %s"
              .formatted(
                  address,
                  address.method(),
                  String.join(
                      ", ",
                      service.getMethods().stream().map(MethodDescriptor::getName).toList())));
    }
    return method;
  }

  private @Nullable ServiceDescriptor service(String name) throws IOException {
    for (FileDescriptorProto file : List.copyOf(files.values())) {
      String start = file.getPackage().isEmpty() ? "" : file.getPackage() + ".";
      for (ServiceDescriptorProto service : file.getServiceList()) {
        if (name.equals(start + service.getName())) {
          return build(file.getName(), new HashSet<>()).findServiceByName(service.getName());
        }
      }
    }
    return null;
  }

  /**
   * Builds a file and those that it imports.
   *
   * @param within the files that import it
   */
  private FileDescriptor build(String name, Set<String> within) throws IOException {
    FileDescriptor done = built.get(name);
    if (done != null) {
      return done;
    }
    if (!within.add(name)) {
      throw new IOException(origin + " has a file " + name + " that imports itself");
    }
    if (!files.containsKey(name)) {
      add(source.load(name));
    }
    FileDescriptorProto file = files.get(name);
    if (file == null) {
      throw new IOException(origin + " does not have its own file " + name);
    }
    List<FileDescriptor> imports = new ArrayList<>();
    for (String each : file.getDependencyList()) {
      imports.add(build(each, within));
    }
    within.remove(name);
    try {
      done = FileDescriptor.buildFrom(file, imports.toArray(FileDescriptor[]::new));
    } catch (DescriptorValidationException e) {
      throw new IOException(origin + " has a wrong schema: " + e.getMessage(), e);
    }
    built.put(name, done);
    return done;
  }
}
