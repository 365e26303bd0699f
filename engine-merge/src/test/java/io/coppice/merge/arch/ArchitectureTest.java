package io.coppice.merge.arch;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import java.time.Clock;
import java.time.Instant;
import java.util.UUID;
import java.util.concurrent.Executors;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ThreadLocalRandom;

/** What engine-merge may use, and the calls that it does not make. */
@AnalyzeClasses(
    packages = "io.coppice",
    importOptions = {ImportOption.DoNotIncludeTests.class})
class ArchitectureTest {
  private static final String MERGE = "io.coppice.merge..";
  private static final String[] GROUND = {
    MERGE,
    "io.coppice.base..",
    "io.coppice.language..",
    "io.coppice.parts..",
    "com.google.errorprone.annotations..",
    "java..",
    ""
  };

  @ArchTest
  static final ArchRule mergesStandOnParts =
      classes()
          .that()
          .resideInAPackage(MERGE)
          .and()
          .resideOutsideOfPackage("io.coppice.merge.select..")
          .should()
          .onlyDependOnClassesThat()
          .resideInAnyPackage(with("org.apache.arrow.."))
          .because("modules point one way, and of third parties it touches Arrow alone");

  @ArchTest
  static final ArchRule choosingKnowsNoData =
      classes()
          .that()
          .resideInAPackage("io.coppice.merge.select..")
          .should()
          .onlyDependOnClassesThat()
          .resideInAnyPackage(GROUND)
          .andShould()
          .onlyDependOnClassesThat()
          .resideOutsideOfPackages(
              "io.coppice.merge.run..",
              "io.coppice.base.disk..",
              "io.coppice.parts.scan..",
              "java.io..")
          .because("what to merge is a function of names, sizes and ages");

  @ArchTest
  static final ArchRule partsAndWhatIsBelowKnowNoMerges =
      noClasses()
          .that()
          .resideInAnyPackage("io.coppice.base..", "io.coppice.language..", "io.coppice.parts..")
          .should()
          .dependOnClassesThat()
          .resideInAPackage(MERGE)
          .because("modules point one way");

  @ArchTest
  static final ArchRule timeThreadsAndChanceComeIn =
      noClasses()
          .that()
          .resideInAPackage(MERGE)
          .should()
          .callMethod(System.class, "currentTimeMillis")
          .orShould()
          .callMethod(System.class, "nanoTime")
          .orShould()
          .callMethod(Instant.class, "now")
          .orShould()
          .callMethod(Clock.class, "systemUTC")
          .orShould()
          .callMethod(Thread.class, "sleep", long.class)
          .orShould()
          .callConstructor(Thread.class, Runnable.class)
          .orShould()
          .callMethod(UUID.class, "randomUUID")
          .orShould()
          .callMethod(Math.class, "random")
          .orShould()
          .dependOnClassesThat()
          .areAssignableTo(ThreadLocalRandom.class)
          .orShould()
          .dependOnClassesThat()
          .areAssignableTo(Executors.class)
          .orShould()
          .dependOnClassesThat()
          .areAssignableTo(ForkJoinPool.class)
          .because("only the facade starts threads and asks the clock");

  @ArchTest
  static final ArchRule nothingIsPrintedAndNobodyEndsTheProcess =
      noClasses()
          .that()
          .resideInAPackage(MERGE)
          .should()
          .accessField(System.class, "out")
          .orShould()
          .accessField(System.class, "err")
          .orShould()
          .callMethod(System.class, "exit", int.class)
          .because("a library logs or throws");

  private static String[] with(String one) {
    String[] all = java.util.Arrays.copyOf(GROUND, GROUND.length + 1);
    all[GROUND.length] = one;
    return all;
  }
}
