package org.hyperslab.convert;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.hyperslab.H5File;
import org.hyperslab.Hdf5;
import org.hyperslab.convert.model.GroupNode;
import org.hyperslab.convert.options.ConversionOptions;
import org.hyperslab.convert.options.ConversionReport;
import org.hyperslab.convert.options.FileKind;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.error.NotFoundException;
import org.hyperslab.error.UnsupportedFeatureException;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.type.Datatypes;
import org.hyperslab.format.type.Reference;
import org.hyperslab.testkit.Oracle;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests conversions from HDF5 and to HDF5 that do not depend on the other format. */
final class Hdf5ConversionTest {

  @TempDir Path folder;

  @Test
  void groupsThatAreNestedTooDeeplyAreRefused() {
    Path in = folder.resolve("deep.h5");
    Path out = folder.resolve("out.zarr3");
    for (int depth : new int[] {GroupNode.MAX_DEPTH, GroupNode.MAX_DEPTH + 1}) {
      try (H5File file = Hdf5.create(in)) {
        file.createDataset("g/".repeat(depth) + "x", new int[] {1});
      }
      if (depth == GroupNode.MAX_DEPTH) {
        FileConverter.convert(in, folder.resolve("kept.h5"));
        assertThat(folder.resolve("kept.h5")).exists();
        continue;
      }
      assertThatThrownBy(() -> FileConverter.convert(in, out))
          .isInstanceOf(UnsupportedFeatureException.class)
          .hasMessageContaining("levels");
      assertThat(out).doesNotExist();
    }
  }

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
  void attributesThatOnlyHaveANameOfNetcdfAreNoted() {
    Path in = folder.resolve("in.h5");
    try (H5File file = Hdf5.create(in)) {
      var x = file.createDataset("x", new int[] {1, 2});
      x.setAttribute("DIMENSION_LIST", "of mine");
      x.setAttribute("units", "K");
    }
    ConversionReport report = FileConverter.convert(in, folder.resolve("out.nc4"));
    assertThat(report.notes())
        .singleElement()
        .asString()
        .contains("/x: the attribute DIMENSION_LIST", "is left out", "rename it");
  }

  /** Makes a file with links that lead nowhere, and attributes and datasets without elements. */
  private Path odd() {
    Path in = folder.resolve("odd.h5");
    Oracle.h5py()
        .run(
            """
            import sys, h5py, numpy
            with h5py.File(sys.argv[1], "w") as file:
                file["x"] = numpy.arange(3, dtype="i4")
                file["x"].attrs["number"] = h5py.Empty("f8")
                file["x"].attrs["text"] = h5py.Empty(h5py.string_dtype())
                file["numbers"] = h5py.Empty("i4")
                file["texts"] = h5py.Empty(h5py.string_dtype())
                file["soft"] = h5py.SoftLink("/none")
                file["outside"] = h5py.ExternalLink("missing.h5", "/y")
            """,
            in.toString())
        .orFail();
    return in;
  }

  @ParameterizedTest
  @ValueSource(strings = {"nc", "nc4", "nc7", "zarr", "zarr3", "npz"})
  void linksThatLeadNowhereAndNullDataspacesAreNamed(String ending) {
    Path in = odd();
    Path out = folder.resolve("out." + ending);
    assertThatThrownBy(() -> FileConverter.convert(in, out))
        .isInstanceOf(UnsupportedFeatureException.class)
        .hasMessageContainingAll("use --lenient to leave it out", "at=/");
    assertThat(out).doesNotExist();
    ConversionReport report =
        FileConverter.convert(
            in, out, ConversionOptions.DEFAULT.withLenient(true), FileConverter.Progress.NONE);
    assertThat(report.losses())
        .contains(
            "/soft: a soft link to /none",
            "/outside: an external link to /y in the file missing.h5",
            "/numbers: a dataset without a shape and elements (null dataspace)",
            "/texts: a dataset without a shape and elements (null dataspace)");
    if (ending.startsWith("zarr")) {
      assertThat(report.losses())
          .contains(
              "/x: the attribute number, which has no elements (null dataspace)",
              "/x: the attribute text, which has no elements (null dataspace)");
    }
    Path back = folder.resolve("back.h5");
    FileConverter.convert(out, back);
    try (H5File file = Hdf5.open(back)) {
      assertThat(file.dataset("x").readInts()).containsExactly(0, 1, 2);
    }
  }

