package io.coppice.parts.arch;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaPackage;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import java.time.Clock;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZonedDateTime;
import java.util.List;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.Executors;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ThreadLocalRandom;
import org.assertj.core.api.Assertions;

/** The arrows between modules, the doors of third parties, and the calls that nobody makes. */
@AnalyzeClasses(
    packages = "io.coppice",
    importOptions = {ImportOption.DoNotIncludeTests.class})
class ArchitectureTest {
  private static final String BASE = "io.coppice.base..";
  private static final String LANGUAGE = "io.coppice.language..";
  private static final String PARTS = "io.coppice.parts..";
  private static final String CLI = "io.coppice.cli..";

  @ArchTest
  static final ArchRule baseIsBelowEverything =
      noClasses()
          .that()
          .resideInAPackage(BASE)
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(LANGUAGE, PARTS, "io.coppice.fixtures..", CLI)
          .because("engine-base is the ground that everything stands on");

  @ArchTest
  static final ArchRule languageKnowsNoData =
      noClasses()
          .that()
          .resideInAPackage(LANGUAGE)
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(PARTS, "io.coppice.fixtures..", CLI)
          .because("the dialect is text and trees; what it means for data is engine-parts' matter");

  @ArchTest
  static final ArchRule partsDoNotKnowWhoUsesThem =
      noClasses()
          .that()
          .resideInAPackage(PARTS)
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("io.coppice.fixtures..", CLI)
          .because("modules point one way");

