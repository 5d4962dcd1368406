package org.hyperslab.format.index.dense;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;
import org.hyperslab.format.index.fractal.HeapFilter;
import org.hyperslab.format.metadata.MemoryMetadataSpace;
import org.hyperslab.testkit.Effort;
import org.hyperslab.testkit.Seeds;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Edits dense storage that the C library wrote, and has it read and edit the files again. */
class DenseStorageInteropTest {

  private static final long SEED = Seeds.draw();

  @TempDir Path folder;

  @BeforeAll
  static void requireH5py() {}

  private static byte[] softLink(String name, long order) {
    byte[] utf8 = name.getBytes(StandardCharsets.UTF_8);
    byte[] target = ("/to/" + name).getBytes(StandardCharsets.UTF_8);
    ByteBuffer out =
        ByteBuffer.allocate(2 + 1 + 8 + 2 + utf8.length + 2 + target.length)
            .order(ByteOrder.LITTLE_ENDIAN);
    out.put((byte) 1).put((byte) (0x08 | 0x04 | 0x01)).put((byte) 1).putLong(order);
    out.putShort((short) utf8.length).put(utf8);
    out.putShort((short) target.length).put(target);
    return out.array();
  }

  private static String name(DenseEntry entry) {
    byte[] m = entry.message();
    int lengthBytes = 1 << (m[1] & 3);
    int at = 2 + ((m[1] & 8) != 0 ? 1 : 0) + ((m[1] & 4) != 0 ? 8 : 0) + ((m[1] & 16) != 0 ? 1 : 0);
    return new String(m, at + lengthBytes, m.length - at - lengthBytes, StandardCharsets.UTF_8)
        .substring(0, nameLength(m, at, lengthBytes));
  }

  private static int nameLength(byte[] m, int at, int lengthBytes) {
    int length = 0;
    for (int i = 0; i < lengthBytes; i++) {
      length |= (m[at + i] & 0xFF) << (8 * i);
    }
    return length;
  }

  private static List<String> names(DenseStorage storage) {
    List<String> names = new ArrayList<>();
    assertThat(
            storage.forEach(
                0,
                entry -> {
                  names.add(name(entry));
                  return true;
                }))
        .isTrue();
    return names;
  }

  private static List<String> namesByOrder(DenseStorage storage) {
    List<String> names = new ArrayList<>();
    storage.forEachByOrder(
        0,
        entry -> {
          names.add(name(entry));
          return true;
        });
    return names;
  }

  private static final String MAKE_LINKS =
      """
      import h5py, sys
      f = h5py.File(sys.argv[1], 'w', libver='latest')
      g = f.create_group('g', track_order=True)
      for i in range(int(sys.argv[2])):
          g['old%d' % i] = h5py.SoftLink('/to/%d' % i)
      f.close()
      """;

  private static final String LIST_LINKS =
      """
      import h5py, sys
      f = h5py.File(sys.argv[1], 'r')
      g = f['g']
      names = list(g)
      assert len(g) == len(names)
      for n in names:
          link = g.get(n, getlink=True)
          assert link.path == '/to/' + n or n.startswith('old'), n
      print('\\n'.join(names))
      f.close()
      """;

  private static final String EDIT_LINKS =
      """
      import h5py, sys, random
      random.seed(int(sys.argv[2]))
      f = h5py.File(sys.argv[1], 'r+', libver='latest')
      g = f['g']
      names = list(g)
      random.shuffle(names)
      # The library up to 1.10 by itself fails to close files in which it deleted long links.
      for n in names[:len(names) // 3 if int(sys.argv[4]) < 1000 else 0]:
          del g[n]
      for i in range(int(sys.argv[3])):
          n = 'more' + sys.argv[2] + 'x' * random.randrange(0, int(sys.argv[4])) + str(i)
          g[n] = h5py.SoftLink('/to/' + n)
      f.close()
      f = h5py.File(sys.argv[1], 'r')
      print('\\n'.join(list(f['g'])))
      """;

  static Stream<Arguments> links() {
    return Stream.of(
        Arguments.of(9, 70),
        Arguments.of(60, 70),
        Arguments.of(Effort.times(6000, 20_000), 70),
        Arguments.of(400, 3500),
        Arguments.of(Effort.times(500, 1500), 4300));
  }

