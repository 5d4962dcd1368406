package org.hyperslab.plugins.nativevol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.hyperslab.Dataset;
import org.hyperslab.Group;
import org.hyperslab.H5File;
import org.hyperslab.Hdf5;
import org.hyperslab.Session;
import org.hyperslab.error.AlreadyExistsException;
import org.hyperslab.error.CorruptFileException;
import org.hyperslab.error.HyperslabException;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.error.NotFoundException;
import org.hyperslab.error.StorageException;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.type.Datatypes;
import org.hyperslab.model.CreateOptions;
import org.hyperslab.model.FormatVersion;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests what a program prints when a call is refused: the text once, with names, and its caller.
 */
final class RefusalTracesTest {

  @TempDir private Path folder;

  /** How a group stores its links and attributes. */
  enum Kind {
    SYMBOL_TABLE(FormatVersion.EARLIEST, 3),
    COMPACT(FormatVersion.V110, 3),
    DENSE(FormatVersion.V110, 40);

    private final CreateOptions options;
    private final int count;

    Kind(FormatVersion bound, int count) {
      this.options = CreateOptions.DEFAULT.withBounds(bound, FormatVersion.V110);
      this.count = count;
    }
  }

  private static String printed(Throwable failure) {
    StringWriter text = new StringWriter();
    failure.printStackTrace(new PrintWriter(text));
    return text.toString();
  }

  @ParameterizedTest
  @ValueSource(strings = {"native", "async | native", "caching | tracing print=false | native"})
  void refusalIsToldOnceByTheMethodThatWasCalled(String configuration) {
    try (Session session = Hdf5.session(configuration);
        H5File file = session.create(folder.resolve("a.h5").toString())) {
      Dataset dataset = file.createDataset("data", new double[3]);
      List<ThrowingCallable> calls =
          List.of(
              () -> file.dataset("none"),
              () -> file.createGroup("data"),
              () -> dataset.attribute("none"),
              () -> dataset.slice("0:2").write(new double[3]),
              () -> dataset.write(new double[4]),
              () -> dataset.readInto(new double[4]),
              () -> dataset.setExtent(7),
              () -> dataset.readChunk(0));
      for (ThrowingCallable call : calls) {
        HyperslabException refusal = catchThrowableOfType(HyperslabException.class, call);
        String text = printed(refusal);
        assertThat(text).containsOnlyOnce(refusal.getMessage()).doesNotContain("Caused by");
        List<String> leading =
            List.of(refusal.getStackTrace()).stream()
                .map(StackTraceElement::getClassName)
                .takeWhile(type -> !type.equals(getClass().getName()))
                .toList();
        assertThat(leading).as(text).hasSizeLessThanOrEqualTo(4);
        assertThat(leading).as(text).allMatch(type -> type.matches("org\\.hyperslab\\.\\w+"));
      }
    }
  }

  @Test
  void otherFailuresHaveThePlaceWhereTheyAroseAndTheCaller() throws Exception {
    Path path = folder.resolve("a.h5");
    Files.write(path, new byte[4096]);
    CorruptFileException failure =
        catchThrowableOfType(CorruptFileException.class, () -> Hdf5.open(path));
    assertThat(printed(failure))
        .containsOnlyOnce(failure.getMessage())
        .contains("org.hyperslab.format.")
        .contains("otherFailuresHaveThePlaceWhereTheyAroseAndTheCaller");
  }

  @ParameterizedTest
  @EnumSource(Kind.class)
  void namesTheLinkOrAttributeThatExists(Kind kind) {
    try (H5File file = Hdf5.create(folder.resolve("a.h5"), kind.options)) {
      Group group = file.createGroup("group");
      for (int i = 0; i < kind.count; i++) {
        group.createGroup("member" + i);
        group.setAttribute("note" + i, i);
      }
      List<ThrowingCallable> calls =
          List.of(
              () -> group.move("member0", "member1"),
              () -> group.copyLink("member0", "member1"),
              () -> group.createSoftLink("member1", "x"),
              () -> group.createHardLink("member1", "member0"),
              () -> file.createGroup("group/member1"),
              () -> group.copy("member0", group, "member1"),
              () -> group.commit("member1", Datatypes.F64LE));
      for (ThrowingCallable call : calls) {
        assertThatThrownBy(call)
            .isInstanceOf(AlreadyExistsException.class)
            .hasMessageContaining(": actual=exists, expected=none, at=")
            .hasMessageContaining("member1")
            .hasMessageContaining("/group")
            .message()
            .doesNotContain("@");
      }
      List<ThrowingCallable> attributes =
          List.of(
              () -> group.renameAttribute("note0", "note1"),
              () -> group.createAttribute("note1", Datatypes.F64LE, Dataspace.scalar()));
      for (ThrowingCallable call : attributes) {
        assertThatThrownBy(call)
            .isInstanceOf(AlreadyExistsException.class)
            .hasMessageContaining("note1")
            .message()
            .doesNotContain("@");
      }
    }
  }

