package org.hyperslab.plugins.nativevol;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.IntStream;
import org.hyperslab.Dataset;
import org.hyperslab.Group;
import org.hyperslab.H5File;
import org.hyperslab.Hdf5;
import org.hyperslab.Session;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.space.Selection;
import org.hyperslab.format.type.Datatypes;
import org.hyperslab.model.CreateOptions;
import org.hyperslab.model.FormatVersion;
import org.hyperslab.model.GroupOptions;
import org.hyperslab.model.Locking;
import org.hyperslab.model.OpenOptions;
import org.hyperslab.model.SpaceStrategy;
import org.hyperslab.testkit.Corpus;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Edits files that the HDF5 library wrote, and has it read them again; writes files of every form.
 */
final class EditedFilesTest {

  @TempDir Path folder;
  private final Session session = Hdf5.session(new NativeConnector());

  @AfterEach
  void close() {
    session.close();
  }

  private static final String WRITE =
      """
      how = sys.argv[2]
      options = {}
      if how == 'earliest': options = dict(libver='earliest')
      if how == 'v108': options = dict(libver=('v108', 'v108'))
      if how == 'latest': options = dict(libver='latest')
      if how == 'ordered': options = dict(libver='latest', track_order=True)
      if how == 'userblock': options = dict(userblock_size=1024)
      if how == 'page': options = dict(fs_strategy='page', fs_page_size=4096, fs_persist=True)
      if how == 'fsm': options = dict(fs_strategy='fsm', fs_persist=True)
      with h5py.File(sys.argv[1], 'w', **options) as f:
        for i in range(40):
          f.create_group('group%d' % i)
        f['doomed'] = np.arange(5000.)
        f['kept'] = np.arange(100)
        f['kept'].attrs['text'] = 'hällo'
        f['chunked'] = h5py.Empty('i4') if False else np.arange(10)
        f['soft'] = h5py.SoftLink('/kept')
        for i in range(20):
          f['group1'].attrs['a%d' % i] = i
        del f['group7']
        del f['doomed']
        f['type'] = np.dtype([('a', 'i4'), ('b', 'f8')])
      """;

  private static final String CHECK =
      """
      with h5py.File(sys.argv[1], 'r+') as f:
        assert sorted(f) == sorted(['group%d' % i for i in range(40) if i not in (7, 8)]
            + ['kept', 'chunked', 'soft', 'type', 'new', 'alias', 'big']), sorted(f)
        assert list(f['kept'][:]) == [7] + list(range(1, 100))
        assert f['kept'].attrs['text'] == 'hällo'
        assert f['kept'].attrs['number'] == 42
        assert list(f['new/deep/data'][:]) == [1., 2., 3.]
        assert f['alias'] == f['kept']
        assert len(f['group1'].attrs) == 19 and 'a3' not in f['group1'].attrs
        assert f['group1'].attrs['a19'] == 19
        assert (f['big'][:] == np.arange(20000)).all()
        f['after'] = np.arange(1000)
        del f['big']
        f.create_group('more')
      with h5py.File(sys.argv[1], 'r') as f:
        assert (f['after'][:] == np.arange(1000)).all()
        assert f['kept'][0] == 7
      """;

  @ParameterizedTest
  @ValueSource(strings = {"earliest", "v108", "latest", "ordered", "userblock", "page", "fsm"})
  void filesOfTheLibraryAreEditedAndReadByItAgain(String how) {
    Path path = folder.resolve(how + ".h5");
    LibraryJudge.python(WRITE, path, how);
    try (H5File file = session.open(path.toString(), OpenOptions.EDIT)) {
      assertThat(file.root().names()).hasSize(43);
      file.createDataset("new/deep/data", new double[] {1, 2, 3});
      file.root().delete("group8");
      Dataset kept = file.dataset("kept");
      kept.write(Selection.box(new long[] {0}, new long[] {1}), new int[] {7});
      kept.setAttribute("number", 42);
      file.root().createHardLink("alias", kept);
      file.group("group1").deleteAttribute("a3");
      file.createDataset("big", IntStream.range(0, 20_000).toArray());
    }
    LibraryJudge.python(CHECK, path);
    LibraryJudge.h5dump(path);
  }

