package org.hyperslab.format.index.shared;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.hyperslab.format.index.dense.DenseEntry;
import org.hyperslab.format.index.dense.DenseStorage;
import org.hyperslab.format.index.dense.LatestFile;
import org.hyperslab.format.index.fractal.FractalHeap;
import org.hyperslab.format.metadata.MemoryMetadataSpace;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Reads and edits shared messages of the C library, and has it read and edit the files again. */
class SharedMessagesInteropTest {

  private static final int ATTRIBUTE = 12;

  @TempDir Path folder;

  private static final String MAKE =
      """
      import h5py, sys, ctypes, numpy
      lib = ctypes.CDLL('libhdf5_serial.so.103')
      fcpl = h5py.h5p.create(h5py.h5p.FILE_CREATE)
      pid = ctypes.c_int64(fcpl.id)
      u = ctypes.c_uint
      assert lib.H5Pset_shared_mesg_nindexes(pid, u(2)) >= 0
      assert lib.H5Pset_shared_mesg_index(pid, u(0), u(0x1000), u(20)) >= 0
      assert lib.H5Pset_shared_mesg_index(pid, u(1), u(0x2 | 0x8 | 0x20), u(10)) >= 0
      limit = int(sys.argv[2])
      assert lib.H5Pset_shared_mesg_phase_change(pid, u(limit), u(max(0, limit - 2))) >= 0
      fapl = h5py.h5p.create(h5py.h5p.FILE_ACCESS)
      fapl.set_libver_bounds(h5py.h5f.LIBVER_LATEST, h5py.h5f.LIBVER_LATEST)
      f = h5py.File(h5py.h5f.create(sys.argv[1].encode(), h5py.h5f.ACC_TRUNC, fcpl, fapl))
      for i in range(10):
          d = f.create_dataset('d%d' % i, (i % 7 + 1, 3), dtype='<i4')
          for k in range(12):
              d.attrs['a%d' % k] = numpy.arange(10) + (i % 5)
      f.close()
      """;

  private static final String CHECK_AND_EDIT =
      """
      import h5py, sys, numpy
      f = h5py.File(sys.argv[1], 'r+', libver='latest')
      for i in range(10):
          d = f['d%d' % i]
          for k in range(12):
              assert (d.attrs['a%d' % k] == numpy.arange(10) + (i % 5)).all()
      d = f['d3']
      for k in range(30):
          d.attrs['b%d' % k] = numpy.arange(12) * k
      for k in range(15):
          del d.attrs['b%d' % k]
      for k in range(15, 30):
          assert (d.attrs['b%d' % k] == numpy.arange(12) * k).all()
      for k in range(15, 30):
          del d.attrs['b%d' % k]
      f.close()
      """;

  @ParameterizedTest
  @ValueSource(ints = {0, 40, 300})
  void sharesAndReleasesBesideTheCLibrary(int listMaximum) throws IOException {
    Path path = folder.resolve("shared.h5");
    LatestFile.python(MAKE, path.toString(), Integer.toString(listMaximum));
    for (int round = 0; round < 2; round++) {
      LatestFile file = new LatestFile(path);
      SharedMessages shared = open(file);
      assertThat(shared.shares(ATTRIBUTE, 20)).isTrue();
      assertThat(shared.shares(ATTRIBUTE, 19)).isFalse();
      assertThat(shared.shares(11, 100)).isFalse();
      List<byte[]> attributes = readAttributes(file, shared);
      List<byte[]> ours = shareThenRetain(shared, attributes, round == 0 ? 120 : 200);
      file.save();
      LatestFile.python(CHECK_AND_EDIT, path.toString());
      file = new LatestFile(path);
      releaseOurs(open(file), ours);
      file.save();
      LatestFile.python(CHECK_AND_EDIT, path.toString());
    }
  }

  private static SharedMessages open(LatestFile file) {
    return SharedMessages.open(file.space, file.find("SMTB"), 2, HeaderMessages.NONE);
  }

  private static List<byte[]> readAttributes(LatestFile file, SharedMessages shared) {
    Optional<FractalHeap> heap = shared.heap(ATTRIBUTE);
    List<byte[]> messages = new ArrayList<>();
    int objects = 0;
    for (LatestFile.Info info : file.infos(0x15)) {
      DenseStorage storage = DenseStorage.openAttributes(file.space, file.addresses(info), heap);
      objects++;
      for (int k = 0; k < 12; k++) {
        DenseEntry entry = storage.find("a" + k).orElseThrow();
        assertThat(entry.shared()).isTrue();
        assertThat(shared.get(ATTRIBUTE, entry.heapId())).isEqualTo(entry.message());
        messages.add(entry.message());
      }
    }
    assertThat(objects).isEqualTo(10);
    return messages;
  }

  private static List<byte[]> shareThenRetain(
      SharedMessages shared, List<byte[]> existing, int count) {
    long before = shared.size();
    List<byte[]> ids = new ArrayList<>();
    for (byte[] message : existing) {
      ids.add(shared.share(ATTRIBUTE, message).orElseThrow());
    }
    assertThat(shared.size()).isEqualTo(before);
    for (int i = 0; i < count; i++) {
      byte[] message = Arrays.copyOf(existing.get(i % existing.size()), 30 + i);
      message[9] = (byte) i;
      byte[] id = shared.share(ATTRIBUTE, message).orElseThrow();
      assertThat(shared.get(ATTRIBUTE, id)).isEqualTo(message);
      ids.add(id);
    }
    assertThat(shared.size()).isEqualTo(before + count);
    shared.retain(ATTRIBUTE, ids.getLast());
    assertThat(shared.release(ATTRIBUTE, ids.getLast())).isEmpty();
    return ids;
  }

  private static void releaseOurs(SharedMessages shared, List<byte[]> ids) {
    long before = shared.size();
    int gone = 0;
    for (byte[] id : ids) {
      gone += shared.release(ATTRIBUTE, id).isPresent() ? 1 : 0;
    }
    assertThat(gone).isEqualTo(ids.size() - 120);
    assertThat(shared.size()).isEqualTo(before - gone);
  }

  @Test
  void freesAllSpaceWithTheLastMessage() {
    MemoryMetadataSpace space = MemoryMetadataSpace.empty();
    SharedMessages shared =
        SharedMessages.create(
            space,
            List.of(new SharedIndexParameters(1 << ATTRIBUTE, 10, 6, 4)),
            HeaderMessages.NONE);
    long empty = space.allocatedBytes();
    for (int round = 0; round < 3; round++) {
      List<byte[]> ids = new ArrayList<>();
      for (int i = 0; i < 20; i++) {
        ids.add(shared.share(ATTRIBUTE, new byte[10 + i]).orElseThrow());
        space.evict();
      }
      assertThat(shared.size()).isEqualTo(20);
      for (byte[] id : ids) {
        assertThat(shared.release(ATTRIBUTE, id)).isPresent();
        space.evict();
      }
      assertThat(shared.size()).isZero();
      assertThat(space.allocatedBytes()).isEqualTo(empty);
    }
  }
}
