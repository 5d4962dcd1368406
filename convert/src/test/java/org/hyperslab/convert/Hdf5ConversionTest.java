package org.hyperslab.convert;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.hyperslab.H5File;
import org.hyperslab.Hdf5;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.error.NotFoundException;
import org.hyperslab.error.UnsupportedFeatureException;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.type.Datatypes;
import org.hyperslab.format.type.Reference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** HDF5 as a source and as a target, whatever the other format is. */
final class Hdf5ConversionTest {

  @TempDir Path folder;

  @Test
  void referencesAreNotCopiedIntoAnotherFile() {
    Path in = folder.resolve("in.h5");
    try (H5File file = Hdf5.create(in)) {
      var x = file.createDataset("x", new int[] {1, 2});
      file.createDataset("r", Datatypes.OBJECT_REFERENCE, Dataspace.simple(1))
          .write(new Reference[] {x.reference()});
      file.root().setAttribute("to", x.reference());
    }
    Path out = folder.resolve("out.h5");
    assertThatThrownBy(() -> FileConverter.convert(in, out))
        .isInstanceOf(UnsupportedFeatureException.class);
    assertThat(out).doesNotExist();
    ConversionReport report =
        FileConverter.convert(
            in, out, ConversionOptions.DEFAULT.withLenient(true), FileConverter.Progress.NONE);
    assertThat(report.losses()).hasSize(2);
    try (H5File file = Hdf5.open(out)) {
      assertThat(file.root().names()).containsExactly("x");
      assertThat(file.root().attributeCount()).isZero();
    }
  }

  @Test
  void linksThatAreNotHardAreListed() {
    Path in = folder.resolve("in.h5");
    try (H5File file = Hdf5.create(in)) {
      file.createDataset("x", new int[] {1, 2});
      file.root().createSoftLink("soft", "/x");
      file.root().createHardLink("y", "x");
    }
    Path out = folder.resolve("out.npz");
    ConversionReport report =
        FileConverter.convert(
            in, out, ConversionOptions.DEFAULT.withLenient(true), FileConverter.Progress.NONE);
    assertThat(report.losses()).hasSize(2);
    assertThat(String.join("\n", report.losses())).contains("/soft", "/y");
  }

  @Test
  void memoryIsBounded() {
    Path in = folder.resolve("in.h5");
    try (H5File file = Hdf5.create(in)) {
      file.createDataset("x", double.class, new long[] {300, 1000}, o -> o.chunks(70, 1000))
          .write(new double[300][1000]);
    }
    Path out = folder.resolve("out.npy");
    ConversionOptions little = ConversionOptions.DEFAULT.withMemory(64 << 10);
    FileConverter.convert(in, out, little, FileConverter.Progress.NONE);
    Path back = folder.resolve("back.h5");
    FileConverter.convert(out, back, little, FileConverter.Progress.NONE);
    try (H5File file = Hdf5.open(back)) {
      assertThat(file.dataset("data").shape()).containsExactly(300, 1000);
    }
    assertThatThrownBy(() ->
            FileConverter.convert(
                in, folder.resolve("out.zarr"), little, FileConverter.Progress.NONE))
        .isInstanceOf(InvalidUseException.class)
        .hasMessageContaining("--memory");
    assertThat(folder.resolve("out.zarr")).doesNotExist();
  }

  @Test
  void formatsThatAreNotKnownAreNamed() throws Exception {
    Path hdf4 = Files.write(folder.resolve("old.hdf"), new byte[] {0x0E, 3, 0x13, 1, 0});
    assertThatThrownBy(() -> FileConverter.convert(hdf4, folder.resolve("a.h5")))
        .isInstanceOf(UnsupportedFeatureException.class)
        .hasMessageContaining("HDF4 is out of scope");
    Path text = Files.writeString(folder.resolve("text"), "text");
    assertThatThrownBy(() -> FileConverter.convert(text, folder.resolve("a.h5")))
        .isInstanceOf(UnsupportedFeatureException.class)
        .hasMessageContaining("--from");
    assertThatThrownBy(() -> FileConverter.convert(folder.resolve("no"), folder.resolve("a.h5")))
        .isInstanceOf(NotFoundException.class);
    assertThatThrownBy(() -> FileConverter.convert(text, text))
        .isInstanceOf(RuntimeException.class);
    assertThat(List.of(text)).allSatisfy(file -> assertThat(file).hasContent("text"));
  }
}