  @ParameterizedTest
  @EnumSource(
      value = FormatVersion.class,
      names = {"EARLIEST", "V18", "V110"})
  void filesOfEveryGenerationAreReadByTheLibrary(FormatVersion low) {
    Path path = folder.resolve(low + ".h5");
    CreateOptions options = CreateOptions.DEFAULT.withBounds(low, FormatVersion.LATEST);
    try (H5File file = session.create(path, options)) {
      Group group = file.root().createGroup("ordered", GroupOptions.DEFAULT.withCreationOrder());
      for (int i = 20; i > 0; i--) {
        group.createGroup("g" + i);
      }
      group.createExternalLink("external", "other.h5", "/x");
      file.createDataset("strings", new String[] {"one", "", "thr\u00e9e"});
      file.createDataset("matrix", new double[][] {{1, 2}, {3, 4}}).setAttribute("unit", "m");
    }
    String order =
        LibraryJudge.python(
            """
            with h5py.File(sys.argv[1]) as f:
              assert f['matrix'][:].tolist() == [[1, 2], [3, 4]]
              assert f['matrix'].attrs['unit'] == 'm'
              assert [s.decode() for s in f['strings'][:]] == ['one', '', 'thr\u00e9e']
              g = f['ordered']
              print(g.id.links.get_info(b'g20').corder, g.id.links.get_info(b'g1').corder)
            """,
            path);
    assertThat(order).isEqualTo("0 19");
  }

  @ParameterizedTest
  @CsvSource({"2,2", "4,4", "8,4", "4,8"})
  void filesOfSmallAddressesAndLengthsAreReadByTheLibrary(int offsets, int lengths) {
    Path path = folder.resolve("small.h5");
    try (H5File file = session.create(path, CreateOptions.DEFAULT.withSizes(offsets, lengths))) {
      file.createGroup("a/b");
      file.createDataset("a/d", new int[] {1, 2, 3});
    }
    String dump = LibraryJudge.h5dump(path, "-d", "/a/d");
    assertThat(dump).contains("1, 2, 3");
  }

  @ParameterizedTest
  @EnumSource(SpaceStrategy.Kind.class)
  void everySpaceStrategyIsReadAndEditedByTheLibrary(SpaceStrategy.Kind kind) {
    Path path = folder.resolve("space.h5");
    SpaceStrategy space = new SpaceStrategy(kind, kind != SpaceStrategy.Kind.NONE, 1, 4096);
    try (H5File file = session.create(path, CreateOptions.DEFAULT.withSpace(space))) {
      for (int i = 0; i < 30; i++) {
        file.createDataset("d" + i, IntStream.range(0, 100 * i).toArray());
      }
      file.root().delete("d20");
    }
    LibraryJudge.python(
        """
        with h5py.File(sys.argv[1], 'r+') as f:
          f['x'] = np.arange(3000)
          del f['d25']
        with h5py.File(sys.argv[1], 'r') as f:
          assert (f['d29'][:] == np.arange(2900)).all()
          assert (f['x'][:] == np.arange(3000)).all()
        """,
        path);
    try (H5File file = session.open(path.toString(), OpenOptions.EDIT)) {
      file.createDataset("y", new int[] {5});
      assertThat(file.dataset("d29").readInts()).isEqualTo(IntStream.range(0, 2900).toArray());
    }
    assertThat(LibraryJudge.h5dump(path, "-d", "y")).contains("5");
  }

