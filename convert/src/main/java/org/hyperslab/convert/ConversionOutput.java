package org.hyperslab.convert;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Consumer;
import org.hyperslab.convert.bytes.FileBytes;
import org.hyperslab.convert.model.ConversionRun;
import org.hyperslab.convert.model.GroupNode;
import org.hyperslab.convert.model.TargetFile;
import org.hyperslab.convert.options.ConversionOptions;
import org.hyperslab.convert.options.FileKind;
import org.hyperslab.convert.table.TableTarget;
import org.hyperslab.format.store.UnfinishedFile;

/**
 * Where the result of a conversion goes: a file that is complete when it has its name, or a stream.
 *
 * @param path the file, or what the stream is named in messages
 * @param stream the stream; empty for a file
 */
record ConversionOutput(Path path, Optional<OutputStream> stream) {

  /** Returns a file as output. */
  static ConversionOutput to(Path path) {
    return new ConversionOutput(path, Optional.empty());
  }

  /** Returns a stream as output, which stays open. */
  static ConversionOutput to(OutputStream stream, FileKind kind) {
    return new ConversionOutput(
        Path.of(kind.isStore() ? "stream.zip" : "stream"), Optional.of(stream));
  }

  /** Writes a tree. */
  void write(TargetFile target, GroupNode root, ConversionOptions options, ConversionRun work) {
    if (stream.isEmpty()) {
      write(path, options, written -> target.write(root, written, work));
    } else if (target instanceof TableTarget table) {
      table.write(root, stream.get(), path, work);
    } else {
      writeThrough(target, root, work);
    }
  }

  /** Most formats have parts at their begin that are known at the end. */
  private void writeThrough(TargetFile target, GroupNode root, ConversionRun work) {
    try {
      Path made = Files.createTempDirectory("hyperslab-");
      try (UnfinishedFile folder = UnfinishedFile.ofTemporary(made)) {
        Path whole = folder.path().resolve(path);
        target.write(root, whole, work);
        Files.copy(whole, stream.get());
        stream.get().flush();
      }
    } catch (IOException failure) {
      throw FileBytes.failed("write", path, failure);
    }
  }

  /** Writes a file beside its place, and gives it its name when it is complete. */
  static void write(Path out, ConversionOptions options, Consumer<Path> writing) {
    try (UnfinishedFile file = UnfinishedFile.replacingFolder(out)) {
      boolean complete = false;
      try {
        writing.accept(file.path());
        complete = true;
      } finally {
        boolean kept = options.keepIncomplete() && Files.exists(file.path());
        if (complete || kept) {
          file.finish(); // an incomplete file could otherwise be mistaken for a complete one
        }
      }
    } catch (IOException failure) {
      throw FileBytes.failed("rename", out, failure);
    }
  }
}
