package org.hyperslab.convert;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.LongStream;
import org.hyperslab.Attribute;
import org.hyperslab.H5File;
import org.hyperslab.Hdf5;
import org.hyperslab.convert.options.ConversionOptions;
import org.hyperslab.convert.options.ConversionReport;
import org.hyperslab.error.UnsupportedFeatureException;
import org.hyperslab.testkit.Oracle;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Names that some formats have and others do not. */
final class OddNamesTest {

  @TempDir Path folder;

  /** Outside Windows a letter and a colon are no drive. */
  @Test
  @DisabledOnOs(value = OS.WINDOWS, disabledReason = "there a letter and a colon are a drive")
  void namesMayBeginWithALetterAndAColon() throws IOException {
    String make = "import numpy, sys\nnumpy.savez(sys.argv[1], **{'x:y': [1, 2]})\n";
    String judge =
        """
        import numpy, sys, zarr
        with numpy.load(sys.argv[1]) as archive:
            assert archive["x:y"].tolist() == [1, 2] and archive.files == ["x:y"], archive.files
        assert zarr.open(sys.argv[2], mode="r")["x:y"][...].tolist() == [1, 2]
        """;
    Path in = folder.resolve("in.npz");
    Path middle = folder.resolve("middle.h5");
    Path back = folder.resolve("back.npz");
    Path store = folder.resolve("out.zarr");
    Path last = folder.resolve("last.h5");
    Oracle.h5py(Files.writeString(folder.resolve("make.py"), make)).run(in.toString()).orFail();
    FileConverter.convert(in, middle);
    FileConverter.convert(middle, back);
    FileConverter.convert(middle, store);
    FileConverter.convert(store, last);
    Oracle.python("zarr", Files.writeString(folder.resolve("judge.py"), judge))
        .run(back.toString(), store.toString())
        .orFail();
    try (H5File file = Hdf5.open(last)) {
      assertThat(file.dataset("x:y").readLongs()).containsExactly(1, 2);
    }
  }

  @Test
  void attributesOfZarrWithoutANameAreReported() throws IOException {
    Path store = Files.createDirectory(folder.resolve("in.zarr"));
    Files.writeString(store.resolve(".zgroup"), "{\"zarr_format\": 2}");
    Files.writeString(store.resolve(".zattrs"), "{\"\": 1, \"a\": 2}");
    Path out = folder.resolve("out.h5");
    assertThatThrownBy(() -> FileConverter.convert(store, out))
        .isInstanceOf(UnsupportedFeatureException.class)
        .hasMessageContaining("an attribute with the name \"\"");
    assertThat(out).doesNotExist();
    ConversionOptions lenient = ConversionOptions.DEFAULT.withLenient(true);
    ConversionReport report =
        FileConverter.convert(store, out, lenient, FileConverter.Progress.NONE);
    assertThat(report.losses()).hasSize(1);
    try (H5File file = Hdf5.open(out)) {
      assertThat(file.root().attributes().map(Attribute::name)).containsExactly("a");
    }
  }

  /** A link that is not followed would be a missing chunk, which has the fill value. */
  @Test
  @DisabledOnOs(value = OS.WINDOWS, disabledReason = "there links need a privilege")
  void linksInAStoreAreFollowedInsideItAndRefusedElsewhere() throws IOException {
    Path in = folder.resolve("in.h5");
    try (H5File file = Hdf5.create(in)) {
      file.createDataset("a", new int[] {4, 5});
    }
    Path store = folder.resolve("store.zarr");
    FileConverter.convert(in, store);
    Path chunk = store.resolve("a/0");
    Path moved = Files.move(chunk, store.resolve("moved"));
    Files.createSymbolicLink(chunk, moved);
    Path out = folder.resolve("out.h5");
    FileConverter.convert(store, out);
    try (H5File file = Hdf5.open(out)) {
      assertThat(file.dataset("a").readLongs()).containsExactly(4, 5);
    }
    Files.delete(chunk);
    Files.createSymbolicLink(chunk, Files.move(moved, folder.resolve("elsewhere")));
    Path none = folder.resolve("none.h5");
    assertThatThrownBy(() -> FileConverter.convert(store, none))
        .isInstanceOf(UnsupportedFeatureException.class)
        .hasMessageContaining("symbolic link");
    assertThat(none).doesNotExist();
  }

