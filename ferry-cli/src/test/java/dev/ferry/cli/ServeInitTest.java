package dev.ferry.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ferry.cli.client.CarrierChoice;
import dev.ferry.cli.setup.ServerFolder;
import dev.ferry.core.FerryException;
import dev.ferry.core.local.LocalFileStore;
import dev.ferry.wire.CallersFile;
import dev.ferry.wire.ClientTls;
import dev.ferry.wire.ServerSettings;
import dev.ferry.wire.ServerTls;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.cert.X509Certificate;
import java.security.interfaces.ECPublicKey;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code ferry serve --init}. */
@Timeout(300)
final class ServeInitTest {
  @TempDir Path root;
  @TempDir Path local;

  private static List<Path> filesIn(Path folder) throws Exception {
    try (Stream<Path> files = Files.list(folder)) {
      return files.sorted().toList();
    }
  }

  @Test
  void init_newFolder_hasWhatServerAndClientNeed() throws Exception {
    Path folder = local.resolve("etc/ferry");
    Path cert = folder.resolve("cert.pem");
    Path key = folder.resolve("key.pem");
    Path callers = folder.resolve("callers");
    Path token = folder.resolve("owner.token");
    Files.writeString(root.resolve("f"), "contents");

    Outcome init =
        Outcome.of(
            "serve",
            root.toString(),
            "--init=" + folder,
            "--host-name=files.example.org",
            "--host-name=[2001:db8::1]");

    assertThat(init.err()).isEmpty();
    assertThat(init.exitCode()).isZero();
    assertThat(filesIn(folder)).containsExactly(callers, cert, key, token);
    for (Path secret : List.of(key, token)) {
      assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(secret)))
          .isEqualTo("rw-------");
    }
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(folder)))
        .isEqualTo("rwx------");
    ServerTls tls = ServerTls.load(cert, key);
    X509Certificate own = tls.certificates().get(0);
    String pin = ClientTls.pin(own);
    assertThat(init.out().lines())
        .containsExactly(
            "made    " + cert + ", " + key + ", " + callers + ", " + token,
            "server  ferry serve "
                + root
                + " --host 0.0.0.0 --host-name files.example.org --host-name '[2001:db8::1]'"
                + " --tls-cert "
                + cert
                + " --tls-key "
                + key
                + " --users "
                + callers,
            "client  ferry ls --server files.example.org --token-file "
                + token
                + " --tls --pin "
                + pin);
    assertThat(((ECPublicKey) own.getPublicKey()).getParams().getOrder().bitLength())
        .isEqualTo(256);
    assertThat(own.getSubjectAlternativeNames().stream().map(name -> String.valueOf(name.get(1))))
        .containsExactly("files.example.org", "2001:db8:0:0:0:0:0:1", "localhost");
    assertThat(own.getNotAfter().toInstant()).isAfter(Instant.now().plus(3649, ChronoUnit.DAYS));
    try (Servers servers =
        Servers.start(
            LocalFileStore.open(root),
            ServerSettings.defaults().withTls(tls).withCallers(CallersFile.open(callers)))) {
      for (CarrierChoice carrier : CarrierChoice.values()) {
        for (String trust : List.of("--pin=" + pin, "--ca=" + cert)) {
          Outcome list =
              Outcome.of(
                  "ls",
                  "--server=localhost:" + servers.port(carrier),
                  "--carrier=" + carrier,
                  "--tls",
                  "--token-file=" + token,
                  trust);
          assertThat(list.err()).isEmpty();
          assertThat(list.out()).contains("  f");
        }
      }
    }
  }

  @Test
  void init_overOneOfItsFiles_changesNothing() throws Exception {
    Path key = Files.writeString(local.resolve("key.pem"), "mine");
    Outcome init = Outcome.of("serve", root.toString(), "--init=" + local);
    assertThat(init)
        .isEqualTo(
            new Outcome(
                4,
                "",
                "ferry serve: "
                    + key
                    + ": exists; name another folder, or delete it first"
                    + System.lineSeparator()));
    assertThat(filesIn(local)).containsExactly(key);
    assertThat(key).hasContent("mine");
  }

  @Test
  void init_hostNameThatNoCertificateTakes_isWrongUse() throws Exception {
    Outcome init = Outcome.of("serve", "--init=" + local, "--host-name=a_b.example");
    assertThat(init.exitCode()).isEqualTo(2);
    assertThat(init.err())
        .startsWith("ferry serve: --host-name: 'a_b.example' cannot be used in a certificate; ");
    assertThat(filesIn(local)).isEmpty();
  }

  @Test
  void make_byAJavaWithoutKeytool_saysSoAndLeavesNothing() throws Exception {
    for (Path folder : List.of(local, local.resolve("new/folder"))) {
      assertThatThrownBy(() -> ServerFolder.make(folder, root, List.of()))
          .isInstanceOf(FerryException.class)
          .hasMessage(
              root.resolve("bin/keytool")
                  + ": cannot be run; use a JDK that has it, or give your own certificate with"
                  + " --tls-cert and --tls-key");
      assertThat(filesIn(local)).isEmpty();
    }
  }

  @Test
  void init_inTheServedFolder_isWrongUse() throws Exception {
    for (Path folder : List.of(root, root.resolve("conf/ferry"))) {
      Outcome init = Outcome.of("serve", root.toString(), "--init=" + folder);
      assertThat(init)
          .isEqualTo(
              new Outcome(
                  2,
                  "",
                  "ferry serve: --init: "
                      + folder
                      + " is in the folder to serve, "
                      + root.toRealPath()
                      + "; keep it where no client reaches it; try 'ferry serve --help'"
                      + System.lineSeparator()));
    }
    assertThat(filesIn(root)).isEmpty();
  }
}