  @ArchTest
  static final ArchRule fixturesAreDataNotFakes =
      noClasses()
          .that()
          .resideInAPackage("io.coppice.fixtures..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(LANGUAGE, PARTS, CLI)
          .because("fixtures must not depend on what they are fixtures for");

  @ArchTest
  static final ArchRule arrowBeginsInParts =
      noClasses()
          .that()
          .resideInAnyPackage(BASE, LANGUAGE)
          .should()
          .dependOnClassesThat()
          .resideInAPackage("org.apache.arrow..")
          .because("vectors are met in engine-parts and above");

  @ArchTest
  static final ArchRule compressionHasOneDoor =
      noClasses()
          .that()
          .resideOutsideOfPackage("io.coppice.parts.compress")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(
              "net.jpountz..", "com.github.luben..", "io.airlift.compress..", "at.yawk..")
          .because("frames and their checksums are made and opened in one place");

  @ArchTest
  static final ArchRule parquetHasAModuleOfItsOwn =
      noClasses()
          .that()
          .resideOutsideOfPackage("io.coppice.parquet")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("org.apache.parquet..", "io.coppice.parquet..")
          .because("who does not need the format does not need its libraries");

  @ArchTest
  static final ArchRule rawMemoryHasOneDoor =
      noClasses()
          .that()
          .doNotHaveFullyQualifiedName("io.coppice.base.bytes.Memory")
          .should()
          .dependOnClassesThat()
          .haveFullyQualifiedName("sun.misc.Unsafe")
          .because("one class knows how memory is reached on each JVM");

  @ArchTest
  static final ArchRule grammarStaysInTheParser =
      noClasses()
          .that()
          .resideOutsideOfPackage("io.coppice.language.parse..")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("org.antlr..")
          .because("others see typed trees, not parse trees");

  @ArchTest
  static final ArchRule theBaseIsPlainJava =
      noClasses()
          .that()
          .resideInAPackage(BASE)
          .should()
          .dependOnClassesThat()
          .resideOutsideOfPackages(
              BASE, "java..", "sun.misc..", "com.google.errorprone.annotations..", "")
          .because("engine-base touches no third party");

  @ArchTest
  static final ArchRule nobodyAsksTheClock =
      noClasses()
          .that()
          .resideInAnyPackage(BASE, LANGUAGE, PARTS)
          .and()
          .resideOutsideOfPackage("io.coppice.base.time")
          .should()
          .callMethod(System.class, "currentTimeMillis")
          .orShould()
          .callMethod(System.class, "nanoTime")
          .orShould()
          .callMethod(Instant.class, "now")
          .orShould()
          .callMethod(LocalDate.class, "now")
          .orShould()
          .callMethod(LocalDateTime.class, "now")
          .orShould()
          .callMethod(ZonedDateTime.class, "now")
          .orShould()
          .callMethod(Clock.class, "systemUTC")
          .orShould()
          .callMethod(Clock.class, "systemDefaultZone")
          .because("time comes in as a TimeSource, so that tests can move it");

  @ArchTest
  static final ArchRule nobodySleepsOrStartsThreads =
      noClasses()
          .that()
          .resideInAnyPackage(BASE, LANGUAGE, PARTS)
          .should()
          .callMethod(Thread.class, "sleep", long.class)
          .orShould()
          .callMethod(Thread.class, "sleep", long.class, int.class)
          .orShould()
          .callConstructor(Thread.class)
          .orShould()
          .callConstructor(Thread.class, Runnable.class)
          .orShould()
          .callConstructor(Thread.class, Runnable.class, String.class)
          .orShould()
          .callConstructor(Thread.class, String.class)
          .orShould()
          .dependOnClassesThat()
          .areAssignableTo(Executors.class)
          .orShould()
          .dependOnClassesThat()
          .areAssignableTo(ForkJoinPool.class)
          .because("lower rooms are given an Executor; only the facade starts threads");

  @ArchTest
  static final ArchRule nobodyThrowsDice =
      noClasses()
          .that()
          .resideInAnyPackage(BASE, LANGUAGE, PARTS)
          .should()
          .callMethod(UUID.class, "randomUUID")
          .orShould()
          .dependOnClassesThat()
          .areAssignableTo(ThreadLocalRandom.class)
          .orShould()
          .callMethod(Math.class, "random")
          .because("randomness comes in as a parameter, with a seed");

  @ArchTest
  static final ArchRule nobodyEndsTheProcess =
      noClasses()
          .that()
          .resideInAnyPackage(BASE, LANGUAGE, PARTS)
          .should()
          .callMethod(System.class, "exit", int.class)
          .orShould()
          .callMethod(Runtime.class, "exit", int.class)
          .orShould()
          .callMethod(Runtime.class, "halt", int.class)
          .because("a library does not end the program that uses it");

  @ArchTest
  static final ArchRule nothingIsPrinted =
      noClasses()
          .that()
          .resideInAnyPackage(BASE, LANGUAGE, PARTS)
          .should()
          .accessField(System.class, "out")
          .orShould()
          .accessField(System.class, "err")
          .because("a library logs or throws");

  @ArchTest
  static void everyPackageSaysWhatItIs(JavaClasses classes) {
    TreeSet<String> silent = new TreeSet<>();
    for (JavaClass one : classes) {
      JavaPackage its = one.getPackage();
      if (its.getName().startsWith("io.coppice")
          && !its.containsClassWithSimpleName("package-info")
          && !its.getName().startsWith("io.coppice.language.grammar")) {
        silent.add(its.getName());
      }
    }
    Assertions.assertThat(silent).as("packages without package-info.java").isEmpty();
  }

  @ArchTest
  static void packagesAreNamedAfterThings(JavaClasses classes) {
    List<String> vague = List.of("impl", "util", "utils", "common", "helper", "helpers", "misc");
    TreeSet<String> found = new TreeSet<>();
    for (JavaClass one : classes) {
      String name = one.getPackageName();
      if (vague.contains(name.substring(name.lastIndexOf('.') + 1))) {
        found.add(name);
      }
    }
    Assertions.assertThat(found).isEmpty();
  }

  @ArchTest
  static void classesAreNotNamedAfterPatterns(JavaClasses classes) {
    TreeSet<String> found = new TreeSet<>();
    for (JavaClass one : classes) {
      if (one.getSimpleName().matches(".*(Manager|Handler|Impl|Util|Utils|Helper)")
          && !one.getPackageName().startsWith("io.coppice.language.grammar")) {
        found.add(one.getName());
      }
    }
    Assertions.assertThat(found).isEmpty();
  }
}
