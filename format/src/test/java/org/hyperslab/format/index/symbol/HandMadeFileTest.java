package org.hyperslab.format.index.symbol;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.hyperslab.format.header.AttributeMessage;
import org.hyperslab.format.header.CommentMessage;
import org.hyperslab.format.header.DataLayoutMessage;
import org.hyperslab.format.header.DataspaceMessage;
import org.hyperslab.format.header.DatatypeMessage;
import org.hyperslab.format.header.FillValueMessage;
import org.hyperslab.format.header.GroupInfoMessage;
import org.hyperslab.format.header.HeaderMessage;
import org.hyperslab.format.header.HeaderOptions;
import org.hyperslab.format.header.LibraryVersion;
import org.hyperslab.format.header.LinkInfoMessage;
import org.hyperslab.format.header.LinkMessage;
import org.hyperslab.format.header.MessageType;
import org.hyperslab.format.header.ObjectHeader;
import org.hyperslab.format.header.ObjectHeader.NewMessage;
import org.hyperslab.format.header.ObjectTimes;
import org.hyperslab.format.header.SymbolTableMessage;
import org.hyperslab.format.io.Bytes;
import org.hyperslab.format.io.FileGeometry;
import org.hyperslab.format.metadata.MemoryMetadataSpace;
import org.hyperslab.format.metadata.SpaceKind;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.superblock.Superblock;
import org.hyperslab.format.superblock.SuperblockCodec;
import org.hyperslab.format.superblock.SymbolTableEntry;
import org.hyperslab.format.type.Datatypes;
import org.hyperslab.testkit.Oracle;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Writes whole files of groups, attributes and compact datasets, and has h5py read and edit them.
 */
class HandMadeFileTest {

  private static final int LINKS = 1500;

  @TempDir Path directory;

  private final List<String> expected = new ArrayList<>();

  @ParameterizedTest
  @EnumSource(
      value = LibraryVersion.class,
      names = {"EARLIEST", "V18", "V110"})
  void handMadeFileIsReadAndEditedByTheLibrary(LibraryVersion version) throws IOException {
    Path file = directory.resolve("made.h5");
    Files.write(file, write(version));
    String listed =
        Oracle.h5py()
            .run(
                "import h5py,sys\n"
                    + "f=h5py.File('"
                    + file
                    + "','r+')\n"
                    + "for n in sorted(f['g']):\n"
                    + "  l=f['g'].get(n,getlink=True)\n"
                    + "  if isinstance(l,h5py.SoftLink): print(n,'->',l.path)\n"
                    + "  else: print(n,f['g'][n][()],dict(f['g'][n].attrs))\n"
                    + "for i in range(0,300): f.create_group('g/new%04d'%i)\n"
                    + "for n in list(f['g'])[::3]: del f['g'][n]\n"
                    + "f['g'].attrs['more']='x'*100\n"
                    + "open('"
                    + file
                    + ".left','w').write('\\n'.join(f['g']))\n"
                    + "f.close()\n")
            .orFail()
            .output();
    assertThat(listed.strip().lines())
        .containsExactlyElementsOf(expected.stream().sorted().toList());
    assertThat(names(Files.readAllBytes(file)))
        .isEqualTo(new TreeSet<>(Files.readAllLines(Path.of(file + ".left"))));
  }

  /** A file whose group "g" holds datasets and soft links, a third of them removed again. */
  private byte[] write(LibraryVersion version) {
    FileGeometry geometry = FileGeometry.standard("made.h5");
    MemoryMetadataSpace space = new MemoryMetadataSpace(geometry);
    space.allocate(SpaceKind.SUPERBLOCK, 128);
    SymbolTable root = SymbolTable.create(space, GroupNodeSizes.DEFAULT, 0);
    SymbolTable group = SymbolTable.create(space, GroupNodeSizes.DEFAULT, 0);
    Random random = new Random(7);
    for (int i = 0; i < LINKS; i++) {
      String name = String.format("n%04x", random.nextInt(65_536));
      if (group.find(name).isPresent()) {
        group.remove(name);
        expected.removeIf(line -> line.startsWith(name + " "));
      } else if (i % 7 == 0) {
        group.insertSoft(name, "/g/" + i);
        expected.add(name + " -> /g/" + i);
      } else {
        group.insertHard(name, dataset(space, version, i), new SymbolTableEntry.Nothing());
        expected.add(name + " " + i + " {'a': " + i + ", 'b': " + (i + 1) + "}");
      }
    }
    for (String line : expected.subList(0, expected.size() / 3)) {
      group.remove(line.substring(0, line.indexOf(' ')));
    }
    expected.subList(0, expected.size() / 3).clear();
    ObjectHeader groupHeader =
        ObjectHeader.create(
            space, HeaderOptions.version(1), List.of(NewMessage.of(group.message())));
    root.insertHard("g", groupHeader.address(), group.cache());
    return finish(space, version, root, groupHeader);
  }

