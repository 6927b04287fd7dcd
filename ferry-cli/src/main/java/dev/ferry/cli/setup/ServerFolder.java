package dev.ferry.cli.setup;

import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.net.CallersFile;
import dev.ferry.net.ClientTls;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A folder with the certificate of a new server and its key, both in PEM form, and its callers.
 *
 * @param certificate the file of the certificate
 * @param key the file of the key, which only its owner can read
 * @param callers the file of the callers, of which there is one
 * @param token the token of the caller, which may do all
 * @param names the hosts of the certificate; clients are told the first
 * @param pin the pin of the key
 */
public record ServerFolder(
    Path certificate, Path key, Path callers, String token, List<String> names, String pin) {
  private static final String CALLER = "owner";
  private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9_./:@%+=,-]+");
  private static final int PEM_COLUMNS = 64;

  /**
   * Makes the folder if it does not exist, and its files.
   *
   * @param javaHome the folder of the JDK, whose keytool makes the certificate
   * @param hostNames names for the certificate beside those of this machine
   * @throws IOException if one of the files exists, or none can be made; nothing is left then
   * @throws IllegalArgumentException if one of the host names cannot stand in a certificate
   */
  public static ServerFolder make(Path folder, Path javaHome, List<String> hostNames)
      throws IOException, InterruptedException {
    Path certificate = folder.resolve("cert.pem");
    Path key = folder.resolve("key.pem");
    Path callers = folder.resolve("callers");
    for (Path file : List.of(certificate, key, callers)) {
      if (Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
        throw new FerryException(
            ErrorKind.ALREADY_EXISTS, file + ": exists; name another folder, or delete it first");
      }
    }
    List<String> names = HostNames.with(hostNames);
    if (!Files.isDirectory(folder)) {
      Files.createDirectories(folder);
    }
    Path work = Files.createTempDirectory(folder, ".ferry-init-");
    try {
      SelfSigned made = SelfSigned.make(javaHome, work, names);
      Path madeKey = work.resolve("key.pem");
      Files.createFile(madeKey, ownerOnly(madeKey));
      Files.writeString(madeKey, pem("PRIVATE KEY", made.key().getEncoded()));
      Path madeCertificate = work.resolve("cert.pem");
      Files.writeString(madeCertificate, pem("CERTIFICATE", made.encodedCertificate()));
      Path madeCallers = work.resolve("callers");
      String token = CallersFile.addToken(madeCallers, CALLER, List.of("all:/"));
      List<Path> moved = new ArrayList<>();
      try {
        for (Path file : List.of(madeKey, madeCallers, madeCertificate)) {
          moved.add(Files.move(file, folder.resolve(file.getFileName())));
        }
      } catch (IOException e) {
        for (Path file : moved) {
          Files.delete(file);
        }
        throw e;
      }
      String pin = ClientTls.pin(made.certificate());
      return new ServerFolder(certificate, key, callers, token, names, pin);
    } finally {
      delete(work);
    }
  }

  private static FileAttribute<?>[] ownerOnly(Path file) {
    return file.getFileSystem().supportedFileAttributeViews().contains("posix")
        ? new FileAttribute<?>[] {
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"))
        }
        : new FileAttribute<?>[0];
  }

  private static String pem(String type, byte[] der) {
    String text = Base64.getMimeEncoder(PEM_COLUMNS, new byte[] {'\n'}).encodeToString(der);
    return "-----BEGIN " + type + "-----\n" + text + "\n-----END " + type + "-----\n";
  }

  private static void delete(Path work) throws IOException {
    List<Path> files;
    try (Stream<Path> found = Files.list(work)) {
      files = found.toList();
    }
    for (Path file : files) {
      Files.delete(file);
    }
    Files.delete(work);
  }

  /**
   * Prints what was made, the command that starts the server, and one for its clients, with the
   * token.
   *
   * @param served the folder to serve
   * @param host the address to listen on
   * @param hostNames the names that the server is to be told
   */
  public void print(PrintWriter out, Path served, String host, List<String> hostNames) {
    StringBuilder options = new StringBuilder();
    for (String name : hostNames) {
      options.append(" --host-name ").append(quoted(name));
    }
    out.println("made    " + certificate + ", " + key + ", " + callers);
    out.println(
        "server  ferry serve "
            + quoted(served.toString())
            + " --host "
            + quoted(host)
            + options
            + " --tls-cert "
            + quoted(certificate.toString())
            + " --tls-key "
            + quoted(key.toString())
            + " --callers "
            + quoted(callers.toString()));
    out.println(
        "client  FERRY_TOKEN=" + token + " ferry ls --server " + server() + " --tls --pin " + pin);
    out.flush();
  }

  private String server() {
    String name = names.get(0);
    return name.indexOf(':') >= 0 ? "'[" + name + "]'" : name;
  }

  /** Quotes an argument for a shell if it needs it. */
  private static String quoted(String argument) {
    return PLAIN.matcher(argument).matches()
        ? argument
        : "'" + argument.replace("'", "'\\''") + "'";
  }
}
