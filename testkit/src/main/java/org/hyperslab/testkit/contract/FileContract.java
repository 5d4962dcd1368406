package org.hyperslab.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.hyperslab.Group;
import org.hyperslab.H5File;
import org.hyperslab.error.AlreadyExistsException;
import org.hyperslab.error.HyperslabException;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.error.NotFoundException;
import org.hyperslab.model.IterationIndex;
import org.hyperslab.model.OpenOptions;
import org.hyperslab.vol.Capability;
import org.junit.jupiter.api.Test;

/** Tests operations on files: create, open, describe, flush, close, delete. */
abstract class FileContract extends ContractBase {

  /** Called by subclasses only. */
  protected FileContract() {}

  @Test
  void newFileHasAnEmptyRootGroup() {
    inBothLives(file -> {
      assertThat(file.root().size()).isZero();
      assertThat(file.root().attributeCount()).isZero();
      assertThat(file.root().path()).isEqualTo("/");
    });
  }

  @Test
  void newFileIsWritable() {
    assertThat(file().isWritable()).isTrue();
    assertThat(file().info().writable()).isTrue();
  }

  @Test
  void fileOpenedForReadingIsNotWritable() {
    assertThat(reopen().isWritable()).isFalse();
    assertThat(file().info().writable()).isFalse();
  }

  @Test
  void fileOpenedForEditingIsWritable() {
    assertThat(reopenForEdit().isWritable()).isTrue();
  }

  @Test
  void hasTheNameThatTheCallerGave() {
    assertThat(file().name()).isEqualTo(fileName());
  }

  @Test
  void createReplacesAFileThatIsNotExclusive() {
    file().createGroup("old");
    recreate(createOptions());
    assertThat(file().exists("old")).isFalse();
  }

  @Test
  void exclusiveCreateRefusesAnExistingFile() {
    file().close();
    fails(
        AlreadyExistsException.class,
        () -> session().create(fileName(), createOptions().withExclusive(true)),
        "exist");
  }

  @Test
  void exclusiveCreateMakesANewFile() {
    String other = otherName("fresh.h5");
    session().create(other, createOptions().withExclusive(true)).close();
    assertThat(session().exists(other)).isTrue();
  }

  @Test
  void refusedExclusiveCreateLeavesTheFileAlone() {
    file().createGroup("kept");
    file().close();
    fails(
        AlreadyExistsException.class,
        () -> session().create(fileName(), createOptions().withExclusive(true)));
    assertThat(reopen().exists("kept")).isTrue();
  }

  @Test
  void openOfAMissingFileNamesIt() {
    fails(
        NotFoundException.class,
        () -> session().open(otherName("missing.h5"), OpenOptions.READ),
        "missing.h5");
  }

  @Test
  void openForEditOfAMissingFileFails() {
    fails(
        NotFoundException.class,
        () -> session().open(otherName("missing.h5"), createOptions().access()));
  }

  @Test
  void namesAloneHaveTheDefaultOptions() {
    String name = otherName("named.h5");
    session().create(name).close();
    try (H5File edited = session().openForEdit(name)) {
      edited.createGroup("g").close();
    }
    try (H5File opened = session().open(name)) {
      assertThat(opened.exists("g")).isTrue();
    }
    assertThat(session().exists(Path.of(name))).isTrue();
    session().delete(Path.of(name));
    assertThat(session().exists(name)).isFalse();
  }

  @Test
  void existsIsTrueOnlyForFiles() {
    file().close();
    assertThat(session().exists(fileName())).isTrue();
    assertThat(session().exists(otherName("missing.h5"))).isFalse();
  }

  @Test
  void deletedFileDoesNotExist() {
    file().close();
    session().delete(fileName());
    assertThat(session().exists(fileName())).isFalse();
    fails(NotFoundException.class, () -> session().open(fileName(), OpenOptions.READ));
  }

  @Test
  void deleteOfAMissingFileFails() {
    fails(NotFoundException.class, () -> session().delete(otherName("missing.h5")));
  }

  @Test
  void deleteOfAnOpenFileIsRefused() {
    fails(HyperslabException.class, () -> session().delete(fileName()), "open");
    assertThat(file().root().size()).isZero();
  }

  @Test
  void closingTwiceDoesNothing() {
    file().close();
    file().close();
    assertThat(file().isClosed()).isTrue();
  }

  @Test
  void closedFileRefusesEverything() {
    file().close();
    fails(InvalidUseException.class, () -> file().root().size(), "closed");
    fails(InvalidUseException.class, () -> file().createGroup("g"), "closed");
    fails(InvalidUseException.class, () -> file().flush(), "closed");
    fails(InvalidUseException.class, () -> file().info(), "closed");
  }

  @Test
  void closingTheFileClosesItsObjects() {
    Group group = file().createGroup("g");
    file().close();
    assertThat(group.isClosed()).isTrue();
    fails(InvalidUseException.class, () -> group.size(), "closed");
    group.close();
  }

  @Test
  void flushedDataCanBeReadWhileTheFileIsOpen() {
    file().createGroup("g");
    file().flush();
    assertThat(file().exists("g")).isTrue();
    file().createGroup("h");
    file().flush();
    assertThat(reopen().root().names()).containsExactly("g", "h");
  }

  @Test
  void editsSurviveRepeatedOpening() {
    for (int i = 0; i < 5; i++) {
      reopenForEdit().createGroup("g" + i);
    }
    assertThat(reopen().root().names()).containsExactly("g0", "g1", "g2", "g3", "g4");
  }

  @Test
  void openingForEditWithoutEditsChangesNothing() {
    file().createGroup("g");
    reopenForEdit();
    assertThat(reopen().root().names()).containsExactly("g");
  }

  @Test
  void oneFileCanBeOpenedTwiceForReading() {
    file().createGroup("g");
    reopen();
    try (H5File again = session().open(fileName(), OpenOptions.READ)) {
      assertThat(again.exists("g")).isTrue();
      assertThat(file().exists("g")).isTrue();
    }
    assertThat(file().exists("g")).isTrue();
  }

  @Test
  void twoFilesDoNotMix() {
    try (H5File other = createOther("other.h5")) {
      file().createGroup("mine");
      other.createGroup("yours");
      assertThat(file().root().names()).containsExactly("mine");
      assertThat(other.root().names()).containsExactly("yours");
      assertThat(other.info().fileNumber()).isNotEqualTo(file().info().fileNumber());
    }
  }

  @Test
  void rootOptionsAreKept() {
    var options = createOptions();
    recreate(options.withRoot(options.root().withCreationOrder()));
    requires(Capability.CREATION_ORDER);
    file().createGroup("z");
    file().createGroup("a");
    inBothLives(file ->
        assertThat(file.root().links(IterationIndex.CREATION_ORDER, false))
            .extracting(link -> link.name())
            .containsExactly("z", "a"));
  }

  @Test
  void asynchronousCloseCompletes() {
    file().createGroup("g");
    file().closeAsync().join();
    assertThat(reopen().exists("g")).isTrue();
  }
}
