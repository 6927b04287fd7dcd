package dev.ferry.cli.setup;

import dev.ferry.cli.program.TemporaryFolder;
import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.wire.CallersFile;
import dev.ferry.wire.ClientTls;
import dev.ferry.wire.internal.FileModes;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Deque;
import java.util.List;
import java.util.regex.Pattern;

/**
 * A folder with the certificate of a new server and its key, both in PEM form, its callers, and the
 * token of the only one.
 *
 * @param certificate the file of the certificate
 * @param key the file of the key, which only its owner can read
 * @param callers the file of the callers, of which there is one
 * @param token the file with the token of the caller, which may do all; only its owner can read it
 * @param names the hosts of the certificate; clients are told the first
 * @param pin the pin of the key
 */
public record ServerFolder(
    Path certificate, Path key, Path callers, Path token, List<String> names, String pin) {
  private static final String CALLER = "owner";
  private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9_./:@%+=,-]+");
  private static final int PEM_COLUMNS = 64;

  private ServerFolder(Path folder, List<String> names, String pin) {
    this(
        folder.resolve("cert.pem"),
        folder.resolve("key.pem"),
        folder.resolve("callers"),
        folder.resolve(CALLER + ".token"),
        names,
        pin);
  }

  private List<Path> files() {
    return List.of(key, token, callers, certificate);
  }

  /**
   * Makes the folder if it does not exist, for its owner alone, and its files.
   *
   * @param javaHome the folder of the JDK, whose keytool makes the certificate
   * @param hostNames names for the certificate beside {@code localhost}
   * @throws IOException if one of the files exists, or one cannot be made; none of them and no new
   *     folder is left then
   * @throws IllegalArgumentException if one of the host names cannot stand in a certificate
   */
  public static ServerFolder make(Path folder, Path javaHome, List<String> hostNames)
      throws IOException, InterruptedException {
    List<String> names = HostNames.with(hostNames);
    for (Path file : new ServerFolder(folder, names, "").files()) {
      if (Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
        throw new FerryException(
            ErrorKind.ALREADY_EXISTS, file + ": exists; name another folder, or delete it first");
      }
    }
    Deque<Path> newFolders = new ArrayDeque<>();
    try {
      createFolders(folder, newFolders);
      return fill(folder, javaHome, names);
    } catch (IOException | InterruptedException | RuntimeException e) {
      for (Path made : newFolders) {
        Files.deleteIfExists(made);
      }
      throw e;
    }
  }

  /** Creates a folder and those above it, and notes each before those above it. */
  private static void createFolders(Path folder, Deque<Path> created) throws IOException {
    if (Files.isDirectory(folder)) {
      return;
    }
    Path above = folder.toAbsolutePath().getParent();
    if (above != null) {
      createFolders(above, created);
    }
    FileModes.createPrivateFolder(folder);
    created.push(folder);
  }

  private static ServerFolder fill(Path folder, Path javaHome, List<String> names)
      throws IOException, InterruptedException {
    Path work = Files.createTempDirectory(folder, ".ferry-init-");
    try {
      SelfSigned own = SelfSigned.make(javaHome, work, names);
      String pin = ClientTls.pin(own.certificate());
      ServerFolder made = new ServerFolder(work, names, pin);
      FileModes.createPrivate(made.key);
      FileModes.write(made.key, pem("PRIVATE KEY", own.key().getEncoded()));
      FileModes.write(made.certificate, pem("CERTIFICATE", own.encodedCertificate()));
      FileModes.createPrivate(made.token);
      FileModes.write(
          made.token, List.of(CallersFile.addToken(made.callers, CALLER, List.of("all:/"))));
      move(made.files(), folder);
      return new ServerFolder(folder, names, pin);
    } finally {
      new TemporaryFolder(work).delete();
    }
  }

  private static void move(List<Path> files, Path folder) throws IOException {
    List<Path> moved = new ArrayList<>();
    try {
      for (Path file : files) {
        moved.add(Files.move(file, folder.resolve(file.getFileName())));
      }
    } catch (IOException e) {
      for (Path file : moved) {
        Files.delete(file);
      }
      throw e;
    }
  }

  private static List<String> pem(String type, byte[] der) {
    String text = Base64.getMimeEncoder(PEM_COLUMNS, new byte[] {'\n'}).encodeToString(der);
    return List.of("-----BEGIN " + type + "-----", text, "-----END " + type + "-----");
  }

  /**
   * Prints what was made, the command that starts the server, and one for its clients. The token is
   * only in its file, since terminals are recorded and shells keep a history.
   *
   * @param served the folder to serve, or the address of a store
   * @param host the address to listen on
   * @param hostNames the names that the server is to be told
   */
  public void print(PrintWriter out, String served, String host, List<String> hostNames) {
    StringBuilder options = new StringBuilder();
    for (String name : hostNames) {
      options.append(" --host-name ").append(quoted(name));
    }
    out.println("made    " + certificate + ", " + key + ", " + callers + ", " + token);
    out.println(
        "server  ferry serve "
            + quoted(served)
            + " --host "
            + quoted(host)
            + options
            + " --tls-cert "
            + quoted(certificate.toString())
            + " --tls-key "
            + quoted(key.toString())
            + " --users "
            + quoted(callers.toString()));
    out.println(
        "client  ferry ls --server "
            + server()
            + " --token-file "
            + quoted(token.toString())
            + " --tls --pin "
            + pin);
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
