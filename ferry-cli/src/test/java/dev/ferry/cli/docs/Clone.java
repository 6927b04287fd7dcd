package dev.ferry.cli.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ferry.cli.Main;
import dev.ferry.cli.Outcome;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A folder in which the commands of the documents run as in a clone of the repository. A command of
 * a client runs in a process that waits for it there, since many start a JVM too often; a server
 * runs in the background until another one is started. Both get the ports of that server in place
 * of the default ports.
 */
final class Clone implements AutoCloseable {
  private final Path folder;
  private final Path state;
  private final Process client;

  /** Starts the process that waits for commands. */
  Clone(Path folder) throws IOException, InterruptedException {
    this.folder = folder;
    state = Files.createDirectory(folder.resolve(".clone"));
    Path ferry =
        Files.writeString(
            folder.resolve("ferry"),
            """
            #!/bin/bash
            at='%s'
            ferry=('%s' -XX:TieredStopAtLevel=1 -cp '%s' %s)
            if [ "$1" = serve ] && [[ "$*" != *--init* ]]; then
              [ "$*" = "$(cat "$at/served" 2>/dev/null)" ] && exit
              [ -e "$at/server" ] && kill -9 "$(cat "$at/server")"
              echo "$*" >"$at/served"
              : >"$at/log"
              FERRY_GRPC_PORT=0 FERRY_HTTP_PORT=0 "${ferry[@]}" "$@" >"$at/log" 2>&1 </dev/null &
              echo $! >"$at/server"
              until grep -Eq '^http  [^ ]+  ' "$at/log"; do
                kill -0 "$(cat "$at/server")" || { cat "$at/log"; exit 1; }
                sleep 0.05
              done
              for port in grpc http; do
                sed -En "s/^$port  (https?:..)?[^:]*:([0-9]+).*/\\\\2/p" "$at/log" >"$at/$port"
              done
              exit
            fi
            arguments=()
            for argument; do
              [ "$before" = --server ] && argument+=:$(cat "$at/grpc")
              arguments+=("${argument/#ferry:\\/\\/127.0.0.1\\//ferry://127.0.0.1:$(cat "$at/http")/}")
              before=$argument
            done
            port=http
            [[ "$*" =~ grpc|zstd ]] && port=grpc
            case $1 in
            get | put | ls | cat | stat | mv | rm | mkdir)
              [[ "$*" =~ ://|--server ]] || arguments+=(--server "127.0.0.1:$(cat "$at/$port")") ;;
            esac
            [[ " $* " = *' - '* || $1 = cat ]] && exec "${ferry[@]}" "${arguments[@]}"
            printf '%%s\\n' "${arguments[@]}" >"$at/command"
            code=$(cat "$at/code")
            cat "$at/out"
            cat "$at/err" >&2
            exit "$code"
            """
                .formatted(
                    state, java(), System.getProperty("java.class.path"), Main.class.getName()));
    assertThat(ferry.toFile().setExecutable(true)).isTrue();
    for (String pipe : List.of("command", "code")) {
      assertThat(new ProcessBuilder("mkfifo", state.resolve(pipe).toString()).start().waitFor())
          .isZero();
    }
    client =
        shell(
                java(),
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                Clone.class.getName(),
                state.toString())
            .redirectErrorStream(true)
            .redirectOutput(state.resolve("client").toFile())
            .start();
  }

  /** Runs each command that the script sends, until it is killed. */
  public static void main(String[] args) throws IOException {
    Path state = Path.of(args[0]);
    while (true) {
      List<String> command;
      try (BufferedReader pipe = Files.newBufferedReader(state.resolve("command"))) {
        command = pipe.lines().toList();
      }
      Outcome outcome = Outcome.of(command.toArray(String[]::new));
      Files.writeString(state.resolve("out"), outcome.out());
      Files.writeString(state.resolve("err"), outcome.err());
      Files.writeString(state.resolve("code"), Integer.toString(outcome.exitCode()));
    }
  }

  static String java() {
    return ProcessHandle.current().info().command().orElseThrow();
  }

  private ProcessBuilder shell(String... command) {
    ProcessBuilder builder = new ProcessBuilder(command).directory(folder.toFile());
    builder.environment().put("FERRY_CONFIG", "");
    builder.environment().put("XDG_STATE_HOME", state.toString());
    return builder;
  }

  /** Runs lines of a document in bash until one fails, and returns what they print. */
  String run(List<String> lines) throws Exception {
    String script =
        String.join("\n", lines)
            .replace("http://127.0.0.1:7080", "http://127.0.0.1:$(cat .clone/http)");
    Process bash =
        shell("bash", "-e", "-o", "pipefail", "-c", script).redirectErrorStream(true).start();
    bash.outputWriter().close();
    String output = new String(bash.getInputStream().readAllBytes());
    assertThat(bash.waitFor(1, TimeUnit.MINUTES)).as(script).isTrue();
    assertThat(bash.exitValue()).as("%s\n%s", script, output).isZero();
    return output;
  }

  /** The port of gRPC of the server that was started last. */
  String grpcPort() throws IOException {
    return Files.readString(state.resolve("grpc")).strip();
  }

  @Override
  public void close() throws Exception {
    client.destroyForcibly().waitFor();
    Path server = state.resolve("server");
    if (Files.exists(server)) {
      ProcessHandle.of(Long.parseLong(Files.readString(server).strip()))
          .ifPresent(ProcessHandle::destroyForcibly);
    }
  }
}