  @ParameterizedTest
  @MethodSource("links")
  void editsLinksOfTheCLibraryAndItEditsOurs(int links, int longest) throws IOException {
    System.out.println("seed " + SEED);
    Random random = new Random(SEED);
    Path path = folder.resolve("links.h5");
    LatestFile.python(MAKE_LINKS, path.toString(), Integer.toString(links));
    LinkedHashSet<String> model = new LinkedHashSet<>();
    for (int i = 0; i < links; i++) {
      model.add("old" + i);
    }
    int rounds = links > 5000 ? 1 : Effort.times(2, 3);
    for (int round = 0; round < rounds; round++) {
      LatestFile file = new LatestFile(path);
      LatestFile.Info info = file.infos(2).getFirst();
      DenseStorage storage = openLinks(file, info);
      assertThat(storage.size()).isEqualTo(model.size());
      assertThat(names(storage)).containsExactlyInAnyOrderElementsOf(model);
      assertThat(namesByOrder(storage)).containsExactlyElementsOf(model);
      long order =
          editLinks(storage, model, file.nextOrder(info), random, new int[] {links / 2, longest});
      file.space.evict();
      storage = openLinks(file, info);
      assertThat(namesByOrder(storage)).containsExactlyElementsOf(model);
      file.save(info, order);
      assertThat(LatestFile.python(LIST_LINKS, path.toString()).lines())
          .containsExactlyElementsOf(model);
      List<String> edited =
          LatestFile.python(
                  EDIT_LINKS,
                  path.toString(),
                  Long.toString((SEED & 0xFFFFFF) + round),
                  Integer.toString(links / 4 + 30),
                  Integer.toString(longest))
              .lines()
              .toList();
      model = new LinkedHashSet<>(edited);
      checkSorted(path, model);
    }
  }

  private static DenseStorage openLinks(LatestFile file, LatestFile.Info info) {
    return DenseStorage.openLinks(file.space, file.addresses(info), HeapFilter.NONE);
  }

  private static long editLinks(
      DenseStorage storage,
      Set<String> model,
      long firstOrder,
      Random random,
      int[] editsAndLongest) {
    long order = firstOrder;
    for (int i = 0; i < editsAndLongest[0] + 20; i++) {
      String name = "our" + "y".repeat(random.nextInt(editsAndLongest[1])) + "-" + order;
      storage.insert(name, order, softLink(name, order));
      model.add(name);
      order++;
    }
    List<String> victims = new ArrayList<>(model);
    Collections.shuffle(victims, random);
    for (String name : victims.subList(0, victims.size() / 3)) {
      assertThat(storage.remove(name)).isPresent();
      assertThat(storage.find(name)).isEmpty();
      model.remove(name);
    }
    return order;
  }

  private static void checkSorted(Path path, Set<String> model) throws IOException {
    LatestFile file = new LatestFile(path);
    DenseListing listing = openLinks(file, file.infos(2).getFirst()).list().sortedByName();
    List<String> sorted = new ArrayList<>(new TreeSet<>(model));
    List<String> actual = new ArrayList<>();
    for (int i = 0; i < listing.size(); i++) {
      actual.add(listing.name(i));
    }
    assertThat(actual).isEqualTo(sorted);
    assertThat(name(listing.get(5))).isEqualTo(sorted.get(5));
  }

  private static final String MAKE_FILTERED =
      """
      import h5py, sys, ctypes
      lib = ctypes.CDLL('libhdf5_serial.so.103')
      f = h5py.File(sys.argv[1], 'w', libver='latest')
      gcpl = h5py.h5p.create(h5py.h5p.GROUP_CREATE)
      gcpl.set_link_creation_order(h5py.h5p.CRT_ORDER_TRACKED | h5py.h5p.CRT_ORDER_INDEXED)
      assert lib.H5Pset_deflate(ctypes.c_int64(gcpl.id), ctypes.c_uint(6)) >= 0
      h5py.h5g.create(f.id, b'g', gcpl=gcpl)
      g = f['g']
      for i in range(int(sys.argv[2])):
          g['old%d' % i + ('z' * 5000 if i % 90 == 7 else '')] = h5py.SoftLink('/to/%d' % i)
      f.close()
      """;

  /** Undoes deflate; the pipeline has no other filter. */
  private static byte[] inflate(byte[] pipeline, int mask, byte[] stored, int decodedBytes) {
    if ((mask & 1) != 0) {
      return stored;
    }
    byte[] decoded = new byte[decodedBytes];
    try (Inflater inflater = new Inflater()) {
      inflater.setInput(stored);
      assertThat(inflater.inflate(decoded)).isEqualTo(decodedBytes);
    } catch (DataFormatException broken) {
      throw new AssertionError(broken);
    }
    return decoded;
  }

  @ParameterizedTest
  @ValueSource(ints = {9, 1200})
  void editsFilteredHeapsOfTheCLibrary(int links) throws IOException {
    Path path = folder.resolve("filtered.h5");
    LatestFile.python(MAKE_FILTERED, path.toString(), Integer.toString(links));
    LinkedHashSet<String> model = new LinkedHashSet<>();
    for (int i = 0; i < links; i++) {
      model.add("old" + i + (i % 90 == 7 ? "z".repeat(5000) : ""));
    }
    Random random = new Random(SEED);
    for (int round = 0; round < 2; round++) {
      LatestFile file = new LatestFile(path);
      LatestFile.Info info = file.infos(2).getFirst();
      DenseStorage storage =
          DenseStorage.openLinks(
              file.space, file.addresses(info), DenseStorageInteropTest::inflate);
      assertThat(namesByOrder(storage)).containsExactlyElementsOf(model);
      long order =
          editLinks(storage, model, file.nextOrder(info), random, new int[] {links / 3, 60});
      file.save(info, order);
      List<String> edited =
          LatestFile.python(
                  EDIT_LINKS,
                  path.toString(),
                  Integer.toString(1000 + round),
                  Integer.toString(links / 4 + 20),
                  "1000")
              .lines()
              .toList();
      assertThat(edited.subList(0, model.size())).containsExactlyElementsOf(model);
      model = new LinkedHashSet<>(edited);
    }
  }