  private static byte[] finish(
      MemoryMetadataSpace space, LibraryVersion version, SymbolTable root, ObjectHeader group) {
    Superblock superblock;
    if (version == LibraryVersion.EARLIEST) {
      ObjectHeader header =
          ObjectHeader.create(
              space, HeaderOptions.version(1), List.of(NewMessage.of(root.message())));
      superblock =
          Superblock.legacy(
              0,
              space.geometry(),
              0,
              space.endOfFile(),
              Superblock.Legacy.of(new SymbolTableEntry(0, header.address(), root.cache())));
    } else {
      ObjectHeader header =
          ObjectHeader.create(
              space,
              HeaderOptions.version(2),
              List.of(
                  NewMessage.of(LinkInfoMessage.compact(false, false)),
                  NewMessage.of(GroupInfoMessage.DEFAULT)));
      header.add(LinkMessage.of("g", OptionalLong.empty(), new LinkMessage.Hard(group.address())));
      superblock =
          Superblock.modern(
              version.superblock(), space.geometry(), 0, space.endOfFile(), header.address());
    }
    byte[] bytes = space.toByteArray();
    byte[] first = SuperblockCodec.encode(superblock.withEndOfFile(bytes.length));
    System.arraycopy(first, 0, bytes, 0, first.length);
    return bytes;
  }

  private static long dataset(MemoryMetadataSpace space, LibraryVersion version, int value) {
    HeaderOptions options = HeaderOptions.version(version.objectHeader());
    ObjectHeader header =
        ObjectHeader.create(
            space,
            options.storing(ObjectTimes.at(1_700_000_000L)),
            List.of(
                NewMessage.of(DataspaceMessage.of(Dataspace.scalar(), version)),
                NewMessage.constant(DatatypeMessage.of(Datatypes.I32LE, version)),
                new NewMessage(
                    FillValueMessage.defaultValue(
                        version.fillValue(), FillValueMessage.Allocation.EARLY),
                    HeaderMessage.CONSTANT,
                    0),
                NewMessage.of(
                    new DataLayoutMessage(
                        version.dataLayout(), new DataLayoutMessage.Compact(int32(value))))));
    header.add(attribute("a", value, version));
    HeaderMessage comment = header.add(new CommentMessage("to be removed " + value));
    header.add(attribute("b", value + 1, version));
    header.remove(comment);
    if (value % 5 == 0) {
      header.replace(
          header.find(MessageType.DATA_LAYOUT).orElseThrow(),
          new DataLayoutMessage(version.dataLayout(), new DataLayoutMessage.Compact(int32(value))));
    }
    return header.address();
  }

  private static AttributeMessage attribute(String name, int value, LibraryVersion version) {
    return AttributeMessage.of(
        name,
        DatatypeMessage.of(Datatypes.I32LE, version),
        DataspaceMessage.of(Dataspace.scalar(), version),
        int32(value),
        version);
  }

  private static Bytes int32(int value) {
    return Bytes.of(
        new byte[] {(byte) value, (byte) (value >> 8), (byte) (value >> 16), (byte) (value >> 24)});
  }

  /** The names in group "g", as this project reads them. */
  private static Set<String> names(byte[] bytes) {
    Superblock superblock = SuperblockCodec.decode("made.h5", bytes, 0);
    MemoryMetadataSpace space = new MemoryMetadataSpace(superblock.geometry(), bytes);
    ObjectHeader root = ObjectHeader.open(space, superblock.rootHeaderAddress());
    long address =
        superblock.legacy().isPresent()
            ? table(space, root).find("g").orElseThrow().headerAddress()
            : ((LinkMessage.Hard)
                    root.find(MessageType.LINK, LinkMessage.class).orElseThrow().target())
                .headerAddress();
    Set<String> names = new TreeSet<>();
    for (NamedEntry each :
        table(space, ObjectHeader.open(space, address)).list(Optional.empty(), LINKS * 2)) {
      names.add(each.name());
    }
    return names;
  }

  private static SymbolTable table(MemoryMetadataSpace space, ObjectHeader header) {
    return SymbolTable.open(
        space,
        header.find(MessageType.SYMBOL_TABLE, SymbolTableMessage.class).orElseThrow(),
        GroupNodeSizes.DEFAULT);
  }
}
