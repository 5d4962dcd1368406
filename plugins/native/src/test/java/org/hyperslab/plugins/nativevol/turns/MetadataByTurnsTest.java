package org.hyperslab.plugins.nativevol.turns;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import org.hyperslab.Group;
import org.hyperslab.H5File;
import org.hyperslab.Hdf5;
import org.hyperslab.format.io.Lookup3;
import org.hyperslab.format.type.Datatypes;
import org.hyperslab.model.AllocationTime;
import org.hyperslab.model.DatasetOptions;
import org.hyperslab.model.IterationIndex;
import org.hyperslab.model.OpenOptions;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/**
 * Compares the metadata of objects and links other than their content with that of the HDF5
 * library.
 */
final class MetadataByTurnsTest {

  /** The bytes "OHDR", with which headers of version 2 begin. */
  private static final int SIGNATURE = 0x5244484F;

  /** The type of the message with the modification time. */
  private static final int MODIFICATION_TIME = 0x12;

  /** Defines {@code times(object)}: of access, modification, change and birth. */
  private static final String TIMES =
      """
      def times(o):
        raw = (ctypes.c_byte * 256)()
        assert lib.H5Oget_info2(ctypes.c_int64(o.id.id), raw, ctypes.c_uint(0x1f)) >= 0
        return list((ctypes.c_int64 * 4).from_buffer(raw, 24))
      """;

  @AutoClose private final Turns turns = new Turns();

  @Test
  void creationOrderRestartsInEmptyGroups() {
    turns.python(
        """
        for n, count in (('compact', 3), ('dense', 12)):
          f = h5py.File(p, 'a', libver='latest')
          gcpl = h5py.h5p.create(h5py.h5p.GROUP_CREATE)
          gcpl.set_link_creation_order(3)
          gcpl.set_attr_creation_order(3)
          g = h5py.Group(h5py.h5g.create(f.id, n.encode(), gcpl=gcpl))
          for i in range(count):
            g['l%d' % i] = h5py.SoftLink('x')
            g.attrs['a%d' % i] = i
          f.close()
        """);
    try (H5File file = Hdf5.open(turns.path(), OpenOptions.EDIT)) {
      for (String name : new String[] {"compact", "dense"}) {
        Group group = file.group(name);
        group.names().forEach(group::delete);
        group
            .attributes(IterationIndex.NAME, false)
            .map(each -> each.name())
            .toList()
            .forEach(group::deleteAttribute);
        group.createSoftLink("first", "x");
        group.setAttribute("first", 1);
        assertThat(group.attribute("first").creationOrder()).hasValue(0);
      }
    }
    turns.python(
        """
        f = h5py.File(p, 'r+')
        for n in ('compact', 'dense'):
          g = f[n]
          assert g.id.links.get_info(b'first').corder == 0
          assert h5py.h5a.get_info(g.id, b'first').corder == 0
          g['second'] = h5py.SoftLink('x')
          assert g.id.links.get_info(b'second').corder == 1
        f.close()
        """);
  }

  @Test
  void timesOfChangeFollowEditsWhereTheyAreTracked() throws IOException {
    turns.python(
        TIMES
            + """
            for n, version in (('old', 'earliest'), ('new', 'latest')):
              f = h5py.File(p + n, 'w', libver=version)
              for d, tracked in (('tracked', True), ('plain', False)):
                f.create_dataset(d, data=np.arange(4), maxshape=(None,), chunks=(2,),
                    track_times=tracked)
              f.close()
            """);
    long before = System.currentTimeMillis() / 1000;
    for (String version : new String[] {"old", "new"}) {
      Path file = turns.file("turns.h5" + version);
      setTimes(file, 1000, headerOf(file, "tracked"));
      try (H5File edited = Hdf5.open(file, OpenOptions.EDIT)) {
        for (String name : new String[] {"tracked", "plain"}) {
          edited.dataset(name).setAttribute("a", 1);
        }
      }
    }
    turns.python(
        """
        for n in ('old', 'new'):
          f = h5py.File(p + n, 'r')
          t, plain = times(f['tracked']), times(f['plain'])
          assert t[2] >= %d, (n, t)
          assert plain == [0, 0, 0, 0], (n, plain)
          assert t == ([t[2], 1000, t[2], 1000] if n == 'new' else [0, 0, t[2], 0]), (n, t)
          f.close()
        """
            .formatted(before));
  }

  private static long headerOf(Path file, String dataset) {
    try (H5File opened = Hdf5.open(file)) {
      return opened.dataset(dataset).token().address();
    }
  }

