package org.hyperslab.format.filter;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;

/**
 * Chunks that the HDF5 library and its plugins encoded; see make_golden.py and make_registered.py.
 */
final class GoldenChunks {

  /** One chunk: the stages, the stored bytes, the element bytes. */
  static final class Chunk {
    final String name;
    final List<FilterStage> stages;
    final byte[] stored;
    final byte[] elements;

    Chunk(String name, List<FilterStage> stages, byte[] stored, byte[] elements) {
      this.name = name;
      this.stages = stages;
      this.stored = stored;
      this.elements = elements;
    }

    @Override
    public String toString() {
      return name;
    }
  }

  private GoldenChunks() {}

  /** Loads the chunks of one family: golden, vbz, zfp, blosc2. */
  static List<Chunk> load(String family) {
    Map<String, byte[]> entries = new HashMap<>();
    try (InputStream file = GoldenChunks.class.getResourceAsStream("golden/" + family + ".zip");
        ZipInputStream zip = new ZipInputStream(file)) {
      for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
        entries.put(entry.getName(), zip.readAllBytes());
      }
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
    List<Chunk> chunks = new ArrayList<>();
    new String(entries.get("index.tsv"), StandardCharsets.UTF_8)
        .lines()
        .forEach(line -> {
          String[] fields = line.split("\t", -1);
          chunks.add(
              new Chunk(
                  fields[0],
                  Arrays.stream(fields[1].split(";", -1)).map(GoldenChunks::stage).toList(),
                  entries.get(fields[0] + ".enc"),
                  entries.get(fields[0] + ".dec")));
        });
    return chunks;
  }

  static FilterStage stage(String text) {
    String[] parts = text.split(":", -1);
    List<Integer> values =
        parts[2].isEmpty()
            ? List.of()
            : Arrays.stream(parts[2].split(",", -1)).map(Integer::parseUnsignedInt).toList();
    return new FilterStage(Integer.parseInt(parts[0]), parts[1].equals("1"), "", values);
  }
}
