package org.hyperslab.convert;

import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.hyperslab.convert.bytes.FileBytes;
import org.hyperslab.convert.classic.NetcdfSource;
import org.hyperslab.convert.model.AttributeValue;
import org.hyperslab.convert.model.Dimension;
import org.hyperslab.convert.model.GroupNode;
import org.hyperslab.convert.model.Variable;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.type.DataBuffer;
import org.hyperslab.netcdf.cdl.CdlFile;

/**
 * An open classic netCDF file, for programs that print it as CDL.
 *
 * <p>Thread rule: confined to one thread.
 */
public final class ClassicNetcdf implements AutoCloseable {

  private static final byte[] MAGIC = {'C', 'D', 'F'};

  private final NetcdfSource source;

  private ClassicNetcdf(NetcdfSource source) {
    this.source = source;
  }

  /**
   * Returns whether a file begins as classic files do.
   *
   * @param path the file
   * @return whether it is CDF-1, CDF-2 or CDF-5
   * @throws org.hyperslab.error.StorageException if it cannot be read
   */
  public static boolean is(Path path) {
    if (!Files.isRegularFile(path)) {
      return false;
    }
    try (FileBytes file = FileBytes.open(path)) {
      if (file.size() < MAGIC.length) {
        return false;
      }
      byte[] found = new byte[MAGIC.length];
      file.read(0, MemorySegment.ofArray(found));
      return MemorySegment.ofArray(found).mismatch(MemorySegment.ofArray(MAGIC)) < 0;
    }
  }

  /**
   * Opens a file.
   *
   * @param path the file
   * @return the open file, which the caller closes
   * @throws org.hyperslab.error.CorruptFileException if it is not a valid classic file
   */
  public static ClassicNetcdf open(Path path) {
    return new ClassicNetcdf(NetcdfSource.open(path));
  }

  /**
   * Describes the file.
   *
   * @return its content, whose elements can be read until this is closed
   */
  public CdlFile content() {
    GroupNode root = source.root();
    CdlFile.Kind kind =
        switch (source.version()) {
          case 1 -> CdlFile.Kind.CLASSIC;
          case 2 -> CdlFile.Kind.OFFSET64;
          default -> CdlFile.Kind.CDF5;
        };
    return new CdlFile(
        kind,
        new CdlFile.Group(
            "/",
            "",
            List.of(),
            root.dimensions().stream().map(ClassicNetcdf::dimension).toList(),
            root.variables().stream().map(ClassicNetcdf::variable).toList(),
            root.attributes().stream().map(ClassicNetcdf::attribute).toList(),
            List.of(),
            List.of()),
        List.of());
  }

  private static CdlFile.Dimension dimension(Dimension dimension) {
    return new CdlFile.Dimension("/", dimension.name(), dimension.length(), dimension.unlimited());
  }

  private static CdlFile.Variable variable(Variable variable) {
    int size = variable.type().size();
    return new CdlFile.Variable(
        variable.name(),
        variable.type(),
        variable.traits().dimensions().stream().map(ClassicNetcdf::dimension).toList(),
        variable.traits().attributes().stream().map(ClassicNetcdf::attribute).toList(),
        List.of(),
        (origin, shape) -> {
          long bytes = Math.multiplyExact(Dataspace.product(shape), (long) size);
          DataBuffer data = DataBuffer.of(MemorySegment.ofArray(new byte[Math.toIntExact(bytes)]));
          variable.elements().read(origin, shape, data);
          return data;
        });
  }

  private static CdlFile.Attribute attribute(AttributeValue value) {
    return new CdlFile.Attribute(
        value.name(), value.type(), value.space().elementCount(), value.data());
  }

  @Override
  public void close() {
    source.close();
  }
}