  @Test
  void nestedChunksOfOldStoresAreFound() throws IOException {
    String make =
        """
        import json, numpy, os, sys, zarr
        store = zarr.NestedDirectoryStore(sys.argv[1])
        a = zarr.open_group(store, mode="w").create_dataset("a", shape=(4, 6), chunks=(2, 3), dtype="i4")
        a[...] = numpy.arange(24).reshape(4, 6)
        path = os.path.join(sys.argv[1], "a", ".zarray")
        document = json.load(open(path))
        del document["dimension_separator"]  # as before zarr-python 2.8
        json.dump(document, open(path, "w"))
        assert zarr.open_group(zarr.NestedDirectoryStore(sys.argv[1]), mode="r")["a"][3, 5] == 23
        """;
    Path store = folder.resolve("in.zarr");
    Oracle.python("zarr", Files.writeString(folder.resolve("make.py"), make))
        .run(store.toString())
        .orFail();
    Path out = folder.resolve("out.h5");
    FileConverter.convert(store, out);
    try (H5File file = Hdf5.open(out)) {
      assertThat(file.dataset("a").readLongs()).isEqualTo(LongStream.range(0, 24).toArray());
    }
  }

  /** Files of anndata and hyperspy have them; only version 3 of Zarr reserves such names. */
  @Test
  void namesThatBeginWithTwoUnderscoresAreNamesInZarr2() throws IOException {
    String make =
        """
        import h5py, numpy, sys
        text = h5py.string_dtype()
        with h5py.File(sys.argv[1] + "/cells.h5ad", "w") as f:
            for side in ("obs", "var"):
                o = f.create_group(side)
                o.attrs["_index"] = "index"
                o.create_dataset("index", data=["a", "b", "c"], dtype=text)
                codes = o.create_dataset("cell", data=numpy.array([0, 1, 0], "i1"))
                names = o.create_group("__categories").create_dataset("cell", data=["B", "T"], dtype=text)
                names.attrs["ordered"] = False
                codes.attrs["categories"] = names.ref
        with h5py.File(sys.argv[1] + "/image.hspy", "w") as f:
            f.attrs["file_format"] = "HyperSpy"
            e = f.create_group("Experiments/__unnamed__")
            e.create_dataset("data", data=numpy.arange(60.0).reshape(3, 4, 5), compression="gzip")
            e.create_group("original_metadata/__sub__").attrs["__n__"] = 1
        """;
    String judge =
        """
        import sys, zarr
        cells = zarr.open_consolidated(sys.argv[1] + "/cells.h5ad.zarr")
        assert cells["obs/__categories/cell"][...].tolist() == ["B", "T"]
        assert cells["var/cell"][...].tolist() == [0, 1, 0]
        assert cells["obs"][cells["obs/cell"].attrs["categories"]][...].tolist() == ["B", "T"]
        image = zarr.open_consolidated(sys.argv[1] + "/image.hspy.zarr")
        assert image["Experiments/__unnamed__/data"][2, 3, 4] == 59
        assert image["Experiments/__unnamed__/original_metadata/__sub__"].attrs["__n__"] == 1
        """;
    Oracle.h5py(Files.writeString(folder.resolve("make.py"), make)).run(folder.toString()).orFail();
    for (String name : List.of("cells.h5ad", "image.hspy")) {
      Path in = folder.resolve(name);
      ConversionOptions lenient = ConversionOptions.DEFAULT.withLenient(true);
      ConversionReport report = FileConverter.convert(in, folder.resolve(name + ".zarr"));
      assertThat(report.notes()).allMatch(line -> line.contains("the attribute categories of"));
      Path back = folder.resolve(name + ".h5");
      FileConverter.convert(folder.resolve(name + ".zarr"), back);
      Path three = folder.resolve(name + ".zarr3");
      assertThatThrownBy(() -> FileConverter.convert(back, three))
          .isInstanceOf(UnsupportedFeatureException.class)
          .hasMessageContaining("version 3 of Zarr reserves")
          .hasMessageContaining("--to zarr2");
      ConversionReport left =
          FileConverter.convert(back, three, lenient, FileConverter.Progress.NONE);
      assertThat(left.losses()).isNotEmpty().allMatch(line -> line.contains("the name __"));
    }
    Oracle.python("zarr", Files.writeString(folder.resolve("judge.py"), judge))
        .run(folder.toString())
        .orFail();
  }
}
