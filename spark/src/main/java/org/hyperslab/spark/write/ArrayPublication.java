package org.hyperslab.spark.write;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.hyperslab.Dataset;
import org.hyperslab.H5File;
import org.hyperslab.Hdf5;
import org.hyperslab.Memory;
import org.hyperslab.error.StorageException;
import org.hyperslab.format.space.Selection;
import org.hyperslab.model.ChunkInfo;

/**
 * Puts the chunks of parts into the output, which has everything but these elements, and gives the
 * output its name.
 *
 * <p>Thread rule: one thread.
 */
final class ArrayPublication {

  /** The output until it gets its name. */
  static final String WHOLE = "whole.h5";

  private ArrayPublication() {}

  /** Copies the chunks of all parts as they are stored. */
  static void assemble(ArrayPlan plan, List<String> parts) {
    try (H5File whole = Hdf5.openForEdit(Path.of(plan.folder(), WHOLE))) {
      for (String part : parts) {
        try (H5File from = Hdf5.open(Path.of(part))) {
          for (int i = 0; i < plan.variables().size(); i++) {
            StoredColumn variable = plan.variables().get(i);
            try (Dataset source = from.dataset("v" + i);
                Dataset target = whole.dataset(variable.name())) {
              copy(plan, variable, source, target);
            }
          }
        }
      }
    }
  }

  private static void copy(ArrayPlan plan, StoredColumn variable, Dataset source, Dataset target) {
    long kept = plan.kept();
    source
        .chunks()
        .map(ChunkInfo::offset)
        .forEach(offset -> {
          long[] origin = offset.stream().mapToLong(Long::longValue).toArray();
          if (origin[0] >= kept) {
            target.writeChunk(source.readChunk(origin), origin);
          } else {
            append(plan, variable, source, target, origin);
          }
        });
  }

  /** Copies the elements of a chunk whose beginning the output has already. */
  private static void append(
      ArrayPlan plan, StoredColumn variable, Dataset source, Dataset target, long[] origin) {
    long[] first = origin.clone();
    first[0] = plan.kept();
    long[] count = plan.chunk().clone();
    long elements = 1;
    for (int d = 0; d < count.length; d++) {
      count[d] = Math.min(origin[d] + plan.chunk()[d], plan.shape()[d]) - first[d];
      elements *= count[d];
    }
    byte[] bytes = new byte[Math.toIntExact(elements * variable.kind().bytes())];
    Memory memory = Memory.of(MemorySegment.ofArray(bytes), variable.type(), count);
    source.readInto(Selection.box(first, count), memory);
    target.write(Selection.box(first, count), memory);
  }

  /** Gives the output its name in one step, and forces it to storage before. */
  static void publish(Path folder, Path path) {
    Path whole = folder.resolve(WHOLE);
    try {
      try (FileChannel channel = FileChannel.open(whole, StandardOpenOption.WRITE)) {
        channel.force(true);
      }
      Files.move(whole, path, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException failure) {
      throw new StorageException(
          "output: actual=not published, expected=published, at=" + path, failure);
    }
  }
}
