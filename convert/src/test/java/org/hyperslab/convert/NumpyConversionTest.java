package org.hyperslab.convert;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.zip.CRC32;
import java.util.zip.Deflater;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.hyperslab.H5File;
import org.hyperslab.Hdf5;
import org.hyperslab.convert.model.GroupNode;
import org.hyperslab.convert.options.ConversionOptions;
import org.hyperslab.convert.options.ConversionReport;
import org.hyperslab.convert.options.FileKind;
import org.hyperslab.error.AlreadyExistsException;
import org.hyperslab.error.CorruptFileException;
import org.hyperslab.error.UnsupportedFeatureException;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.type.Datatypes;
import org.hyperslab.testkit.Effort;
import org.hyperslab.testkit.Oracle;
import org.hyperslab.testkit.Seeds;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class NumpyConversionTest {

  @TempDir Path folder;

  @Test
  void damagedDescriptionsOfRawFilesAreRefusedOrRead() throws IOException {
    Path in = Files.write(folder.resolve("in.raw"), new byte[96]);
    Path out = folder.resolve("raw.h5");
    long seed = Seeds.draw();
    List<String> sound =
        List.of(
            "type=<f8,shape=3x4,order=F,offset=0",
            "type=[('a', '<i4'), ('b', '>u2', (2,))],shape=8,offset=32",
            "type=>i2,shape=2x3x4,order=C,offset=48");
    for (int i = 0; i < Effort.times(300, 20_000); i++) {
      Random random = Seeds.random(seed, i);
      byte[] text = sound.get(random.nextInt(3)).getBytes(StandardCharsets.US_ASCII);
      String description =
          new String(HostileInput.damage(text, random), StandardCharsets.ISO_8859_1);
      String what = description + ", seed " + seed + ", case " + i;
      boolean refused =
          HostileInput.measured(
              what,
              () ->
                  FileConverter.convert(
                      in,
                      out,
                      ConversionOptions.DEFAULT
                          .withKinds(FileKind.RAW, FileKind.HDF5)
                          .withMemory(16 << 20)
                          .withRaw(description),
                      FileConverter.Progress.NONE));
      assertThat(Files.exists(out)).as(what).isEqualTo(!refused);
      Files.deleteIfExists(out);
    }
  }

  @Test
  void keepsRandomArrays() {
    JudgedRoundTrip.run("h5py", "numpy_judge.py", 60);
  }

  @Test
  void damagedArraysAreRefused() throws IOException {
    byte[] plain = npy("'<f8'", "(3, 2)", 48);
    byte[] fields = npy("[('a', '<i4'), ('b', '<U3', (2,)), ('', '|V4')]", "(2,)", 64);
    HostileInput.fuzz(List.of(plain, fields), FileKind.NPY, Effort.times(300, 20_000));
  }

  @Test
  void damagedArchivesAreRefused() throws IOException {
    byte[] stored = npz(ZipEntry.STORED, "a.npy", "b/c.npy");
    byte[] deflated = npz(ZipEntry.DEFLATED, "a.npy", "b/c.npy");
    HostileInput.fuzz(List.of(stored, deflated), FileKind.NPZ, Effort.times(300, 20_000));
  }

  @Test
  void namesThatLeadOutOfAFolderAreRefused() throws IOException {
    for (String name : List.of("../a.npy", "/a.npy", "a/../../b.npy", "a//b.npy", "c:\\a.npy")) {
      assertThat(HostileInput.convert(npz(ZipEntry.STORED, name), FileKind.NPZ, name))
          .as(name)
          .containsInstanceOf(CorruptFileException.class);
    }
  }

  @Test
  void deeplyNestedNamesAreRefused() throws IOException {
    for (int depth : new int[] {GroupNode.MAX_DEPTH + 1, 10_000}) {
      String name = "g/".repeat(depth) + "a.npy";
      assertThat(HostileInput.convert(npz(ZipEntry.STORED, name), FileKind.NPZ, "names"))
          .containsInstanceOf(UnsupportedFeatureException.class);
    }
  }

  @Test
  void archivesThatExpandBeyondTheLimitAreRefused() throws IOException {
    int mebibytes = Effort.times(32, 0); // 0 is the usual limit, of 1024
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ZipOutputStream zip = new ZipOutputStream(bytes)) {
      zip.setLevel(Deflater.BEST_SPEED);
      zip.putNextEntry(new ZipEntry("zeros.npy"));
      zip.write(npy("'|u1'", "(1100000000,)", 0));
      byte[] zeros = new byte[1 << 20];
      for (int i = 0; i < Effort.times(40, 1050); i++) {
        zip.write(zeros);
      }
      zip.closeEntry();
    }
    ConversionOptions limits =
        ConversionOptions.DEFAULT
            .withKinds(FileKind.NPZ, FileKind.HDF5)
            .withExpanded((long) mebibytes << 20);
    assertThat(HostileInput.convert(bytes.toByteArray(), "zeros", limits))
        .hasValueSatisfying(refused ->
            assertThat(refused)
                .isInstanceOf(UnsupportedFeatureException.class)
                .hasMessageContaining("--max-expanded"));
  }

  @Test
  void objectsOfPythonAreRefused() throws IOException {
    assertThat(HostileInput.convert(npy("'|O'", "(1,)", 8), FileKind.NPY, "objects"))
        .containsInstanceOf(UnsupportedFeatureException.class);
  }

  @Test
  void contentUnsupportedByNumpyIsRefusedOrListed() throws IOException {
    Path in = folder.resolve("in.h5");
    try (H5File file = Hdf5.create(in)) {
      file.createDataset("numbers", new int[] {1, 2}).setAttribute("unit", "m");
      file.createDataset("references", Datatypes.OBJECT_REFERENCE, Dataspace.simple(1));
    }
    Path out = folder.resolve("out.npz");
    assertThatThrownBy(() -> FileConverter.convert(in, out))
        .isInstanceOf(UnsupportedFeatureException.class)
        .hasMessageContaining("the attribute unit")
        .hasMessageContaining("--lenient");
    assertThat(out).doesNotExist();
    ConversionOptions lenient = ConversionOptions.DEFAULT.withLenient(true);
    ConversionReport report = FileConverter.convert(in, out, lenient, FileConverter.Progress.NONE);
    assertThat(report.losses()).hasSize(2);
    assertThat(report.losses().get(0)).contains("/numbers", "unit");
    assertThat(report.losses().get(1)).contains("/references");
    Path back = folder.resolve("back.h5");
    FileConverter.convert(out, back);
    try (H5File file = Hdf5.open(back)) {
      assertThat(file.root().names()).containsExactly("numbers");
      assertThat(file.dataset("numbers").readInts()).containsExactly(1, 2);
    }
  }

  @Test
  void outputsThatExistAreKept() throws IOException {
    Path in = Files.write(folder.resolve("a.npy"), npy("'<i2'", "()", 2));
    Path out = Files.writeString(folder.resolve("a.h5"), "mine");
    assertThatThrownBy(() -> FileConverter.convert(in, out))
        .isInstanceOf(AlreadyExistsException.class);
    assertThat(out).hasContent("mine");
    FileConverter.convert(
        in, out, ConversionOptions.DEFAULT.withReplace(true), FileConverter.Progress.NONE);
    try (H5File file = Hdf5.open(out)) {
      assertThat(file.dataset("data").rank()).isZero();
    }
  }

  /** An array with the header that is given and elements that are zeros. */
  private static byte[] npy(String descr, String shape, int dataBytes) throws IOException {
    String text = "{'descr': " + descr + ", 'fortran_order': False, 'shape': " + shape + ", }\n";
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    bytes.write(new byte[] {(byte) 0x93, 'N', 'U', 'M', 'P', 'Y', 1, 0});
    bytes.write(text.length());
    bytes.write(text.length() >>> 8);
    bytes.write(text.getBytes(StandardCharsets.ISO_8859_1));
    bytes.write(new byte[dataBytes]);
    return bytes.toByteArray();
  }

  private static byte[] npz(int method, String... names) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    byte[] array = npy("'<i4'", "(5, 2)", 40);
    CRC32 checksum = new CRC32();
    checksum.update(array);
    try (ZipOutputStream zip = new ZipOutputStream(bytes)) {
      for (String name : names) {
        ZipEntry entry = new ZipEntry(name);
        entry.setMethod(method);
        entry.setSize(array.length);
        entry.setCompressedSize(method == ZipEntry.STORED ? array.length : -1);
        entry.setCrc(checksum.getValue());
        zip.putNextEntry(entry);
        zip.write(array);
        zip.closeEntry();
      }
    }
    return bytes.toByteArray();
  }

  @Test
  void stringsOfVariableLengthBecomeTextThatTheLongestFitsInto() {
    Path in = folder.resolve("in.h5");
    try (H5File file = Hdf5.create(in)) {
      file.createDataset("words", new String[] {"grün", "", "\uD83D\uDE00 smile"});
      file.createDataset("none", new String[] {"", ""});
    }
    FileConverter.convert(in, folder.resolve("out.npz"));
    Oracle.h5py()
        .runIn(
            folder,
            """
            import numpy as np
            file = np.load('out.npz')
            assert file['words'].dtype == '<U7', file['words'].dtype
            assert file['words'].tolist() == ['grün', '', '\\U0001f600 smile'], file['words']
            assert file['none'].tolist() == ['', '']
            """)
        .orFail();
    ConversionOptions small =
        ConversionOptions.DEFAULT.withPath("/words").withMemory(1 << 20).withExpanded(10);
    assertThatThrownBy(() ->
            FileConverter.convert(
                in, folder.resolve("small.npy"), small, FileConverter.Progress.NONE))
        .isInstanceOf(UnsupportedFeatureException.class)
        .hasMessageContaining("--max-expanded");
  }

  /** NumPy has a byte as Python's surrogateescape does, Zarr spells it. */
  @Test
  void textThatIsNotUtf8ComesBack() {
    Oracle.h5py()
        .runIn(
            folder,
            """
            import h5py, numpy as np
            with h5py.File('latin.h5', 'w') as f:
                d = f.create_dataset('data', (2,), dtype=h5py.string_dtype())
                d[0] = b'gr\\xfcn'
                d[1] = b'ok'
            """)
        .orFail();
    for (String out : List.of("out.npy", "out.npz", "out.zarr", "out.zarr3")) {
      FileConverter.convert(folder.resolve("latin.h5"), folder.resolve(out));
      FileConverter.convert(folder.resolve(out), folder.resolve(out + ".h5"));
    }
    Oracle.h5py()
        .runIn(
            folder,
            """
            import h5py, numpy as np
            assert np.load('out.npy').tolist() == ['gr\\udcfcn', 'ok']
            for name in ('out.zarr.h5', 'out.zarr3.h5', 'out.npy.h5', 'out.npz.h5'):
                with h5py.File(name) as f:
                    texts = [t.rstrip(b'\\0') for t in f['data'][...].tolist()]
                    assert texts == [b'gr\\xfcn', b'ok'], (name, texts)
            """)
        .orFail();
  }
}
