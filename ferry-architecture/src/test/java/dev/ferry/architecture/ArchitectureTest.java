package dev.ferry.architecture;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.AccessTarget;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaMember;
import com.tngtech.archunit.core.domain.JavaMethodCall;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.domain.JavaPackage;
import com.tngtech.archunit.core.domain.properties.HasModifiers;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleFinder;
import java.lang.module.ModuleReference;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The rules that ARCHITECTURE.md draws, held by every build. */
final class ArchitectureTest {
  private static final List<String> GENERATED =
      List.of(
          "dev.ferry.wire.internal.v1", "dev.ferry.suites.calls.v1", "dev.ferry.suites.files.v1");

  /** The entry points of programs, and what a compiler makes of the comments of packages. */
  private static final Set<String> MEANT_TWICE = Set.of("Main", "package-info");

  /** Which modules each module may know; all may know the JDK. */
  private static final Map<String, List<String>> PRODUCT =
      Map.ofEntries(
          Map.entry("core", List.of()),
          Map.entry("compress", List.of()),
          Map.entry("zerocopy", List.of()),
          Map.entry("wire", List.of("core")),
          Map.entry("grpc", List.of("core", "compress", "zerocopy", "wire")),
          Map.entry("http", List.of("core", "zerocopy", "wire")),
          Map.entry("web", List.of("core", "compress", "zerocopy", "wire", "grpc", "http")),
          Map.entry("library", List.of("core", "compress", "wire", "grpc", "http", "web")),
          Map.entry("s3", List.of("core")),
          Map.entry("cli", List.of("core", "compress", "wire", "grpc", "http", "web", "library")));

  private static final Map<String, List<String>> BENCH =
      Map.of(
          "lab",
          List.of("core", "compress"),
          "suites",
          List.of("core", "compress", "zerocopy", "wire", "grpc", "http", "web", "lab"),
          "bench",
          List.of("core", "cli", "lab", "suites"));

  /** The packages meant for users of the library. */
  private static final Set<String> API =
      Set.of(
          "dev.ferry.core",
          "dev.ferry.core.local",
          "dev.ferry.core.remote",
          "dev.ferry.core.upload",
          "dev.ferry.wire",
          "dev.ferry.grpc",
          "dev.ferry.http",
          "dev.ferry.web",
          "dev.ferry.library",
          "dev.ferry.s3",
          "dev.ferry.zerocopy");

  /** Modules of the library that users do not call, so none of their packages is API. */
  private static final Set<String> INTERNAL_MODULES = Set.of("compress", "cli");

  /**
   * What may end the process: main classes, and what only the main class of another program runs.
   */
  private static final Set<String> ENDS_PROCESS =
      Set.of(
          "dev.ferry.cli.TrainingRun",
          "dev.ferry.cli.program.FerryProgram",
          // It is for a signal that ends the process, if the command does not heed it.
          "dev.ferry.cli.program.InterruptOnExit",
          "dev.ferry.lab.network.CalibrationClient",
          "dev.ferry.lab.run.ForkMain",
          "dev.ferry.lab.run.server.ServerMain");

  private static final Set<String> WORDS_OF_BENCH =
      Set.of("bench", "rival", "rivals", "suite", "lab", "row", "stock", "rented");

  /** Commands that say where the bench is. */
  private static final Set<String> POINTS_TO_BENCH = Set.of("dev.ferry.cli.BenchPointer");

  /** The way of the data through the lab. */
  private static final List<String> LAB_FLOW =
      List.of("suite", "network", "ceiling", "run", "stats", "report", "judge");

  /** Modules that read what clients and servers send. */
  private static final List<String> READ_FROM_OTHERS = List.of("wire", "grpc", "http", "web");

  /** A text by which a string is split without a pattern, or with that of the text alone. */
  private static final Pattern LITERAL =
      Pattern.compile("(?:[^\\\\.\\[{(*+?^$|}\\])\"]|\\\\[rn]|\\\\{2}[.?|])+");

  private static final Pattern SPLIT = Pattern.compile("\\.split\\(\\s*(?:\"([^\"]*)\"|[^)])");

  /** It splits the templates of the page, which are Ferry's own. */
  private static final Set<String> SPLITS_ITS_OWN = Set.of("Html.java");

