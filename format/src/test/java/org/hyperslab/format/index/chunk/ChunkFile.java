package org.hyperslab.format.index.chunk;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.DataFormatException;
import java.util.zip.Deflater;
import java.util.zip.Inflater;
import org.hyperslab.format.header.DataLayoutMessage;
import org.hyperslab.format.header.DataspaceMessage;
import org.hyperslab.format.header.MessageType;
import org.hyperslab.format.header.ObjectHeader;
import org.hyperslab.format.index.grid.ChunkGrid;
import org.hyperslab.format.index.grid.ChunkLocation;
import org.hyperslab.format.metadata.MemoryMetadataSpace;
import org.hyperslab.format.metadata.SpaceKind;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.superblock.Superblock;
import org.hyperslab.format.superblock.SuperblockCodec;
import org.hyperslab.testkit.Oracle;

/**
 * A file made by {@code chunk_files.py}, with the index of its dataset open for reading and
 * editing, as in a connector.
 */
final class ChunkFile {

  private static final int STRIDE = 1000;

  private final Superblock superblock;
  private final byte[] original;
  private final Map<Long, byte[]> written = new HashMap<>();
  private final MemoryMetadataSpace space;
  private final ObjectHeader header;
  private final boolean filtered;
  private ChunkIndex index;

  /** One chunk, as the library reports it. */
  @SuppressWarnings("ArrayRecordComponent") // Never compared.
  record Told(long[] scaled, ChunkLocation location) {}

  /** A dataset, as the library reports it. */
  record Description(long headerAddress, int count, List<Told> chunks) {

    static Description read(Path path) throws IOException {
      List<Told> chunks = new ArrayList<>();
      List<String> lines = Files.readAllLines(path);
      for (String line : lines.subList(2, lines.size())) {
        String[] field = line.split(" ", -1);
        long[] scaled = Arrays.stream(field[0].split(",", -1)).mapToLong(Long::parseLong).toArray();
        chunks.add(
            new Told(
                scaled,
                new ChunkLocation(
                    Long.parseLong(field[1]),
                    Long.parseLong(field[2]),
                    Integer.parseInt(field[3]))));
      }
      return new Description(
          Long.parseLong(lines.get(0).split(" ", -1)[1]),
          Integer.parseInt(lines.get(1).split(" ", -1)[1]),
          chunks);
    }
  }

  ChunkFile(byte[] bytes, long headerAddress) {
    original = bytes;
    superblock = SuperblockCodec.decode("chunks", bytes, 0);
    space = new MemoryMetadataSpace(superblock.geometry(), bytes);
    header = ObjectHeader.open(space, headerAddress);
    filtered = header.has(MessageType.FILTER_PIPELINE);
    open();
  }

  private void open() {
    Dataspace extent =
        header.find(MessageType.DATASPACE, DataspaceMessage.class).orElseThrow().space();
    index = ChunkIndex.open(space, layout(), extent, filtered, superblock.chunkInternalK());
  }

  DataLayoutMessage layout() {
    return header.find(MessageType.DATA_LAYOUT, DataLayoutMessage.class).orElseThrow();
  }

  ChunkIndex index() {
    return index;
  }

  MemoryMetadataSpace space() {
    return space;
  }

  /** The chunks that the index visits, in its order. */
  List<Told> chunks() {
    List<Told> chunks = new ArrayList<>();
    index.forEach((scaled, location) -> {
      chunks.add(new Told(scaled.clone(), location));
      return true;
    });
    return chunks;
  }

  /** Requires that the bytes at a location are those of the chunk. */
  void requireData(long[] scaled, ChunkLocation location) {
    byte[] stored = written.get(location.address());
    if (stored == null) {
      int at = Math.toIntExact(location.address());
      stored = Arrays.copyOfRange(original, at, at + (int) location.storedBytes());
    }
    byte[] raw = filtered ? inflate(stored) : stored;
    ByteBuffer elements = ByteBuffer.wrap(raw).order(ByteOrder.LITTLE_ENDIAN);
    assertThat(elements.getInt(0)).as("first element of chunk").isEqualTo(value(scaled));
  }

