package dev.ferry.cli;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaPackage;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The rules that ARCHITECTURE.md draws, held by every build. */
final class ArchitectureTest {
  private static final List<String> GENERATED = List.of("dev.ferry.contract.v1", "jmh_generated");

  /** The way of the data through the lab. */
  private static final List<String> LAB_FLOW =
      List.of("rival", "suite", "ceiling", "run", "stats", "verdict", "report");

  private static final JavaClasses CLASSES =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .importPackages("dev.ferry");

  @Test
  void classes_ofEveryModule_areSeen() {
    assertThat(CLASSES.stream().map(c -> c.getPackageName().split("\\.", -1)[2]))
        .contains(
            "core", "compress", "contract", "net", "grpc", "http", "calls", "web", "lab", "cli");
  }

  @ParameterizedTest
  @CsvSource({
    "core, io.netty.. | io.grpc.. | java.net.http.. | reactor.. | com.sun.net.httpserver.. | org.apache.hc..",
    "core, dev.ferry.compress.. | dev.ferry.contract.. | dev.ferry.grpc.. | dev.ferry.http.. | dev.ferry.lab..",
    "compress, io.netty.. | io.grpc.. | java.net.http.. | dev.ferry.contract.. | dev.ferry.grpc..",
    "compress, dev.ferry.http.. | dev.ferry.lab.. | dev.ferry.cli..",
    "contract, dev.ferry.compress..",
    "contract, io.netty.. | java.net.http.. | reactor.. | dev.ferry.grpc.. | dev.ferry.http..",
    "grpc, java.net.http.. | org.apache.hc.. | reactor.. | com.linecorp.armeria.. | dev.ferry.http.. | dev.ferry.lab..",
    "http, io.grpc.netty.. | dev.ferry.grpc.. | dev.ferry.web.. | dev.ferry.lab..",
    "grpc, dev.ferry.calls..",
    "http, dev.ferry.calls..",
    "net, io.grpc.. | dev.ferry.core.. | dev.ferry.contract.. | dev.ferry.grpc.. | dev.ferry.http.. | dev.ferry.web..",
    "calls, dev.ferry.web.. | dev.ferry.lab.. | dev.ferry.cli..",
    "web, java.net.http.. | org.apache.hc.. | reactor.. | dev.ferry.lab..",
    "lab, dev.ferry.cli.. | picocli.."
  })
  void module_importsNothingBeyondItsRole(String module, String forbidden) {
    noClasses()
        .that()
        .resideInAPackage("dev.ferry." + module + "..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(forbidden.split(" \\| "))
        .allowEmptyShould(true)
        .check(CLASSES);
  }

  @Test
  void httpClients_knowNothingOfTheServer() {
    noClasses()
        .that()
        .resideInAPackage("dev.ferry.http")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("dev.ferry.http.server..")
        .check(CLASSES);
  }

  @Test
  void lab_left_importsNothingFurtherRight() {
    for (int left = 0; left < LAB_FLOW.size() - 1; left++) {
      List<String> right = LAB_FLOW.subList(left + 1, LAB_FLOW.size());
      mayNotImport(LAB_FLOW.get(left), right);
    }
  }

  @Test
  void lab_statsVerdictAndReport_knowRunsAndNotHowTheyWereMade() {
    for (String pure : List.of("stats", "verdict", "report")) {
      mayNotImport(pure, List.of("rival", "suite"));
      noClasses()
          .that()
          .resideInAPackage("dev.ferry.lab." + pure + "..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("org.openjdk.jmh..", "dev.ferry.grpc..", "dev.ferry.http..")
          .allowEmptyShould(true)
          .check(CLASSES);
    }
  }

  private static void mayNotImport(String from, List<String> to) {
    noClasses()
        .that()
        .resideInAPackage("dev.ferry.lab." + from + "..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(
            to.stream().map(name -> "dev.ferry.lab." + name + "..").toArray(String[]::new))
        .allowEmptyShould(true)
        .check(CLASSES);
  }

  @Test
  void packages_writtenByUs_areNullMarked() {
    Set<JavaPackage> packages =
        CLASSES.stream().map(JavaClass::getPackage).collect(Collectors.toSet());

    assertThat(packages)
        .filteredOn(p -> GENERATED.stream().noneMatch(p.getName()::contains))
        .isNotEmpty()
        .allSatisfy(p -> assertThat(p.isAnnotatedWith(NullMarked.class)).isTrue());
  }
}