  @Test
  void asksWhetherANearNameWasMeant() {
    try (H5File file = Hdf5.createInMemory()) {
      Group group = file.createGroup("run/day1");
      Dataset dataset = group.createDataset("temperature", new double[3]);
      dataset.setAttribute("units", "K");
      meant(() -> file.dataset("run/day1/temprature"), "\"run/day1/temperature\"");
      meant(() -> file.dataset("/run/day1/Temperature"), "\"/run/day1/temperature\"");
      meant(() -> group.dataset("temp"), "\"temperature\"");
      meant(() -> file.get("runs/day1/temperature"), "\"run\"");
      meant(() -> group.link("temperatuer"), "\"temperature\"");
      meant(() -> group.delete("temperatures"), "\"temperature\"");
      meant(() -> group.move("temperatur", "x"), "\"temperature\"");
      meant(() -> group.copyLink("temperatur", "x"), "\"temperature\"");
      meant(() -> group.createHardLink("x", "temperatur"), "\"temperature\"");
      meant(() -> dataset.attribute("unit"), "\"units\"");
      meant(() -> dataset.renameAttribute("Units", "x"), "\"units\"");
      meant(() -> dataset.deleteAttribute("uints"), "\"units\"");
      assertThatThrownBy(() -> file.dataset("run/day1/pressure"))
          .isInstanceOf(NotFoundException.class)
          .message()
          .doesNotContain("did you mean");
      file.root().createSoftLink("soft", "run/day1/temperatur");
      assertThatThrownBy(() -> file.dataset("soft"))
          .isInstanceOf(NotFoundException.class)
          .hasMessageContaining("dangling soft link")
          .message()
          .doesNotContain("did you mean");
    }
  }

  private static void meant(ThrowingCallable call, String name) {
    assertThatThrownBy(call)
        .isInstanceOf(NotFoundException.class)
        .hasMessageContaining("; did you mean " + name + "?");
  }

  record Point(double longitude, double latitude) {}

  @Test
  void asksWhetherANearFieldWasMeant() {
    try (H5File file = Hdf5.createInMemory()) {
      Dataset points = file.createDataset("points", new Point[] {new Point(1, 2)});
      assertThatThrownBy(() -> points.field("lattitude"))
          .isInstanceOf(InvalidUseException.class)
          .hasMessageContaining("did you mean \"latitude\"?");
    }
  }

  private static void joined(CompletableFuture<?> call) throws Throwable {
    try {
      call.join();
    } catch (CompletionException failure) {
      throw failure.getCause();
    }
  }

  @Test
  void lackOfMemoryNamesTheDatasetAndTheSize() {
    long count = Integer.MAX_VALUE - 8L;
    try (H5File file = Hdf5.create(folder.resolve("a.h5"))) {
      Dataset dataset = file.createDataset("huge", double.class, count);
      List<ThrowingCallable> calls =
          List.of(
              () -> dataset.read(),
              () -> dataset.readDoubles(),
              () -> dataset.rows(0, count).readDoubles(),
              () -> joined(dataset.readAsync(double[].class)));
      for (ThrowingCallable call : calls) {
        assertThatThrownBy(call)
            .isInstanceOf(StorageException.class)
            .hasMessageContaining("memory: actual=exhausted")
            .hasMessageContaining(count + " elements of ")
            .hasMessageContaining(8 * count + " bytes")
            .hasMessageContaining("dataset /huge in " + folder.resolve("a.h5"));
      }
    }
  }
}
