package org.hyperslab.vol;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.hyperslab.model.ObjectToken;
import org.hyperslab.model.OpenOptions;
import org.junit.jupiter.api.Test;

/** Tests what every operation says of itself: whether it edits, flushes, closes. */
class OperationTest {

  private static final Set<String> EDITS =
      Set.of(
          "FileOperation.Create",
          "FileOperation.Delete",
          "GroupOperation.Create",
          "LinkOperation.CreateHard",
          "LinkOperation.CreateSoft",
          "LinkOperation.CreateExternal",
          "LinkOperation.CreateUserDefined",
          "LinkOperation.Delete",
          "LinkOperation.Move",
          "LinkOperation.Copy",
          "ObjectOperation.Copy",
          "ObjectOperation.SetComment",
          "ObjectOperation.CountReference",
          "DatasetOperation.Create",
          "DatasetOperation.Write",
          "DatasetOperation.WriteMulti",
          "DatasetOperation.SetExtent",
          "DatasetOperation.Extend",
          "DatasetOperation.WriteChunk",
          "AttributeOperation.Create",
          "AttributeOperation.Write",
          "AttributeOperation.Set",
          "AttributeOperation.Rename",
          "AttributeOperation.Delete",
          "TypeOperation.Commit",
          "StepOperation.Start");

  private static final Set<String> NEITHER =
      Set.of(
          "FileOperation.Open",
          "FileOperation.Describe",
          "FileOperation.Exists",
          "GroupOperation.Describe",
          "LinkOperation.Exists",
          "LinkOperation.Describe",
          "LinkOperation.ListLinks",
          "ObjectOperation.Open",
          "ObjectOperation.OpenToken",
          "ObjectOperation.Describe",
          "ObjectOperation.Measure",
          "ObjectOperation.PathOf",
          "ObjectOperation.Refresh",
          "DatasetOperation.SetAccess",
          "DatasetOperation.Describe",
          "DatasetOperation.Read",
          "DatasetOperation.ReadMulti",
          "DatasetOperation.ListChunks",
          "DatasetOperation.Select",
          "DatasetOperation.Summarize",
          "DatasetOperation.ReadChunk",
          "AttributeOperation.Describe",
          "AttributeOperation.ListAttributes",
          "AttributeOperation.Exists",
          "AttributeOperation.Read",
          "TypeOperation.Describe",
          "StepOperation.Next",
          "StepOperation.Leave");

  @Test
  void everyOperationSaysWhetherItEditsFlushesOrCloses() {
    Map<String, List<String>> expected = new TreeMap<>();
    EDITS.forEach(name -> expected.put(name, List.of("edits")));
    NEITHER.forEach(name -> expected.put(name, List.of()));
    expected.put("FileOperation.Flush", List.of("flushes"));
    expected.put("FileOperation.Close", List.of("flushes", "closes"));
    expected.put("StepOperation.Publish", List.of("edits", "flushes"));
    expected.put("ObjectOperation.Flush", List.of("flushes"));
    expected.put("ObjectOperation.Close", List.of("closes"));

    Map<String, List<String>> said = new TreeMap<>();
    for (Class<?> kind : records(Operation.class).toList()) {
      List<String> marks = new ArrayList<>();
      if (Operation.Edit.class.isAssignableFrom(kind)) {
        marks.add("edits");
      }
      if (Operation.Flushing.class.isAssignableFrom(kind)) {
        marks.add("flushes");
      }
      if (Operation.Closing.class.isAssignableFrom(kind)) {
        marks.add("closes");
      }
      said.put(kind.getEnclosingClass().getSimpleName() + "." + kind.getSimpleName(), marks);
    }
    assertThat(said).isEqualTo(expected);
  }

  @Test
  void methodsSayWhatTheMarksSay() {
    Handle handle = Handle.fresh();
    assertThat(saysOf(new FileOperation.Open(handle, "a.h5", OpenOptions.EDIT))).isEmpty();
    assertThat(saysOf(new FileOperation.Delete(handle, "a.h5"))).containsExactly("edits");
    assertThat(saysOf(new FileOperation.Flush(handle))).containsExactly("flushes");
    assertThat(saysOf(new FileOperation.Close(handle))).containsExactly("closes", "flushes");
    assertThat(saysOf(new ObjectOperation.Flush(handle))).containsExactly("flushes");
    assertThat(saysOf(new ObjectOperation.Close(handle))).containsExactly("closes");
    assertThat(saysOf(new ObjectOperation.PathOf(handle, new ObjectToken(1)))).isEmpty();
  }

  /** No record overrides the methods, so that a mark is the only place that says it. */
  @Test
  void noOperationOverridesTheMethods() {
    assertThat(records(Operation.class).flatMap(kind -> Arrays.stream(kind.getDeclaredMethods())))
        .extracting("name")
        .doesNotContain("edits", "flushes", "closes");
  }

  private static Set<String> saysOf(Operation<?> operation) {
    Set<String> said = new TreeSet<>();
    if (operation.edits()) {
      said.add("edits");
    }
    if (operation.flushes()) {
      said.add("flushes");
    }
    if (operation.closes()) {
      said.add("closes");
    }
    return said;
  }

  private static Stream<Class<?>> records(Class<?> sealed) {
    return sealed.isRecord()
        ? Stream.of(sealed)
        : Arrays.stream(sealed.getPermittedSubclasses()).flatMap(OperationTest::records);
  }
}
