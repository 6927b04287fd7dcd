package dev.ferry.cli.hostile;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ferry.library.FerryClient;
import dev.ferry.library.Protocol;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * The suite {@code hostile}: one kind of attack after another beside one good client, on a server
 * of loopback that this starts itself. The good client has to be served; how soon is in the table,
 * which {@code tools/hostile.sh} prints.
 */
@EnabledIfSystemProperty(named = "ferry.thorough", matches = "true")
@EnabledOnOs(OS.LINUX)
@Timeout(1_800)
@Execution(ExecutionMode.CONCURRENT)
final class HostileClientsTest {
  private static final int SECONDS = Integer.getInteger("ferry.hostile.seconds", 1);

  /** Seconds after the last attack before the memory is read again. */
  private static final int QUIET_SECONDS = Integer.getInteger("ferry.hostile.quiet", 0);

  /** A part of the names of the attacks that are made. */
  private static final String ONLY = System.getProperty("ferry.hostile.only", "");

  private static final int PAUSE_MILLIS = 20;
  private static final int DESCRIPTORS_OF_THE_GOOD = 16;

  @TempDir Path root;
  @TempDir Path local;
  private final List<String> failures = new ArrayList<>();

  /** How much of the server's log has been read. Clients make it say nothing. */
  private int read;

  @Test
  void attacks_ofEachKind_othersAreServed() throws Exception {
    try (HostileServer server = new HostileServer(root, local)) {
      // The JVM warms up.
      for (int i = 0; i < 20; i++) {
        new GoodClient(server).round();
      }
      long descriptors = server.descriptors();
      System.out.println(
          "| attack, "
              + SECONDS
              + " s each | clients | median, ms | worst, ms | served | failures"
              + " | MiB before | most | threads | descriptors |\n"
              + "|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|");
      attack(server, new Attack("none", 0, (attacker, client) -> attacker.hold()));
      List<Attack> attacks =
          Attack.all().stream().filter(attack -> attack.name().contains(ONLY)).toList();
      assertThat(attacks).isNotEmpty();
      try (FerryClient attacker =
          FerryClient.builder("ferry://127.0.0.1:" + server.grpc())
              .protocol(Protocol.GRPC)
              .token(server.attackersToken())
              .connect()) {
        // What it asks for is there, and it may have it.
        assertThat(attacker.list("many")).hasSize(HostileServer.MANY);
        assertThat(attacker.stat("zip/zeros").size()).isPositive();
      }
      for (Attack attack : attacks) {
        attack(server, attack);
      }
      TimeUnit.SECONDS.sleep(QUIET_SECONDS);
      System.out.printf(Locale.ROOT, "%d MiB after %d s at rest%n", server.memory(), QUIET_SECONDS);
      while (server.descriptors() > descriptors + DESCRIPTORS_OF_THE_GOOD) {
        // The server has connections of attackers yet. The time limit of the test ends this.
        Thread.sleep(PAUSE_MILLIS);
      }
      assertThat(server.isAlive()).isTrue();
    }
    assertThat(failures).isEmpty();
    assertThat(Files.readString(root.resolve("small"))).isEqualTo("small");
  }

  private void attack(HostileServer server, Attack attack) throws Exception {
    long before = server.memory();
    long memory = before;
    long threads = 0;
    long descriptors = 0;
    GoodClient good = new GoodClient(server);
    List<Thread> clients = new ArrayList<>();
    try (Attacker attacker = new Attacker(server)) {
      for (int i = 0; i < attack.clients(); i++) {
        int client = i;
        Thread thread = new Thread(() -> repeat(attack, attacker, client), "attack-" + i);
        thread.setDaemon(true);
        thread.start();
        clients.add(thread);
      }
      long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS);
      do {
        good.round();
        memory = Math.max(memory, server.memory());
        threads = Math.max(threads, server.threads());
        descriptors = Math.max(descriptors, server.descriptors());
        Thread.sleep(PAUSE_MILLIS);
      } while (System.nanoTime() < end);
    }
    for (Thread client : clients) {
      client.join();
    }
    good.failures().forEach(failure -> failures.add(attack.name() + ": " + failure));
    String log = Files.readString(local.resolve("log"));
    log.substring(read).lines().forEach(line -> failures.add(attack.name() + ": log: " + line));
    read = log.length();
    System.out.printf(
        Locale.ROOT,
        "| %s | %d | %.1f | %.0f | %d | %d | %d | %d | %d | %d |%n",
        attack.name(),
        attack.clients(),
        good.median(),
        good.worst(),
        good.count(),
        good.failures().size(),
        before,
        memory,
        threads,
        descriptors);
  }

  private static void repeat(Attack attack, Attacker attacker, int client) {
    while (!attacker.isOver()) {
      try {
        attack.step().run(attacker, client);
      } catch (IOException e) {
        // The server may end connections. It is attacked again.
        pause(attacker);
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }
  }

  private static void pause(Attacker attacker) {
    try {
      attacker.rest(PAUSE_MILLIS);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