  private byte[] inflate(byte[] stored) {
    Inflater inflater = new Inflater();
    inflater.setInput(stored);
    byte[] raw = new byte[(int) index.grid().chunkBytes()];
    try {
      assertThat(inflater.inflate(raw)).isEqualTo(raw.length);
    } catch (DataFormatException e) {
      throw new AssertionError(e);
    } finally {
      inflater.end();
    }
    return raw;
  }

  /** The first element of a chunk. */
  private int value(long[] scaled) {
    long[] offset = new long[scaled.length];
    Arrays.setAll(offset, d -> scaled[d] * index.grid().chunkDims()[d]);
    return value(offset, offset.length);
  }

  private static int value(long[] coordinates, int rank) {
    long value = 1;
    for (int d = 0; d < rank; d++) {
      long weight = 1;
      for (int i = d + 1; i < rank; i++) {
        weight *= STRIDE;
      }
      value += coordinates[d] * weight;
    }
    return (int) value;
  }

  /** Writes a chunk in a new place and enters it. */
  void write(long[] scaled) {
    byte[] stored = filtered ? deflate(content(scaled)) : content(scaled);
    ChunkLocation old = index.find(scaled);
    long address =
        index.ownsChunkSpace() ? old.address() : space.allocate(SpaceKind.RAW_DATA, stored.length);
    written.put(address, stored);
    index.put(scaled, new ChunkLocation(address, stored.length, 0));
  }

  private byte[] content(long[] scaled) {
    ChunkGrid grid = index.grid();
    ByteBuffer raw = ByteBuffer.allocate((int) grid.chunkBytes()).order(ByteOrder.LITTLE_ENDIAN);
    long[] at = new long[scaled.length];
    Arrays.setAll(at, d -> scaled[d] * grid.chunkDims()[d]);
    while (raw.hasRemaining()) {
      raw.putInt(value(at, at.length));
      int d = at.length - 1;
      while (d >= 0 && ++at[d] == (scaled[d] + 1) * grid.chunkDims()[d]) {
        at[d] = scaled[d] * grid.chunkDims()[d];
        d--;
      }
    }
    return raw.array();
  }

  private static byte[] deflate(byte[] raw) {
    Deflater deflater = new Deflater(4);
    deflater.setInput(raw);
    deflater.finish();
    byte[] stored = new byte[raw.length + 100];
    int length = deflater.deflate(stored);
    deflater.end();
    return Arrays.copyOf(stored, length);
  }

  /** Gives the dataset another extent. */
  void resize(long[] dims) {
    DataspaceMessage old = header.find(MessageType.DATASPACE, DataspaceMessage.class).orElseThrow();
    header.replace(
        header.find(MessageType.DATASPACE).orElseThrow(), old.with(old.space().withDims(dims)));
    index.extentChanged(dims);
  }

  /** The file as it is now: index flushed, layout message and end of file updated. */
  byte[] save() {
    header.replace(header.find(MessageType.DATA_LAYOUT).orElseThrow(), index.updated(layout()));
    byte[] bytes = space.toByteArray();
    written.forEach((address, stored) ->
        System.arraycopy(stored, 0, bytes, Math.toIntExact(address), stored.length));
    byte[] front = SuperblockCodec.encode(superblock.withEndOfFile(bytes.length));
    System.arraycopy(front, 0, bytes, 0, front.length);
    return bytes;
  }

  /** The path of a resource beside the script. */
  static Path resource(String name) {
    try {
      return Path.of(ChunkFile.class.getResource(name).toURI());
    } catch (URISyntaxException e) {
      throw new AssertionError(e);
    }
  }

  /** Opens NAME.h5 in a directory, as NAME.txt beside it describes. */
  static ChunkFile open(Path directory, String name) {
    try {
      return new ChunkFile(
          Files.readAllBytes(directory.resolve(name + ".h5")),
          describe(directory, name).headerAddress());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static Description describe(Path directory, String name) throws IOException {
    return Description.read(directory.resolve(name + ".txt"));
  }

  /** Runs {@code chunk_files.py} and requires that it agrees. */
  static void script(String... arguments) throws IOException {
    Oracle script = Oracle.h5py(resource("chunk_files.py"));
    assertThat(script.run(arguments).orFail().output().strip()).endsWith("agreed");
  }
}
