package org.hyperslab.mpiio.file;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.hyperslab.mpi.MpiFileHandle;
import org.hyperslab.mpi.MpiSharedPointer;
import org.hyperslab.mpi.MpiSplit;
import org.hyperslab.mpiio.MpiFile;
import org.junit.jupiter.api.Test;

/**
 * Tests that each routine of MPI's file chapter has a method here and in the binding, or a reason
 * for its absence.
 */
final class MpiRoutinesTest {

  /** The routine without {@code MPI_File_}, our method, and the binding's. */
  private record Routine(String name, String own, String vendor) {}

  /** Before methods of the binding's {@link MpiSharedPointer}. */
  private static final String SHARED = "shared().";

  private static Routine same(String name, String method) {
    return new Routine(name, method, method);
  }

  private static final List<Routine> ROUTINES =
      List.of(
          same("open", "open"),
          same("close", "close"),
          same("delete", "delete"),
          same("set_size", "setSize"),
          same("preallocate", "preallocate"),
          same("get_size", "size"),
          new Routine("get_group", "group", "ranks"),
          same("get_amode", "modes"),
          same("set_info", "setInfo"),
          same("get_info", "info"),
          same("set_view", "setView"),
          same("get_view", "view"),
          same("read_at", "readAt"),
          same("read_at_all", "readAtAll"),
          same("write_at", "writeAt"),
          same("write_at_all", "writeAtAll"),
          same("iread_at", "startReadAt"),
          same("iread_at_all", "startReadAtAll"),
          same("iwrite_at", "startWriteAt"),
          same("iwrite_at_all", "startWriteAtAll"),
          same("read", "read"),
          same("read_all", "readAll"),
          same("write", "write"),
          same("write_all", "writeAll"),
          same("iread", "startRead"),
          same("iread_all", "startReadAll"),
          same("iwrite", "startWrite"),
          same("iwrite_all", "startWriteAll"),
          same("seek", "seek"),
          same("get_position", "position"),
          same("get_byte_offset", "byteOffset"),
          new Routine("read_shared", "readShared", SHARED + "read"),
          new Routine("write_shared", "writeShared", SHARED + "write"),
          new Routine("iread_shared", "startReadShared", SHARED + "startRead"),
          new Routine("iwrite_shared", "startWriteShared", SHARED + "startWrite"),
          new Routine("read_ordered", "readOrdered", SHARED + "readOrdered"),
          new Routine("write_ordered", "writeOrdered", SHARED + "writeOrdered"),
          new Routine("seek_shared", "seekShared", SHARED + "seek"),
          new Routine("get_position_shared", "sharedPosition", SHARED + "position"),
          same("read_at_all_begin", "beginReadAtAll"),
          same("write_at_all_begin", "beginWriteAtAll"),
          same("read_all_begin", "beginReadAll"),
          same("write_all_begin", "beginWriteAll"),
          new Routine("read_ordered_begin", "beginReadOrdered", SHARED + "beginReadOrdered"),
          new Routine("write_ordered_begin", "beginWriteOrdered", SHARED + "beginWriteOrdered"),
          new Routine("get_type_extent", "typeExtent", "typeExtentBytes"),
          same("set_atomicity", "setAtomic"),
          same("get_atomicity", "isAtomic"),
          same("sync", "sync"));

  /** The second half of a split access is a method of what the first half returns. */
  private static final List<String> ENDS =
      List.of(
          "read_at_all_end",
          "write_at_all_end",
          "read_all_end",
          "write_all_end",
          "read_ordered_end",
          "write_ordered_end");

  /** Handles of Fortran do not exist here, and exceptions are thrown where handlers were called. */
  private static final List<String> LEFT_OUT =
      List.of(
          "c2f", "f2c", "create_errhandler", "set_errhandler", "get_errhandler", "call_errhandler");

  private static Set<String> publicMethods(Class<?> type) {
    return Arrays.stream(type.getDeclaredMethods())
        .filter(method -> Modifier.isPublic(method.getModifiers()) && !method.isBridge())
        .map(Method::getName)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  @Test
  void coversAllSixtyOneRoutines() {
    Set<String> names =
        Stream.of(ROUTINES.stream().map(Routine::name), ENDS.stream(), LEFT_OUT.stream())
            .flatMap(stream -> stream)
            .collect(Collectors.toSet());
    assertThat(names).hasSize(ROUTINES.size() + ENDS.size() + LEFT_OUT.size()).hasSize(61);
  }

  @Test
  void everyRoutineHasAMethodOfMpiFile() {
    Set<String> ours = publicMethods(MpiFile.class);
    assertThat(ours)
        .containsAll(ROUTINES.stream().map(Routine::own).toList())
        .hasSameElementsAs(
            Stream.concat(
                    ROUTINES.stream().map(Routine::own),
                    Stream.of("over", "setViewHere", "declareWrites", "explain"))
                .collect(Collectors.toSet()));
  }

  @Test
  void everyRoutineHasAMethodOfTheBinding() {
    Set<String> theirs = publicMethods(MpiFileHandle.class);
    publicMethods(MpiSharedPointer.class).forEach(method -> theirs.add(SHARED + method));
    assertThat(theirs).containsAll(ROUTINES.stream().map(Routine::vendor).toList());
  }

  @Test
  void splitAccessesEndWithTheReturnedObject() throws NoSuchMethodException {
    for (List<Class<?>> files :
        List.of(
            List.<Class<?>>of(MpiFile.class),
            List.<Class<?>>of(MpiFileHandle.class, MpiSharedPointer.class))) {
      List<Method> begins =
          files.stream()
              .flatMap(type -> Arrays.stream(type.getDeclaredMethods()))
              .filter(method -> method.getName().startsWith("begin"))
              .filter(method -> Modifier.isPublic(method.getModifiers()))
              .toList();
      assertThat(begins).hasSize(ENDS.size());
      Class<?> split = files.contains(MpiFile.class) ? SplitAccess.class : MpiSplit.class;
      for (Method begin : begins) {
        assertThat(begin.getReturnType()).isEqualTo(split);
        assertThat(begin.getReturnType().getMethod("end")).isNotNull();
      }
    }
  }

  @Test
  void registersRepresentations() {
    assertThat(publicMethods(DataRepresentations.class)).contains("register");
  }
}