  @Test
  void userBlockIsKept() throws Exception {
    Path path = folder.resolve("user.h5");
    try (H5File file = session.create(path, CreateOptions.DEFAULT.withUserBlock(512))) {
      file.createDataset("d", new int[] {1});
    }
    byte[] bytes = Files.readAllBytes(path);
    bytes[3] = 'x';
    Files.write(path, bytes);
    try (H5File file = session.open(path.toString(), OpenOptions.EDIT)) {
      file.createGroup("g");
    }
    assertThat(Files.readAllBytes(path)[3]).isEqualTo((byte) 'x');
    LibraryJudge.h5dump(path);
  }

  @Test
  void spaceIsReused() throws Exception {
    Path path = folder.resolve("reuse.h5");
    try (H5File file = session.create(path, CreateOptions.DEFAULT)) {
      file.createDataset("d", new double[10_000]);
    }
    long size = Files.size(path);
    for (int i = 0; i < 5; i++) {
      try (H5File file = session.open(path.toString(), OpenOptions.EDIT)) {
        file.root().delete("d");
        file.flush();
        file.createDataset("d", new double[10_000]);
      }
    }
    assertThat(Files.size(path)).isLessThan(size + 4096);
    try (H5File file = session.open(path.toString(), OpenOptions.EDIT)) {
      file.root().delete("d");
    }
    assertThat(Files.size(path)).isLessThan(10_000);
    LibraryJudge.h5dump(path);
  }

  @Test
  void familiesAreWrittenEditedAndReadByTheLibrary() {
    String name = folder.resolve("family%05d.h5").toString();
    OpenOptions options =
        OpenOptions.EDIT
            .withProperty("driver", "family")
            .withProperty("family.memberBytes", "4096");
    try (H5File file = session.create(name, CreateOptions.DEFAULT.withAccess(options))) {
      file.createDataset("d", IntStream.range(0, 5000).toArray());
    }
    try (H5File file = session.open(name, options)) {
      file.createGroup("g");
      assertThat(file.dataset("d").readInts()).hasSize(5000);
    }
    assertThat(folder.resolve("family00003.h5")).exists();
    LibraryJudge.python(
        """
        with h5py.File(sys.argv[1], 'r', driver='family', memb_size=4096) as f:
          assert sorted(f) == ['d', 'g']
          assert (f['d'][:] == np.arange(5000)).all()
        """,
        name);
  }

  @Test
  void filesSplitByKindOfDataAreRead() {
    Path corpus = Corpus.folder();
    Assumptions.assumeTrue(Files.isDirectory(corpus), "there is no corpus beside the project");
    for (String[] one :
        new String[][] {{"h5dump/tsplit_file", "split"}, {"h5dump/tmulti", "multi"}}) {
      OpenOptions options =
          OpenOptions.READ.withLocking(Locking.OFF).withProperty("driver", one[1]);
      try (H5File file = session.open(corpus.resolve(one[0]).toString(), options)) {
        assertThat(file.dataset("dset1").readInts()).startsWith(0, 1, 2, 3);
      }
    }
  }

  @Test
  void groupOfTenThousandDatasetsIsReadByTheLibraryAndEdited() {
    Path path = folder.resolve("many.h5");
    try (H5File file = session.create(path, CreateOptions.DEFAULT)) {
      Group group = file.createGroup("many");
      for (int i = 0; i < 10_000; i++) {
        group.createDataset("dataset" + i, Datatypes.F64LE, Dataspace.simple(4)).close();
      }
    }
    String count =
        LibraryJudge.python("with h5py.File(sys.argv[1]) as f: print(len(list(f['many'])))", path);
    assertThat(count).isEqualTo("10000");
    try (H5File file = session.open(path.toString(), OpenOptions.EDIT)) {
      assertThat(file.group("many").names()).hasSize(10_000).isSorted();
      for (int i = 0; i < 10_000; i += 2) {
        file.group("many").delete("dataset" + i);
      }
    }
    String left =
        LibraryJudge.python("with h5py.File(sys.argv[1]) as f: print(len(list(f['many'])))", path);
    assertThat(left).isEqualTo("5000");
  }
}