  private static final JavaClasses CLASSES =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .withImportOption(location -> !location.contains("-tests.jar"))
          .importPackages("dev.ferry");

  /** A rule about a package without classes guards nothing, so it fails. */
  private static String existing(String name) {
    assertThat(CLASSES)
        .as("classes of %s", name)
        .anyMatch(
            c -> c.getPackageName().equals(name) || c.getPackageName().startsWith(name + "."));
    return name + "..";
  }

  private static String[] modules(Stream<String> names) {
    return names.map(name -> existing("dev.ferry." + name)).toArray(String[]::new);
  }

  private static Set<String> all() {
    return Stream.concat(PRODUCT.keySet().stream(), BENCH.keySet().stream())
        .collect(Collectors.toSet());
  }

  private static void forbid(String from, String... to) {
    noClasses()
        .that()
        .resideInAPackage(from)
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(to)
        .check(CLASSES);
  }

  @Test
  void modules_areThoseOfTheRules() {
    assertThat(CLASSES.stream().map(c -> c.getPackageName().split("\\.", -1)[2]).distinct())
        .containsExactlyInAnyOrderElementsOf(all());
  }

  @Test
  void product_knowsNothingOfTheBench() {
    for (Map.Entry<String, List<String>> module : PRODUCT.entrySet()) {
      assertThat(module.getValue()).doesNotContainAnyElementsOf(BENCH.keySet());
    }
  }

  @Test
  void product_namesNothingOfTheBench() {
    assertThat(CLASSES)
        .filteredOn(ArchitectureTest::isOfProduct)
        .filteredOn(type -> !POINTS_TO_BENCH.contains(type.getName()))
        .flatExtracting(ArchitectureTest::names)
        .isNotEmpty()
        .allSatisfy(name -> assertThat(words(name)).doesNotContainAnyElementsOf(WORDS_OF_BENCH));
  }

  /** What only the bench and tests could call is no part of the product. */
  @Test
  void internals_ofTheProduct_areUsedByIt() {
    List<JavaCodeUnit> entries =
        CLASSES.stream()
            .filter(ArchitectureTest::isOfProduct)
            .filter(type -> type.getPackageName().contains(".internal"))
            .flatMap(type -> entries(type).stream())
            .toList();
    Set<JavaCodeUnit> unused = new HashSet<>();
    // Until nothing is found any more: an overload may be called by one that nobody calls.
    while (unused.addAll(
        entries.stream().filter(entry -> isUnused(entry, unused)).collect(Collectors.toSet()))) {
      assertThat(unused).hasSizeLessThan(entries.size());
    }

    assertThat(unused).extracting(JavaCodeUnit::getFullName).isEmpty();
  }

  private static boolean isUnused(JavaCodeUnit entry, Set<JavaCodeUnit> unused) {
    return entry.getAccessesToSelf().stream()
        .noneMatch(
            access -> isOfProduct(access.getOriginOwner()) && !unused.contains(access.getOrigin()));
  }

  private static boolean isOfProduct(JavaClass type) {
    return PRODUCT.containsKey(type.getPackageName().split("\\.", -1)[2])
        && GENERATED.stream().noneMatch(type.getPackageName()::contains);
  }

  /** The public ways into a class: its constructors, and the static methods that users call. */
  private static List<JavaCodeUnit> entries(JavaClass type) {
    return type.getCodeUnits().stream()
        .filter(unit -> unit.getModifiers().contains(JavaModifier.PUBLIC))
        .filter(
            unit ->
                unit.isConstructor()
                    ? !type.isAnonymousClass() && !type.isEnum()
                    : unit.getModifiers().contains(JavaModifier.STATIC))
        .filter(unit -> !unit.getModifiers().contains(JavaModifier.SYNTHETIC))
        .filter(unit -> !(type.isEnum() && Set.of("values", "valueOf").contains(unit.getName())))
        .filter(unit -> type.getModifiers().contains(JavaModifier.PUBLIC))
        .toList();
  }

  private static List<String> names(JavaClass type) {
    return Stream.concat(
            Stream.of(type.getPackageName().replace('.', '_') + "_" + type.getSimpleName()),
            type.getMembers().stream().filter(ArchitectureTest::isVisible).map(JavaMember::getName))
        .toList();
  }

