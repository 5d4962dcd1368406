package org.hyperslab.convert.numpy;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.zip.ZipEntry;
import org.apache.commons.compress.archivers.zip.Zip64Mode;
import org.apache.commons.compress.archivers.zip.ZipArchiveEntry;
import org.apache.commons.compress.archivers.zip.ZipArchiveOutputStream;
import org.hyperslab.convert.bytes.FileBytes;
import org.hyperslab.convert.bytes.ZipInput;
import org.hyperslab.convert.model.AttributeValue;
import org.hyperslab.convert.model.BoxBytes;
import org.hyperslab.convert.model.ConversionRun;
import org.hyperslab.convert.model.Dimension;
import org.hyperslab.convert.model.GroupNode;
import org.hyperslab.convert.model.TargetFile;
import org.hyperslab.convert.model.Variable;
import org.hyperslab.error.StorageException;
import org.hyperslab.error.UnsupportedFeatureException;
import org.hyperslab.format.io.NameBytes;

/**
 * Writes a NumPy array, or an archive of arrays that are named by the paths of the variables. NumPy
 * has neither attributes nor names of dimensions.
 */
public final class NumpyTarget implements TargetFile {

  private static final int BUFFER_BYTES = 1 << 16;

  private enum Form {
    ARRAY,
    ARCHIVE,
    RAW
  }

  private final Form form;

  private NumpyTarget(Form form) {
    this.form = form;
  }

  /**
   * Creates a target that writes one array.
   *
   * @return the target
   */
  public static NumpyTarget array() {
    return new NumpyTarget(Form.ARRAY);
  }

  /**
   * Creates a target that writes an archive of arrays.
   *
   * @return the target
   */
  public static NumpyTarget archive() {
    return new NumpyTarget(Form.ARCHIVE);
  }

  /**
   * Creates a target that writes the elements of one array without a header.
   *
   * @return the target
   */
  public static NumpyTarget raw() {
    return new NumpyTarget(Form.RAW);
  }

  @Override
  public void write(GroupNode root, Path path, ConversionRun work) {
    List<Variable> variables = root.allVariables().toList();
    reportMetadata(root, work);
    List<NumpyElements> arrays =
        variables.stream()
            .map(variable -> NumpyElements.of(variable, "NumPy", work))
            .flatMap(Optional::stream)
            .toList();
    if (form == Form.ARCHIVE) {
      writeArchive(arrays, path, work);
    } else {
      writeArray(arrays, variables, path, work);
    }
  }

  private static void reportMetadata(GroupNode root, ConversionRun work) {
    root.all()
        .forEach(group -> {
          group
              .attributes()
              .forEach(a -> work.reportLoss("the attribute " + a.name(), group.path()));
          if (group.variables().isEmpty() && group.groups().isEmpty() && group != root) {
            work.reportLoss("an empty group", group.path());
          }
        });
    root.allVariables().forEach(variable -> reportMetadata(variable, work));
  }

  private static void reportMetadata(Variable variable, ConversionRun work) {
    boolean keptType = NumpyAttribute.of(variable).isPresent();
    for (AttributeValue attribute : variable.traits().attributes()) {
      if (!keptType || !attribute.name().equals(NumpyAttribute.NAME)) {
        work.reportLoss("the attribute " + attribute.name(), variable.path());
      }
    }
    for (Dimension dimension : variable.traits().dimensions()) {
      if (!dimension.path().isEmpty()) {
        work.reportLoss("the name of the dimension " + dimension.path(), variable.path());
      }
    }
  }

  private void writeArray(
      List<NumpyElements> arrays, List<Variable> variables, Path path, ConversionRun work) {
    if (arrays.size() != 1) {
      throw new UnsupportedFeatureException(
          "array of NumPy: actual="
              + arrays.size()
              + " variables "
              + variables.stream().limit(8).map(Variable::path).toList()
              + ", expected=one; choose one with --path, or write an .npz archive, at="
              + path);
    }
    NumpyElements array = arrays.getFirst();
    byte[] header = form == Form.RAW ? new byte[0] : array.header();
    try (FileBytes out = FileBytes.create(path)) {
      out.write(0, MemorySegment.ofArray(header));
      long[] dims = array.variable().space().dims();
      BoxBytes where = new BoxBytes(dims, header.length, array.elementBytes());
      array.copy(work, (box, elements) -> where.write(out, box.start(), box.count(), elements));
    }
  }

  private static void writeArchive(List<NumpyElements> arrays, Path path, ConversionRun work) {
    try (FileBytes file = FileBytes.create(path);
        ZipArchiveOutputStream zip = new ZipArchiveOutputStream(file.channel())) {
      zip.setUseZip64(Zip64Mode.AsNeeded);
      zip.setMethod(ZipEntry.STORED);
      for (NumpyElements array : arrays) {
        if (!NameBytes.isUtf8(array.variable().path())) {
          work.reportLoss(
              "a name that is not UTF-8, which those of archives are", array.variable().path());
          continue;
        }
        byte[] header = array.header();
        ZipArchiveEntry entry =
            new ZipArchiveEntry(
                ZipInput.requireConfined(array.variable().path().substring(1) + ".npy"));
        entry.setMethod(ZipEntry.STORED);
        entry.setTime(
            315_532_800_000L); // a fixed time in 1980, so that equal inputs give equal bytes
        entry.setSize(Math.addExact(header.length, array.bytes()));
        zip.putArchiveEntry(entry);
        zip.write(header);
        byte[] buffer = new byte[BUFFER_BYTES];
        array.copyInOrder(work, elements -> append(elements, zip, buffer, path));
        zip.closeArchiveEntry();
      }
    } catch (IOException failure) {
      throw failed(path, failure);
    }
  }

  private static StorageException failed(Path path, IOException failure) {
    return new StorageException(
        "write: actual=" + failure + ", expected=success, at=" + path, failure);
  }

  private static void append(
      MemorySegment elements, ZipArchiveOutputStream zip, byte[] buffer, Path path) {
    try {
      for (long at = 0; at < elements.byteSize(); at += buffer.length) {
        int count = (int) Math.min(buffer.length, elements.byteSize() - at);
        MemorySegment.copy(elements, ValueLayout.JAVA_BYTE, at, buffer, 0, count);
        zip.write(buffer, 0, count);
      }
    } catch (IOException failure) {
      throw failed(path, failure);
    }
  }
}
