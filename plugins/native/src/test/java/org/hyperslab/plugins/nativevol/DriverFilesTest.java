package org.hyperslab.plugins.nativevol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.hyperslab.H5File;
import org.hyperslab.Hdf5;
import org.hyperslab.Session;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.model.AllocationTime;
import org.hyperslab.model.CreateOptions;
import org.hyperslab.model.FillValue;
import org.hyperslab.model.FormatVersion;
import org.hyperslab.model.Layout;
import org.hyperslab.model.OpenOptions;
import org.hyperslab.testkit.Oracle;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests files that consist of several, by turns with the HDF5 library, with every version of the
 * superblock.
 */
final class DriverFilesTest {

  private static final int MEMBER_BYTES = 8192;
  private static final OpenOptions FAMILY =
      OpenOptions.EDIT
          .withProperty("driver", "family")
          .withProperty("family.memberBytes", Integer.toString(MEMBER_BYTES));

  @TempDir Path folder;

  /** The library cannot derive the size of the members from a first member that is not full. */
  @Test
  void theLibraryFindsTheSizeOfOurFamilysMembers() {
    try (Session session = Hdf5.session("native")) {
      for (FormatVersion low : List.of(FormatVersion.EARLIEST, FormatVersion.V110)) {
        String name = folder.resolve(low + "-%d.h5").toString();
        OpenOptions access = FAMILY.withBounds(low, FormatVersion.V110);
        session.create(name, CreateOptions.DEFAULT.withAccess(access)).close();
        assertThat(size(folder.resolve(low + "-0.h5"))).isLessThan(MEMBER_BYTES);
        Oracle.h5py()
            .run(
                """
                import h5py, numpy as np
                f = h5py.File('%s', 'r+', driver='family', memb_size=0)
                f['x'] = np.arange(5000)
                f.close()
                """
                    .formatted(name))
            .orFail();
        assertThat(size(folder.resolve(low + "-1.h5"))).isEqualTo(MEMBER_BYTES);
        try (H5File file = session.open(name, access)) {
          assertThat(file.dataset("x").readLongs())
              .isEqualTo(IntStream.range(0, 5000).asLongStream().toArray());
        }
      }
    }
  }

  @Test
  void familiesAreNotAddedToWithMembersOfAnotherSize() {
    String name = folder.resolve("f-%d.h5").toString();
    try (Session session = Hdf5.session("native")) {
      session.create(name, CreateOptions.DEFAULT.withAccess(FAMILY)).close();
      OpenOptions other = FAMILY.withProperty("family.memberBytes", "4096");
      assertThatThrownBy(() -> session.open(name, other))
          .isInstanceOf(InvalidUseException.class)
          .hasMessageContaining("actual=4096 bytes, expected=8192");
      try (H5File file = session.open(name, OpenOptions.READ)) {
        assertThat(file.root().names()).isEmpty();
      }
    }
  }

  /** A hole at the end of a member is part of it, for the library takes lengths for sizes. */
  @Test
  void membersBeforeTheLastAreFull() {
    String name = folder.resolve("h-%d.h5").toString();
    try (Session session = Hdf5.session("native")) {
      try (H5File file = session.create(name, CreateOptions.DEFAULT.withAccess(FAMILY))) {
        file.datasetBuilder("unwritten")
            .type(int.class)
            .shape(1500)
            .options(o ->
                o.layout(new Layout.Contiguous())
                    .allocationTime(AllocationTime.EARLY)
                    .fillTime(FillValue.Time.NEVER))
            .create();
        file.createDataset("x", IntStream.range(0, 3000).toArray());
      }
      // The second member is emptied, and filled again before the first one is full.
      try (H5File file = session.open(name, FAMILY)) {
        file.root().delete("x");
      }
      try (H5File file = session.open(name, FAMILY)) {
        file.datasetBuilder("again")
            .type(int.class)
            .shape(1000)
            .options(o ->
                o.layout(new Layout.Contiguous())
                    .allocationTime(AllocationTime.EARLY)
                    .fillTime(FillValue.Time.NEVER))
            .create();
        file.createDataset("x", IntStream.range(0, 3000).toArray());
      }
    }
    assertThat(size(folder.resolve("h-0.h5"))).isEqualTo(MEMBER_BYTES);
    assertThat(size(folder.resolve("h-1.h5"))).isEqualTo(MEMBER_BYTES);
    Oracle.h5py()
        .run(
            "import h5py; f = h5py.File('"
                + name
                + "', 'r', driver='family', memb_size=0);"
                + " assert f['x'][2999] == 2999")
        .orFail();
  }

  private static long size(Path file) {
    try {
      return Files.size(file);
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  /** Raw data and object headers behind 2^63, chunks found by every kind of index. */
  @Test
  void chunksAndContinuationsOfSplitAndMultiFilesAreRead() {
    for (String driver : List.of("split", "multi")) {
      for (String low : List.of("earliest", "v110")) {
        String name = folder.resolve(driver + low).toString();
        Oracle.h5py().run(MAKE, name, driver, low).orFail();
        try (Session session = Hdf5.session("native");
            H5File file = session.open(name, OpenOptions.READ.withProperty("driver", driver))) {
          for (String dataset : List.of("fixed", "one", "growing", "both", "deflated", "early")) {
            assertThat(file.dataset(dataset).readInts())
                .as("%s in %s", dataset, name)
                .isEqualTo(IntStream.range(0, 24).toArray());
          }
          assertThat(file.root().attributeCount()).isEqualTo(7);
          assertThat(file.root().attribute("a6").readInts()).hasSize(40);
        }
      }
    }
  }

  private static final String MAKE =
      """
      import sys, h5py, numpy as np
      from h5py import h5p, h5f
      name, driver, low = sys.argv[1:]
      fapl = h5p.create(h5p.FILE_ACCESS)
      fapl.set_libver_bounds(h5f.LIBVER_EARLIEST if low == 'earliest' else h5f.LIBVER_V110, h5f.LIBVER_V110)
      import ctypes
      lib = next(l.split()[-1] for l in open('/proc/self/maps') if 'libhdf5' in l and '_hl' not in l and '.so' in l)
      lib = ctypes.CDLL(lib)
      if driver == 'split':
        lib.H5Pset_fapl_split(ctypes.c_int64(fapl.id), b'-m.h5', ctypes.c_int64(0), b'-r.h5', ctypes.c_int64(0))
      else:
        lib.H5Pset_fapl_multi(ctypes.c_int64(fapl.id), None, None, None, None, 1)
      f = h5py.File(h5f.create(name.encode(), h5f.ACC_TRUNC, fapl=fapl))
      grid = np.arange(24, dtype='i4').reshape(4, 6)
      f.create_dataset('fixed', data=grid, chunks=(2, 2))
      f.create_dataset('one', data=grid, chunks=(4, 6))
      early = h5p.create(h5p.DATASET_CREATE)
      early.set_chunk((3, 4)); early.set_alloc_time(h5py.h5d.ALLOC_TIME_EARLY)
      h5py.Dataset(h5py.h5d.create(f.id, b'early', h5py.h5t.NATIVE_INT32, h5py.h5s.create_simple((4, 6), (5, 7)), early))[...] = grid
      f.create_dataset('growing', data=grid, chunks=(1, 3), maxshape=(None, 6))
      f.create_dataset('both', data=grid, chunks=(3, 2), maxshape=(None, None))
      f.create_dataset('deflated', data=grid, chunks=(3, 2), compression=4)
      for i in range(7):
        f.attrs['a%d' % i] = np.arange(40, dtype='i4')
      f.close()
      """;
}