  /** Sets all times that the headers at some addresses keep, which are of either version. */
  private static void setTimes(Path file, int epochSecond, long... headers) throws IOException {
    ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(file)).order(ByteOrder.LITTLE_ENDIAN);
    for (long header : headers) {
      int at = Math.toIntExact(header);
      if (bytes.getInt(at) == SIGNATURE) {
        setTimesOfVersion2(bytes, at, epochSecond);
      } else {
        setTimeOfVersion1(bytes, at, epochSecond);
      }
    }
    Files.write(file, bytes.array());
  }

  private static void setTimesOfVersion2(ByteBuffer bytes, int at, int epochSecond) {
    assertThat(bytes.get(at + 5) & 0x20).as("flag of times").isNotZero();
    for (int i = 0; i < 4; i++) {
      bytes.putInt(at + 6 + 4 * i, epochSecond);
    }
    int sizeBytes = 1 << (bytes.get(at + 5) & 3);
    int phaseChangeBytes = (bytes.get(at + 5) & 0x10) == 0 ? 0 : 4;
    int sizeAt = at + 22 + phaseChangeBytes;
    int size = sizeBytes == 1 ? bytes.get(sizeAt) & 0xFF : bytes.getShort(sizeAt) & 0xFFFF;
    int end = sizeAt + sizeBytes + size;
    bytes.putInt(end, Lookup3.hash(bytes.array(), at, end - at, 0));
  }

  /** Sets the modification time, a message of a header whose messages begin after 16 bytes. */
  private static void setTimeOfVersion1(ByteBuffer bytes, int at, int epochSecond) {
    int end = at + 16 + bytes.getInt(at + 8);
    for (int message = at + 16; message < end; ) {
      int type = bytes.getShort(message);
      if (type == MODIFICATION_TIME) {
        bytes.putInt(message + 12, epochSecond);
        return;
      }
      message += 8 + (bytes.getShort(message + 2) & 0xFFFF);
    }
    throw new AssertionError("the header at " + at + " keeps no time");
  }

  @Test
  void objectsWhoseAttributesAreSharedTrackTheirOrder() {
    turns.python(SharedMessagesByTurnsTest.MAKE + "f = make(p, 40, ATTR)\nf.close()\n");
    try (H5File file = Hdf5.open(turns.path(), OpenOptions.EDIT)) {
      file.createGroup("g").setAttribute("b", 1);
      file.group("g").setAttribute("a", 2);
      file.createDataset("d", new int[] {1}).setAttribute("x", 1);
      file.root().commit("t", Datatypes.I32LE);
    }
    turns.python(
        """
        f = h5py.File(p, 'r+')
        for n in 'gdt':
          assert h5py.h5o.get_info(f[n].id).hdr.version == 2
          order = ctypes.c_uint()
          if n != 't':
            plist = f[n].id.get_create_plist()
            assert lib.H5Pget_attr_creation_order(ctypes.c_int64(plist.id),
                ctypes.byref(order)) >= 0
            assert order.value == 1, (n, order.value)
        assert [h5py.h5a.get_info(f['g'].id, k).corder for k in (b'b', b'a')] == [0, 1]
        f.close()
        """);
  }

  @Test
  void aLinkHasTheCharacterSetOfItsOwnName() {
    try (H5File file = Hdf5.create(turns.path())) {
      file.createGroup("gr\u00fcn").createGroup("x");
      file.createGroup("gr\u00fcn/y/");
      file.createGroup("a/\u00f6");
    }
    turns.python(
        """
        f = h5py.File(p, 'r')
        for path, cset in (('gr\u00fcn', 1), ('gr\u00fcn/x', 0), ('gr\u00fcn/y', 0), ('a', 0),
            ('a/\u00f6', 1)):
          assert f.id.links.get_info(path.encode()).cset == cset, path
        f.close()
        """);
  }

  @Test
  void copiesHaveTypesOfTheirOwnAndNoReferencesInAttributes() {
    turns.python(
        """
        f = h5py.File(p, 'w')
        f['t'] = np.dtype('<i4')
        f['t'].attrs['unit'] = 'm'
        f['a'] = [1]
        g = f.create_group('g')
        g.create_dataset('d', (3,), dtype=f['t'])
        g.create_dataset('e', (2,), dtype=f['t'])
        g['e'].attrs.create('typed', [1, 2], dtype=f['t'])
        g.attrs['r'] = f['a'].ref
        g.attrs['region'] = f['a'].regionref[:]
        parts = np.dtype([('n', '<i2'), ('r', h5py.ref_dtype), ('g', h5py.regionref_dtype)])
        g.attrs.create('parts', np.array([(1, f['a'].ref, f['a'].regionref[:])], dtype=parts))
        g.create_dataset('refs', data=[f['a'].ref], dtype=h5py.ref_dtype)
        f.copy('g', 'theirs')
        f.close()
        """);
    try (H5File file = Hdf5.open(turns.path(), OpenOptions.EDIT)) {
      file.group("g").copyTo(file.root(), "ours");
    }
    turns.python(
        """
        f = h5py.File(p, 'r+')
        own = lambda o: h5py.h5o.get_info(o).addr
        t = own(f['t'].id)
        assert h5py.h5o.get_info(f['t'].id).rc == 4
        for n in ('theirs', 'ours'):
          g = f[n]
          types = {own(o) for o in (g['d'].id.get_type(), g['e'].id.get_type(),
              g['e'].attrs.get_id('typed').get_type())}
          assert len(types) == 1 and t not in types, (n, t, types)
          made = g['d'].id.get_type()
          assert made.committed() and h5py.h5o.get_info(made).rc == 3, n
          assert h5py.Datatype(made).attrs['unit'] == 'm'
          assert not g.attrs['r'] and not g.attrs['region'], n
          part = g.attrs['parts'][0]
          assert f[part['r']] == f[part['g']] == f['a'], n
          assert f[g['refs'][0]] == f['a'], n
          assert g['e'].attrs['typed'].tolist() == [1, 2]
          del made, g, types
          del f[n]
        f.close()
        """);
  }

  @Test
  void copiesOfUnwrittenReferencesAreNullReferences() {
    try (H5File file = Hdf5.create(turns.path())) {
      DatasetOptions early = DatasetOptions.builder().allocationTime(AllocationTime.EARLY).build();
      file.datasetBuilder("refs").type(Datatypes.OBJECT_REFERENCE).shape(5).options(early).create();
      file.root().copy("refs", file.root(), "copy");
    }
    turns.python(
        """
        f = h5py.File(p)
        for n in ('refs', 'copy'):
          assert f[n].shape == (5,) and not any(f[n][...]), n
        f.close()
        """);
  }
}