  @Test
  void linksThatLeadNowhereAndNullDataspacesStayInHdf5() {
    Path out = folder.resolve("out.h5");
    assertThat(FileConverter.convert(odd(), out).losses()).isEmpty();
    Oracle.h5py()
        .run(
            """
            import sys, h5py
            with h5py.File(sys.argv[1]) as file:
                assert file["x"].attrs["number"] == h5py.Empty("f8")
                assert isinstance(file["x"].attrs["text"], h5py.Empty)
                assert file["numbers"].shape is None and file["numbers"].dtype == "i4"
                assert file["texts"].shape is None
                assert file.get("soft", getlink=True).path == "/none"
                outside = file.get("outside", getlink=True)
                assert (outside.filename, outside.path) == ("missing.h5", "/y")
            """,
            out.toString())
        .orFail();
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
    assertThat(report.losses())
        .containsExactlyInAnyOrder("/soft: a soft link to /x", "/y: a second hard link to /x");
  }

  @Test
  void membersBecomeOneFileAndLinksAndVirtualDatasetsStay() {
    Oracle.h5py()
        .runIn(
            folder,
            """
            import h5py, numpy as np
            for name, options in (('f%d.h5', dict(driver='family', memb_size=4096)),
                                  ('s', dict(driver='split'))):
                with h5py.File(name, 'w', **options) as f:
                    f['g/x'] = np.arange(5000, dtype='>i4').reshape(50, 100)
                    f['g/x'].attrs['unit'] = 'm'
                    f['again'] = f['g/x']
                    f['soft'] = h5py.SoftLink('/g/x')
                    f['other'] = h5py.ExternalLink('away.h5', '/y')
            for i in range(3):
                with h5py.File('rank%d.h5' % i, 'w') as f:
                    f['x'] = np.arange(10.) + 10 * i
            layout = h5py.VirtualLayout((3, 10), 'f8')
            for i in range(3):
                layout[i] = h5py.VirtualSource('rank%d.h5' % i, 'x', (10,))
            with h5py.File('virtual.h5', 'w') as f:
                f.create_virtual_dataset('all', layout)
            """)
        .orFail();
    FileConverter.convert(folder.resolve("f%d.h5"), folder.resolve("family.h5"));
    ConversionOptions split = ConversionOptions.DEFAULT.withKinds(FileKind.SPLIT, FileKind.HDF5);
    FileConverter.convert(
        folder.resolve("s"), folder.resolve("split.h5"), split, FileConverter.Progress.NONE);
    FileConverter.convert(folder.resolve("virtual.h5"), folder.resolve("real.h5"));
    Oracle.h5py()
        .runIn(
            folder,
            """
            import glob, h5py, numpy as np, os
            for name in glob.glob('rank*.h5'):
                os.remove(name)
            for name in ('family.h5', 'split.h5'):
                with h5py.File(name) as f:
                    assert f['g/x'].dtype == '>i4' and f['g/x'].attrs['unit'] == 'm', name
                    assert (f['g/x'][...] == np.arange(5000).reshape(50, 100)).all(), name
                    assert f['again'] == f['g/x'] and f['soft'] == f['g/x'], name
                    assert f.get('other', getlink=True).filename == 'away.h5', name
            with h5py.File('real.h5') as f:
                assert not f['all'].is_virtual
                assert (f['all'][...] == np.arange(30.).reshape(3, 10)).all()
            """)
        .orFail();
  }

