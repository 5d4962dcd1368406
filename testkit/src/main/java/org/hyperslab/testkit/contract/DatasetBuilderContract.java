package org.hyperslab.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import org.hyperslab.CommittedType;
import org.hyperslab.Dataset;
import org.hyperslab.DatasetBuilder;
import org.hyperslab.Hdf5;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.error.NotFoundException;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.type.Datatypes;
import org.hyperslab.model.LinkOptions;
import org.junit.jupiter.api.Test;

/** Tests what {@link DatasetBuilder} makes of what it is given, and what it refuses. */
abstract class DatasetBuilderContract extends ContractBase {

  DatasetBuilderContract() {}

  private DatasetBuilder builder() {
    return file().datasetBuilder("d");
  }

  @Test
  void aValueGivesTypeAndShape() {
    builder().value(new short[][] {{1, 2, 3}, {4, 5, 6}}).create().close();
    inBothLives(file -> {
      Dataset dataset = file.dataset("d");
      assertThat(dataset.shape()).containsExactly(2, 3);
      assertThat(dataset.type().memorySize()).isEqualTo(2);
      assertThat(dataset.readInts()).containsExactly(1, 2, 3, 4, 5, 6);
    });
  }

  @Test
  void aValueIsStoredAsTheTypeBesideIt() {
    builder().value(new int[] {1, -2}).type(Datatypes.I16BE).create().close();
    inBothLives(file -> {
      assertThat(file.dataset("d").type()).isEqualTo(Datatypes.I16BE);
      assertThat(file.dataset("d").readInts()).containsExactly(1, -2);
    });
  }

  @Test
  void aValueSharesTheCommittedTypeBesideIt() {
    try (CommittedType type = file().root().commit("type", Datatypes.F32BE)) {
      builder().value(new double[] {1, 2}).type(type).create().close();
    }
    inBothLives(file -> {
      Dataset dataset = file.dataset("d");
      assertThat(dataset.committedType()).isPresent();
      assertThat(dataset.readDoubles()).containsExactly(1, 2);
    });
  }

  @Test
  void aTypeAloneMakesAScalar() {
    builder().type(double.class).create().write(2.5);
    inBothLives(file -> {
      assertThat(file.dataset("d").shape()).isEmpty();
      assertThat(file.dataset("d").readDouble()).isEqualTo(2.5);
    });
  }

  @Test
  void aMaximumShapeLetsAValueGrow() {
    Dataset dataset =
        builder()
            .value(new int[] {1, 2})
            .maxShape(Hdf5.UNLIMITED)
            .options(o -> o.chunked(4))
            .create();
    dataset.append(new int[] {3});
    inBothLives(file -> assertThat(file.dataset("d").readInts()).containsExactly(1, 2, 3));
  }

  @Test
  void optionsAddToThoseSetBefore() {
    Dataset dataset =
        builder()
            .type(int.class)
            .shape(4)
            .options(o -> o.chunked(2))
            .options(o -> o.deflate(1))
            .create();
    assertThat(dataset.options().filters()).hasSize(1);
    assertThat(dataset.chunkSlices()).hasSize(2);
  }

  @Test
  void linkOptionsApplyToValuesToo() {
    LinkOptions strict = LinkOptions.builder().createIntermediate(false).build();
    fails(
        NotFoundException.class,
        () -> file().datasetBuilder("none/d").value(1).link(strict).create(),
        "none");
    assertThat(file().root().names()).isEmpty();
  }

  @Test
  void withoutWaitingTheDatasetCanBeWrittenAtOnce() {
    Dataset dataset = builder().type(int.class).shape(2).createAsync();
    dataset.write(new int[] {7, 8});
    dataset.opened().join();
    inBothLives(file -> assertThat(file.dataset("d").readInts()).containsExactly(7, 8));
  }

  @Test
  void contradictionsAreRefusedAndChangeNothing() {
    fails(InvalidUseException.class, () -> builder().create(), "type");
    fails(InvalidUseException.class, () -> builder().shape(2).create(), "type");
    fails(
        InvalidUseException.class,
        () -> builder().value(1).space(Dataspace.scalar()).create(),
        "d");
    fails(InvalidUseException.class, () -> builder().value(1).createAsync(), "writeAsync");
    fails(
        InvalidUseException.class,
        () -> builder().value(new int[] {1, 2}).maxShape(2, 2).create(),
        "2");
    assertThat(file().root().names()).isEmpty();
  }
}