  private static byte[] attribute(String name, int values) {
    byte[] utf8 = name.getBytes(StandardCharsets.UTF_8);
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteBuffer head = ByteBuffer.allocate(9).order(ByteOrder.LITTLE_ENDIAN);
    head.put((byte) 3).put((byte) 0).putShort((short) (utf8.length + 1));
    head.putShort((short) 12).putShort((short) 12).put((byte) 0);
    out.writeBytes(head.array());
    out.writeBytes(utf8);
    out.write(0);
    out.writeBytes(new byte[] {0x10, 8, 0, 0, 4, 0, 0, 0, 0, 0, 32, 0});
    ByteBuffer body = ByteBuffer.allocate(12 + 4 * values).order(ByteOrder.LITTLE_ENDIAN);
    body.put((byte) 2).put((byte) 1).put((byte) 0).put((byte) 1).putLong(values);
    for (int i = 0; i < values; i++) {
      body.putInt(i + name.length());
    }
    out.writeBytes(body.array());
    return out.toByteArray();
  }

  private static final String MAKE_ATTRIBUTES =
      """
      import h5py, sys, numpy
      f = h5py.File(sys.argv[1], 'w', libver='latest')
      g = f.create_group('g', track_order=True)
      for i in range(300):
          g.attrs['old%d' % i] = numpy.arange(2000 if i % 50 == 0 else i % 7 + 1, dtype='<i4')
      f.close()
      """;

  private static final String CHECK_ATTRIBUTES =
      """
      import h5py, sys, numpy
      f = h5py.File(sys.argv[1], 'r+', libver='latest')
      a = f['g'].attrs
      names = list(a)
      for n in names:
          v = a[n]
          off = len(n) if n.startswith('our') else 0
          assert (v == numpy.arange(len(v)) + off).all(), n
      print('\\n'.join(names))
      for n in names[::4]:
          del a[n]
      for i in range(40):
          a['more%s-%d' % (sys.argv[2], i)] = numpy.arange(3000 if i % 10 == 0 else 3, dtype='<i4')
      f.close()
      f = h5py.File(sys.argv[1], 'r')
      print('==')
      print('\\n'.join(list(f['g'].attrs)))
      """;

  @Test
  void editsAttributesOfTheCLibraryAndItEditsOurs() throws IOException {
    System.out.println("seed " + SEED);
    Random random = new Random(SEED);
    Path path = folder.resolve("attributes.h5");
    LatestFile.python(MAKE_ATTRIBUTES, path.toString());
    List<String> model = new ArrayList<>();
    for (int i = 0; i < 300; i++) {
      model.add("old" + i);
    }
    for (int round = 0; round < 3; round++) {
      LatestFile file = new LatestFile(path);
      LatestFile.Info info = file.infos(0x15).getFirst();
      DenseStorage storage =
          DenseStorage.openAttributes(file.space, file.addresses(info), Optional.empty());
      assertThat(storage.size()).isEqualTo(model.size());
      long order = file.nextOrder(info);
      for (int i = 0; i < 80; i++) {
        String name = "our" + order;
        storage.insert(name, order++, attribute(name, i % 20 == 0 ? 1500 : i % 9 + 1));
        model.add(name);
      }
      List<String> victims = new ArrayList<>(model);
      Collections.shuffle(victims, random);
      for (String name : victims.subList(0, 150)) {
        assertThat(storage.remove(name)).isPresent();
        model.remove(name);
      }
      for (String name : model) {
        if (name.startsWith("our") && random.nextInt(3) == 0) {
          assertThat(storage.replace(name, attribute(name, 1 + random.nextInt(2000)))).isTrue();
        }
      }
      file.save(info, order);
      List<String> lines =
          LatestFile.python(CHECK_ATTRIBUTES, path.toString(), Integer.toString(round))
              .lines()
              .toList();
      int middle = lines.indexOf("==");
      assertThat(lines.subList(0, middle)).isEqualTo(model);
      model = new ArrayList<>(lines.subList(middle + 1, lines.size()));
    }
  }

  @Test
  void ordersNamesOfEqualHashByName() {
    MemoryMetadataSpace space = MemoryMetadataSpace.empty();
    DenseStorage storage = DenseStorage.createLinks(space, true);
    List<String> names = new ArrayList<>();
    for (int i = 0; i < 3000; i++) {
      names.add("n" + i);
      storage.insert("n" + i, i, softLink("n" + i, i));
    }
    space.evict();
    storage = DenseStorage.openLinks(space, storage.addresses(), HeapFilter.NONE);
    assertThat(namesByOrder(storage)).isEqualTo(names);
    assertThat(name(storage.byOrder(77))).isEqualTo("n77");
    assertThat(storage.find("n5")).map(DenseEntry::creationOrder).contains(5L);
    storage.delete();
    assertThat(space.allocatedBytes()).isZero();
  }
}