  /** Chunks at the edges hold the fill value where the dataset may grow. */
  @Test
  void elementsBeyondTheEdgesAreTheFillValue() {
    Oracle.h5py()
        .runIn(
            folder,
            """
            import h5py, numpy as np
            with h5py.File('in.h5', 'w') as f:
                for name, options in (('plain', {}), ('packed', dict(compression='gzip', shuffle=True))):
                    for chunks in ((2, 3, 4), (1, 2, 11), (3, 5, 4), (7, 9, 13)):
                        d = f.create_dataset('%s%d' % (name, chunks[0]), (5, 7, 11), '<i4', chunks=chunks,
                                             maxshape=(None, None, None), fillvalue=-3, **options)
                        d[...] = np.arange(5 * 7 * 11).reshape(5, 7, 11)
            """)
        .orFail();
    FileConverter.convert(folder.resolve("in.h5"), folder.resolve("out.h5"));
    FileConverter.convert(
        folder.resolve("in.h5"),
        folder.resolve("deflated.h5"),
        ConversionOptions.DEFAULT.withDeflate(1),
        FileConverter.Progress.NONE);
    Oracle.h5py()
        .runIn(
            folder,
            """
            import h5py, numpy as np
            for name in ('out.h5', 'deflated.h5'):
                with h5py.File(name, 'r+') as f:
                    assert len(f) == 8
                    for d in f.values():
                        assert d.compression == ('gzip' if 'packed' in d.name or 'def' in name else None), d
                        d.resize((9, 10, 13))
                        expected = np.full((9, 10, 13), -3)
                        expected[:5, :7, :11] = np.arange(5 * 7 * 11).reshape(5, 7, 11)
                        assert (d[...] == expected).all(), d
            """)
        .orFail();
  }

  @Test
  void memoryIsBounded() {
    Path in = folder.resolve("in.h5");
    try (H5File file = Hdf5.create(in)) {
      file.datasetBuilder("x")
          .type(double.class)
          .shape(300, 1000)
          .options(o -> o.chunked(70, 1000))
          .create()
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
        .hasMessageContaining("HDF4 is not supported");
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

  @Test
  void theNameOfACommittedTypeIsListedWhereTheTargetHasNone() {
    Path in = folder.resolve("named.h5");
    Oracle.h5py()
        .runIn(
            folder,
            """
            import h5py, numpy as np
            with h5py.File('named.h5', 'w') as f:
                f['g/degrees'] = np.dtype('f8')
                f.create_dataset('x', data=np.arange(3.), dtype=f['g/degrees'])
            """)
        .orFail();
    for (String name : List.of("out.zarr", "out.zarr3", "out.nc", "out.npz")) {
      Path out = folder.resolve(name);
      assertThatThrownBy(() -> FileConverter.convert(in, out))
          .isInstanceOf(UnsupportedFeatureException.class)
          .hasMessageContaining("the name of a committed datatype")
          .hasMessageContaining("/g/degrees");
      assertThat(out).doesNotExist();
      ConversionReport report =
          FileConverter.convert(
              in, out, ConversionOptions.DEFAULT.withLenient(true), FileConverter.Progress.NONE);
      assertThat(report.losses()).anyMatch(loss -> loss.startsWith("/g/degrees: the name of"));
    }
    assertThat(FileConverter.convert(in, folder.resolve("kept.h5")).losses()).isEmpty();
  }

  @Test
  void oneFormatIsSetAndTheOtherDetected() {
    Path in = folder.resolve("plain.h5");
    try (H5File file = Hdf5.create(in)) {
      file.createDataset("x", new int[] {1, 2, 3});
    }
    Path out = folder.resolve("unnamed");
    ConversionReport report =
        FileConverter.convert(
            in, out, ConversionOptions.DEFAULT.withTo(FileKind.CDF2), FileConverter.Progress.NONE);
    assertThat(report.to()).isEqualTo(FileKind.CDF2);
    assertThat(
            FileConverter.convert(
                    out,
                    folder.resolve("again.npy"),
                    ConversionOptions.DEFAULT.withFrom(FileKind.CDF2).withLenient(true),
                    FileConverter.Progress.NONE)
                .to())
        .isEqualTo(FileKind.NPY);
    assertThatThrownBy(() -> ConversionOptions.DEFAULT.withKinds(null, FileKind.CDF2))
        .isInstanceOf(InvalidUseException.class)
        .hasMessageContaining("withTo");
  }
}
