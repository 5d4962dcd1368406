package org.hyperslab.tools.dump;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.hyperslab.CommittedType;
import org.hyperslab.Dataset;
import org.hyperslab.Group;
import org.hyperslab.H5File;
import org.hyperslab.Hdf5;
import org.hyperslab.format.type.Datatypes;
import org.hyperslab.testkit.Oracle;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Compares groups of many members, which several threads print ahead, with h5dump. */
final class ManyMembersDumpTest {

  private static final int MEMBERS = 500;

  @TempDir private Path folder;

  @Test
  void membersOfEveryKindComeInOrder() {
    Path path = folder.resolve("many.h5");
    try (H5File file = Hdf5.create(path)) {
      Group group = file.root().createGroup("many");
      CommittedType named = file.root().commit("named", Datatypes.I16BE);
      for (int i = 0; i < MEMBERS; i++) {
        String name = String.format("m%04d", i);
        Dataset member =
            i % 7 == 0
                ? group.datasetBuilder(name).type(named).shape(3).create()
                : group.createDataset(name, new double[] {i, -i});
        if (i % 3 != 0) {
          member.setAttribute("units", "m/s");
          member.setAttribute("where", new long[] {i, 2L * i});
        }
        if (i % 11 == 0) {
          member.setComment("comment " + i);
        }
        if (i % 13 == 0 && i % 19 != 0) { // h5dump names targets of references by any path
          group.createHardLink(name + "again", member);
        }
        if (i % 17 == 0) {
          group.createSoftLink(name + "soft", name);
        }
        if (i % 19 == 0) {
          group.createGroup(name + "inner").setAttribute("self", member.reference());
        }
        if (i % 23 == 0) {
          group.createDataset(name + "long", new int[10_000]);
        }
      }
      group.close();
    }
    assertSameAsH5dump(path);
  }

  @Test
  void committedTypeWithoutAPathComesFirst() {
    Path path = folder.resolve("unnamed.h5");
    try (H5File file = Hdf5.create(path)) {
      for (int i = 0; i < MEMBERS; i++) {
        file.createDataset("d" + i, new int[] {i});
      }
      CommittedType lost = file.root().commit("lost", Datatypes.F32LE);
      file.root().datasetBuilder("z").type(lost).shape(2).create();
      file.root().delete("lost");
    }
    assertSameAsH5dump(path);
  }

  private static void assertSameAsH5dump(Path path) {
    Oracle judge = Oracle.newest("h5dump").orElse(null);
    assumeTrue(judge != null, "no newest h5dump");
    for (List<String> options : List.of(List.of("-A"), List.<String>of(), List.of("-p", "-H"))) {
      List<String> words = Stream.concat(options.stream(), Stream.of(path.toString())).toList();
      StringBuilder text = new StringBuilder();
      assertThat(new Dump(Hdf5::open, System.err).run(words, text)).isZero();
      String expected = judge.run(words.toArray(String[]::new)).orFail().output();
      assertThat(text.toString()).as("%s", options).isEqualTo(expected);
    }
  }
}
