package org.hyperslab.tools.house;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noFields;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests that imports point down, packages form no cycles, and low layers do not depend on higher
 * ones.
 */
final class ArchitectureTest {

  private static final JavaClasses HOUSE =
      new ClassFileImporter()
          .withImportOption(new ImportOption.DoNotIncludeTests())
          .withImportOption(location -> !location.contains("/proto/")) // generated
          .importPackages("org.hyperslab");

  /** Tests packages together with their subpackages. */
  @Test
  void roomsFormNoCycles() {
    check(slices().matching("org.hyperslab.(*).(*)..").should().beFreeOfCycles());
  }

  @Test
  void modulesFormNoCycles() {
    check(slices().matching("org.hyperslab.(*)..").should().beFreeOfCycles());
  }

  /** Tests each package by itself, including subpackages. */
  @Test
  void packagesFormNoCycles() {
    check(slices().matching("org.hyperslab.(**)").should().beFreeOfCycles());
  }

  @Test
  void planningRequestsNeedsNoConnectorAndNoExecution() {
    check(
        noClasses()
            .that()
            .resideInAPackage("org.hyperslab.plugins.compacting.plan..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                "org.hyperslab.vol..",
                "org.hyperslab.plugins.compacting",
                "org.hyperslab.plugins.compacting.queue",
                "org.hyperslab.plugins.compacting.storage",
                "java.util.concurrent.."));
  }

  @Test
  void formatDoesNotDependOnUsersOrConnectors() {
    check(
        noClasses()
            .that()
            .resideInAnyPackage("org.hyperslab.format..", "org.hyperslab.error..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                "org.hyperslab",
                "org.hyperslab.model..",
                "org.hyperslab.vol..",
                "org.hyperslab.plugins..",
                "org.hyperslab.tools..",
                "org.hyperslab.examples.."));
  }

  @Test
  void byteStoresKnowNoFormat() {
    check(
        noClasses()
            .that()
            .resideInAPackage("org.hyperslab.format.store..")
            .should()
            .dependOnClassesThat(
                DescribedPredicate.describe(
                    "are of the format above the stores",
                    type ->
                        type.getPackageName().startsWith("org.hyperslab.")
                            && !type.getPackageName().startsWith("org.hyperslab.format.store")
                            && !type.getPackageName().equals("org.hyperslab.format.memory")
                            && !type.getPackageName().equals("org.hyperslab.error"))));
  }

  @Test
  void mpiIoKnowsNoHdf5() {
    check(
        noClasses()
            .that()
            .resideInAnyPackage("org.hyperslab.mpi..", "org.hyperslab.mpiio..")
            .should()
            .dependOnClassesThat(
                DescribedPredicate.describe(
                    "are of HDF5",
                    type ->
                        type.getPackageName().startsWith("org.hyperslab")
                            && !type.getPackageName().startsWith("org.hyperslab.mpi")
                            && !type.getPackageName().startsWith("org.hyperslab.format.store")
                            && !type.getPackageName().equals("org.hyperslab.format.memory")
                            && !type.getPackageName().equals("org.hyperslab.error"))));
  }

  /** Whoever runs MPI-IO needs no description of a machine, no simulator and no baseline. */
  @Test
  void mpiIoDoesNotNeedMachines() {
    check(
        noClasses()
            .that()
            .resideInAnyPackage(
                "org.hyperslab.mpi..", "org.hyperslab.mpiio..", "org.hyperslab.plugins.mpiio..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                "org.hyperslab.machine..",
                "org.hyperslab.placement..",
                "org.hyperslab.baselines..",
                "org.hyperslab.simulation.."));
  }

  @Test
  void machinesNeedNoMpi() {
    check(
        noClasses()
            .that()
            .resideInAPackage("org.hyperslab.machine..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("org.hyperslab.mpi..", "org.hyperslab.mpiio.."));
  }

  @Test
  void virtualObjectLayerDoesNotDependOnConnectors() {
    check(
        noClasses()
            .that()
            .resideInAnyPackage("org.hyperslab", "org.hyperslab.model..", "org.hyperslab.vol..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("org.hyperslab.plugins..", "org.hyperslab.tools.."));
  }

  @Test
  void examplesUseThePublicInterfaceOnly() {
    check(
        noClasses()
            .that()
            .resideInAPackage("org.hyperslab.examples..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                "org.hyperslab.tools..",
                "org.hyperslab.plugins.nativevol..",
                "org.hyperslab.plugins.compacting..",
                "org.hyperslab.plugins.codec..",
                "org.hyperslab.plugins.jhdf..",
                "org.hyperslab.plugins.mpiio..",
                "org.hyperslab.mpiio.access..",
                "org.hyperslab.mpiio.collective..",
                "org.hyperslab.mpiio.driver..",
                "org.hyperslab.mpiio.engine..",
                "org.hyperslab.mpiio.plan..",
                "org.hyperslab.mpiio.schedule..",
                "org.hyperslab.mpiio.store.."));
  }

  @Test
  void unsafeIsNotUsed() {
    check(noClasses().should().dependOnClassesThat().haveFullyQualifiedName("sun.misc.Unsafe"));
  }

  @Test
  void staticFieldsAreFinal() {
    check(
        noFields()
            .that()
            .areStatic()
            .and()
            .doNotHaveModifier(JavaModifier.SYNTHETIC)
            .should()
            .notBeFinal());
  }

  /** NullAway checks marked packages only. */
  @Test
  void packagesSayWhatMayBeNull() throws IOException {
    Path root = Path.of(System.getProperty("hyperslab.root"));
    for (String module : List.of("vol/model", "vol/spi", "vol/api", "netcdf", "convert")) {
      Path sources = root.resolve(module).resolve("src/main/java/org");
      try (Stream<Path> all = Files.walk(sources)) {
        Set<Path> packages =
            all.filter(each -> each.toString().endsWith(".java"))
                .map(Path::getParent)
                .collect(Collectors.toSet());
        for (Path each : packages) {
          assertThat(each.resolve("package-info.java")).content().contains("\n@NullMarked\n");
        }
      }
    }
  }

  @Test
  void noClassIsCalledUtilsOrImpl() {
    check(classes().should().haveNameNotMatching(".*(Utils|Util|Impl|Helper)$"));
  }

  @Test
  void circlesOfClassesAreSmall() {
    Circles.requireSmall(HOUSE);
  }

  @Test
  void exportedTypesNameOnlyExportedTypes() throws IOException {
    ExportedTypes.requireUsable(HOUSE, Path.of(System.getProperty("hyperslab.root")));
  }

  @ParameterizedTest
  @ValueSource(strings = {"format", "vol/model", "vol/spi", "vol/api", "netcdf", "convert"})
  void promisesAreKept(String module) throws IOException {
    PublicSurface.requireCompatible(HOUSE, Path.of(System.getProperty("hyperslab.root")), module);
  }

  @Test
  void optionsAreBuilt() throws IOException {
    ExportedTypes.requireBuilders(HOUSE, Path.of(System.getProperty("hyperslab.root")));
  }

  @Test
  void publicInterfaceHidesOperations() {
    ExportedTypes.requireOperationsHidden(HOUSE);
  }

  @Test
  void processWideStateIsListed() {
    ProcessState.requireListed(HOUSE);
  }

  @Test
  void processWideStateIsDescribed() throws IOException {
    ProcessState.requireDescribed(
        Path.of(System.getProperty("hyperslab.root")).resolve("DESIGN.md"));
  }

  private static void check(ArchRule rule) {
    rule.allowEmptyShould(true).check(HOUSE);
  }
}