  private static List<String> words(String name) {
    return Stream.of(name.split("_|(?<=[a-z0-9])(?=[A-Z])", -1))
        .map(word -> word.toLowerCase(Locale.ROOT))
        .toList();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "core",
        "compress",
        "zerocopy",
        "wire",
        "grpc",
        "http",
        "web",
        "library",
        "s3",
        "cli",
        "lab",
        "suites",
        "bench"
      })
  void module_knowsOnlyThoseBelow(String module) {
    List<String> known =
        new ArrayList<>(PRODUCT.containsKey(module) ? PRODUCT.get(module) : BENCH.get(module));
    known.add(module);
    forbid(
        existing("dev.ferry." + module),
        modules(all().stream().filter(other -> !known.contains(other))));
  }

  @ParameterizedTest
  @CsvSource({
    "core, io.netty.. | io.grpc.. | com.google.protobuf..",
    "compress, io.netty.. | io.grpc..",
    "wire.internal.contract, io.netty..",
    "http, io.grpc.netty..",
    "s3, io.netty.. | io.grpc.. | picocli..",
    "lab, io.grpc.. | java.net.http.. | io.netty.handler.codec.. | picocli.."
  })
  void module_knowsNoLibraryBeyondItsRole(String module, String forbidden) {
    forbid(existing("dev.ferry." + module), forbidden.split(" \\| "));
  }

  @Test
  void product_usesNoLibraryOfRivals() {
    for (String module : PRODUCT.keySet()) {
      forbid(
          existing("dev.ferry." + module),
          "java.net.http..",
          "com.linecorp.armeria..",
          "org.apache.hc..",
          "org.eclipse.jetty..",
          "reactor..",
          "okhttp3..",
          "io.grpc.okhttp..",
          "org.openjdk.jmh..");
    }
  }

  @Test
  void sdkOfAws_isUsedInTheStoreOnS3Alone() {
    noClasses()
        .that()
        .resideInAPackage("dev.ferry..")
        .and()
        .resideOutsideOfPackage(existing("dev.ferry.s3"))
        .should()
        .dependOnClassesThat()
        .resideInAPackage("software.amazon..")
        .check(CLASSES);
  }

  @Test
  void libraryOfMetrics_isUsedWhereTheyAreExportedAlone() {
    noClasses()
        .that()
        .resideInAPackage("dev.ferry..")
        .and()
        .resideOutsideOfPackage(existing("dev.ferry.cli.operate"))
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("io.micrometer..", "io.prometheus..")
        .check(CLASSES);
  }

  @Test
  void bench_knowsOfTheCommandsOnlyWhatProgramsShare() {
    forbid(existing("dev.ferry.bench"), existing("dev.ferry.cli").replace("..", ""));
  }

  /** Its rows are those of programs that a reader could write. */
  @Test
  void bench_usesNoInternalPackageOfTheProduct() {
    List<String> users =
        CLASSES.stream()
            .filter(type -> BENCH.containsKey(type.getPackageName().split("\\.", -1)[2]))
            .filter(ArchitectureTest::usesInternals)
            .map(JavaClass::getFullName)
            .toList();

    assertThat(users).isEmpty();
  }

  private static boolean usesInternals(JavaClass type) {
    return type.getDirectDependenciesFromSelf().stream()
        .map(dependency -> dependency.getTargetClass().getBaseComponentType().getPackageName())
        .anyMatch(name -> name.startsWith("dev.ferry.") && name.contains(".internal"));
  }

  @Test
  void httpClients_knowNothingOfTheServer() {
    noClasses()
        .that()
        .resideInAPackage(existing("dev.ferry.http.internal").replace("..", ""))
        .should()
        .dependOnClassesThat()
        .resideInAPackage(existing("dev.ferry.http.internal.server"))
        .check(CLASSES);
  }

  @Test
  void rivals_knowNothingOfEachOther() {
    String rivals = "dev.ferry.suites.rival.";
    Set<String> packages =
        CLASSES.stream()
            .map(JavaClass::getPackageName)
            .filter(name -> name.startsWith(rivals))
            .collect(Collectors.toSet());
    assertThat(packages).isNotEmpty();
    for (String rival : packages) {
      String[] others =
          packages.stream().filter(name -> !name.equals(rival)).toArray(String[]::new);
      noClasses()
          .that()
          .resideInAPackage(rival)
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(others)
          .check(CLASSES);
    }
  }

  @Test
  void lab_left_knowsNothingFurtherRight() {
    for (int left = 0; left < LAB_FLOW.size() - 1; left++) {
      forbid(
          existing("dev.ferry.lab." + LAB_FLOW.get(left)),
          LAB_FLOW.subList(left + 1, LAB_FLOW.size()).stream()
              .map(name -> existing("dev.ferry.lab." + name))
              .toArray(String[]::new));
    }
  }

  @Test
  void lab_statsReportAndJudge_knowRunsAndNotHowTheyWereMade() {
    for (String pure : List.of("stats", "report", "judge")) {
      forbid(
          existing("dev.ferry.lab." + pure),
          existing("dev.ferry.lab.suite"),
          existing("dev.ferry.lab.network"),
          existing("dev.ferry.lab.run"),
          "org.openjdk.jmh..");
    }
  }

  @Test
  void packages_ofTheLibrary_areApiOrInternal() {
    Set<String> library =
        CLASSES.stream()
            .map(JavaClass::getPackageName)
            .filter(name -> PRODUCT.containsKey(name.split("\\.", -1)[2]))
            .filter(name -> !INTERNAL_MODULES.contains(name.split("\\.", -1)[2]))
            .collect(Collectors.toSet());

    assertThat(library).containsAll(API);
    assertThat(library)
        .filteredOn(name -> !API.contains(name))
        .allSatisfy(name -> assertThat(name).contains(".internal"));
  }

  @Test
  void moduleDescriptors_exportTheApi() {
    Set<String> exported =
        ModuleFinder.of(libraryJars()).findAll().stream()
            .map(ModuleReference::descriptor)
            .filter(module -> module.name().startsWith("dev.ferry."))
            .flatMap(module -> module.exports().stream())
            .filter(exports -> !exports.isQualified())
            .map(ModuleDescriptor.Exports::source)
            .collect(Collectors.toSet());

    assertThat(exported).isEqualTo(API);
  }

  /** Returns where the classes of the API are. */
  private static Path[] libraryJars() {
    return CLASSES.stream()
        .filter(type -> API.contains(type.getPackageName()))
        .map(type -> type.getSource().orElseThrow().getUri().toString())
        .map(ArchitectureTest::place)
        .distinct()
        .toArray(Path[]::new);
  }

  /** Returns the jar, or the folder of classes, that has a class of Ferry. */
  private static Path place(String uri) {
    int jar = uri.indexOf("!/");
    return Path.of(
        URI.create(
            jar < 0
                ? uri.substring(0, uri.indexOf("dev/ferry/"))
                : uri.substring("jar:".length(), jar)));
  }

  /** The plugin that makes the BOM knows no properties of its parent. */
  @Test
  void bom_hasTheVersionsOfTheBuild() throws Exception {
    String bom = Files.readString(Path.of("../ferry-bom/pom.xml"));
    String build = Files.readString(Path.of("../pom.xml"));
    for (String library : List.of("grpc", "netty", "protobuf")) {
      String version = between(build, "<%s.version>".formatted(library), "</");
      assertThat(bom)
          .containsSubsequence(
              "<artifactId>%s-bom</artifactId>".formatted(library),
              "<version>%s</version>".formatted(version),
              "<scope>import</scope>");
    }
  }

  @Test
  void page_ofZeroCopy_namesTheVersionsThatItsTestsRunWith() throws Exception {
    String build = Files.readString(Path.of("../pom.xml"));
    String page = Files.readString(Path.of("../docs/zero-copy.md"));
    String versions = between(page, "## Versions", "## ");
    for (String library : List.of("oldest.grpc", "netty41.grpc", "grpc")) {
      assertThat(versions).contains("| " + between(build, "<%s.version>".formatted(library), "</"));
    }
    for (String netty : List.of("oldest.grpc.netty", "netty41.grpc.netty", "netty")) {
      assertThat(versions)
          .contains("| " + between(build, "<%s.version>".formatted(netty), ".Final"));
    }
  }

  private static String between(String text, String before, String after) {
    int start = text.indexOf(before) + before.length();
    return text.substring(start, text.indexOf(after, start));
  }

  @Test
  void api_showsNoTypeThatIsNotApi() {
    for (JavaClass type : CLASSES) {
      if (API.contains(type.getPackageName()) && isVisible(type)) {
        assertThat(shown(type))
            .as("what %s shows", type.getName())
            .allMatch(
                t ->
                    !t.getPackageName().startsWith("dev.ferry")
                        || API.contains(t.getPackageName()));
      }
    }
  }

  /** The types of a class's public and protected members, and those that it extends. */
  private static Set<JavaClass> shown(JavaClass type) {
    Stream<JavaClass> above =
        Stream.concat(type.getSuperclass().stream(), type.getInterfaces().stream())
            .flatMap(t -> t.getAllInvolvedRawTypes().stream());
    Stream<JavaClass> members =
        type.getMembers().stream()
            .filter(ArchitectureTest::isVisible)
            .flatMap(member -> member.getAllInvolvedRawTypes().stream());
    return Stream.concat(above, members).collect(Collectors.toSet());
  }

  private static boolean isVisible(HasModifiers element) {
    return element.getModifiers().contains(JavaModifier.PUBLIC)
        || element.getModifiers().contains(JavaModifier.PROTECTED);
  }

  @Test
  void process_isEndedByMainClassesAlone() {
    Set<String> ends =
        CLASSES.stream()
            .filter(
                type ->
                    type.getAccessesFromSelf().stream()
                        .map(JavaAccess::getTarget)
                        .anyMatch(ArchitectureTest::endsProcess))
            .map(JavaClass::getName)
            .collect(Collectors.toSet());

    assertThat(ends).containsExactlyInAnyOrderElementsOf(ENDS_PROCESS);
  }

  private static boolean endsProcess(AccessTarget called) {
    return Set.of("exit", "halt").contains(called.getName())
        && (called.getOwner().isEquivalentTo(System.class)
            || called.getOwner().isEquivalentTo(Runtime.class));
  }

  /**
   * A pattern may take time that is quadratic in a text, or longer to make than all else that a
   * field costs. So those for what others send are made once, stand where they can be reviewed, and
   * {@code FieldWorkTest} sends them what is worst.
   */
  @Test
  void patterns_whereOthersAreRead_areMadeOnce() throws Exception {
    for (String module : READ_FROM_OTHERS) {
      for (JavaClass type : CLASSES) {
        if (type.getPackageName().startsWith("dev.ferry." + module)) {
          assertThat(type.getMethodCallsFromSelf())
              .filteredOn(ArchitectureTest::makesPattern)
              .as("%s makes a pattern for a text", type.getName())
              .isEmpty();
        }
      }
      try (Stream<Path> sources = Files.walk(Path.of("../ferry-" + module + "/src/main/java"))) {
        List<Path> files = sources.filter(file -> file.toString().endsWith(".java")).toList();
        assertThat(files).isNotEmpty();
        for (Path file : files) {
          String name = String.valueOf(file.getFileName());
          Matcher split = SPLIT.matcher(Files.readString(file));
          while (split.find() && !SPLITS_ITS_OWN.contains(name)) {
            assertThat(split.group(1)).as("what %s splits by", name).isNotNull().matches(LITERAL);
          }
        }
      }
    }
  }

  private static boolean makesPattern(JavaMethodCall call) {
    AccessTarget called = call.getTarget();
    return (called.getOwner().isEquivalentTo(String.class)
            && Set.of("matches", "replaceAll", "replaceFirst").contains(called.getName()))
        || (called.getOwner().isEquivalentTo(Pattern.class)
            && called.getName().equals("compile")
            && !call.getOrigin().getName().equals("<clinit>"));
  }

  @Test
  void simpleNames_ofTopLevelClasses_areThoseOfOneClass() {
    Map<String, List<String>> classes =
        CLASSES.stream()
            .filter(JavaClass::isTopLevelClass)
            .filter(type -> GENERATED.stream().noneMatch(type.getPackageName()::contains))
            .filter(type -> !MEANT_TWICE.contains(type.getSimpleName()))
            .collect(
                Collectors.groupingBy(
                    JavaClass::getSimpleName,
                    Collectors.mapping(JavaClass::getName, Collectors.toList())));

    assertThat(classes.values()).isNotEmpty().filteredOn(sameName -> sameName.size() > 1).isEmpty();
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
