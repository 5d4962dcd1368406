package org.hyperslab.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import org.hyperslab.Dataset;
import org.hyperslab.H5File;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.type.CompoundType;
import org.hyperslab.format.type.Datatypes;
import org.hyperslab.model.DatasetOptions;
import org.junit.jupiter.api.Test;

/** Tests single fields of compound elements, read and written. */
abstract class FieldContract extends ContractBase {

  private static final CompoundType INNER =
      CompoundType.builder().member("a", Datatypes.I16BE).member("b", Datatypes.F32LE).build();
  private static final CompoundType TYPE =
      CompoundType.builder()
          .member("id", Datatypes.I32LE)
          .member("x", Datatypes.F64BE)
          .member("name", Datatypes.vlenString())
          .member("inner", INNER)
          .build();

  FieldContract() {}

  /** An element of the compound type. */
  record Element(int id, double x, String name, Inner inner) {}

  /** Part of an element. */
  record Inner(int a, float b) {}

  /** Some fields of an element. */
  record Some(double x, int id) {}

  private static Element element(int i) {
    return new Element(i, i / 2.0, "n" + i, new Inner(-i, i));
  }

  private static Element[] elements(int count) {
    Element[] all = new Element[count];
    for (int i = 0; i < count; i++) {
      all[i] = element(i);
    }
    return all;
  }

  private void create(H5File file) {
    file.createDataset("plain", TYPE, Dataspace.simple(4)).write(elements(4));
    file.datasetBuilder("chunks")
        .type(TYPE)
        .shape(4)
        .options(DatasetOptions.chunked(3).deflate(1).build())
        .create()
        .write(elements(4));
  }

  @Test
  void slicesAndFieldsAreTransferredWithoutWaiting() {
    create(file());
    for (String name : new String[] {"plain", "chunks"}) {
      Dataset dataset = file().dataset(name);
      dataset.slice("1:3").field("id").writeAsync(new int[] {10, 20}).join();
      dataset.slice("0").writeAsync(element(7)).join();
    }
    inBothLives(file -> {
      for (String name : new String[] {"plain", "chunks"}) {
        Dataset dataset = file.dataset(name);
        double[] ids = new double[4];
        dataset.field("id").readIntoAsync(ids).join();
        assertThat(ids).containsExactly(7, 10, 20, 3);
        assertThat(dataset.slice("0").readAsync(Element.class).join()).isEqualTo(element(7));
        assertThat(dataset.slice("1:3").field("id").readAsync(byte[].class).join())
            .containsExactly((byte) 10, (byte) 20);
        assertThat(dataset.field("id").readFloats()).containsExactly(7, 10, 20, 3);
        assertThat(dataset.field("id").readShorts()).containsExactly(new short[] {7, 10, 20, 3});
        assertThat(dataset.field("id").readBytes()).containsExactly(7, 10, 20, 3);
      }
    });
  }

  @Test
  void fieldsAreReadAlone() {
    create(file());
    inBothLives(file -> {
      for (String name : new String[] {"plain", "chunks"}) {
        Dataset dataset = file.dataset(name);
        assertThat(dataset.field("x").readDoubles()).containsExactly(0, 0.5, 1, 1.5);
        assertThat(dataset.field("id").readLongs()).containsExactly(0, 1, 2, 3);
        assertThat(dataset.field("name").readStrings()).containsExactly("n0", "n1", "n2", "n3");
        assertThat(dataset.field("inner").field("a").read()).isEqualTo(new short[] {0, -1, -2, -3});
        assertThat(dataset.field("inner").read(Inner[].class)[2]).isEqualTo(new Inner(-2, 2));
        assertThat(dataset.slice("1:3").field("x").readDoubles()).containsExactly(0.5, 1);
        assertThat(dataset.slice("2").field("id").read(Integer.class)).isEqualTo(2);
        assertThat(dataset.fields("x", "id").read(Some[].class)[3]).isEqualTo(new Some(1.5, 3));
        int[] into = new int[4];
        dataset.field("id").readInto(into);
        assertThat(into).containsExactly(0, 1, 2, 3);
      }
    });
  }

  @Test
  void fieldsAreWrittenAlone() {
    create(file());
    for (String name : new String[] {"plain", "chunks"}) {
      Dataset dataset = file().dataset(name);
      dataset.field("x").write(new double[] {9, 8, 7, 6});
      dataset.slice("1:3").field("id").write(new long[] {50, 60});
      dataset.slice("0").field("inner").field("b").write(2.5f);
      dataset.slice("3:").field("name").write(new String[] {"new"});
      dataset.slice("3:").fields("x", "id").write(new Some[] {new Some(-1, -2)});
    }
    Element[] expected = {
      new Element(0, 9, "n0", new Inner(0, 2.5f)),
      new Element(50, 8, "n1", new Inner(-1, 1)),
      new Element(60, 7, "n2", new Inner(-2, 2)),
      new Element(-2, -1, "new", new Inner(-3, 3))
    };
    inBothLives(file -> {
      assertThat(file.dataset("plain").read(Element[].class)).containsExactly(expected);
      assertThat(file.dataset("chunks").read(Element[].class)).containsExactly(expected);
    });
    file().close();
    PythonView view = new PythonView();
    for (String name : new String[] {"plain", "chunks"}) {
      view.see("f['" + name + "']['x'].tolist()", "[9.0, 8.0, 7.0, -1.0]")
          .see("f['" + name + "']['id'].tolist()", "[0, 50, 60, -2]")
          .see("f['" + name + "']['name'].tolist()", "[b'n0', b'n1', b'n2', b'new']");
    }
    pathOf(fileName()).ifPresent(view::judge);
  }

  @Test
  void fieldsWrittenAfterWholeElementsKeepTheOtherFields() {
    CompoundType pair =
        CompoundType.builder().member("x", Datatypes.I32LE).member("id", Datatypes.I32LE).build();
    Dataset dataset = file().createDataset("d", pair, Dataspace.simple(3));
    for (int round = 0; round < 20; round++) {
      Some[] whole = {new Some(round, 1), new Some(round, 2), new Some(round, 3)};
      dataset.writeAsync(whole);
      dataset.field("id").write(new int[] {round, round, round});
      assertThat(dataset.field("x").readInts()).containsExactly(round, round, round);
      assertThat(dataset.field("id").readInts()).containsExactly(round, round, round);
    }
  }

  @Test
  void missingFieldsAreNamed() {
    create(file());
    Dataset plain = file().dataset("plain");
    fails(InvalidUseException.class, () -> plain.field("y"), "y", "id");
    fails(InvalidUseException.class, () -> plain.field("x").field("z"), "compound");
    fails(
        InvalidUseException.class,
        () -> plain.field("id").write(new long[] {1L << 40, 0, 0, 0}),
        "range");
    assertThat(plain.field("id").readInts()).containsExactly(0, 1, 2, 3);
  }
}
