package org.hyperslab.mpiio.file;

import org.hyperslab.error.InvalidUseException;
import org.hyperslab.mpiio.datatype.DerivedType;
import org.hyperslab.mpiio.datatype.TypeMap;

/**
 * The part of a file that a rank accesses (MPI 4.1, section 14.3): from a displacement on, the file
 * is tiled with the filetype, and only the bytes of its data are seen. Offsets in a view count
 * etypes from 0.
 *
 * <p>The filetype's data must lie in ascending order without overlaps, also from one tile to the
 * next, and be a whole number of etypes. The standard requires that gaps are whole etypes too; this
 * is not checked, because nothing depends on it. With a filetype without data the file appears
 * empty.
 *
 * <p>Thread rule: immutable.
 */
public final class FileView {

  private final long displacement;
  private final DerivedType etype;
  private final DerivedType filetype;
  private final DataRepresentation representation;
  private final long etypeBytes;
  private final long tileGroups;
  private final long tileBytes;
  private final TypeMap map;

  private FileView(
      long displacement,
      DerivedType etype,
      DerivedType filetype,
      DataRepresentation representation) {
    this.displacement = displacement;
    this.etype = etype;
    this.filetype = filetype;
    this.representation = representation;
    DerivedType etypeInFile = RepresentationConversion.inFile(etype, representation);
    DerivedType tile = RepresentationConversion.inFile(filetype, representation);
    this.etypeBytes = etypeInFile.size();
    this.tileBytes = tile.size();
    this.tileGroups = tile.map().groups();
    require(displacement >= 0, "displacement", displacement, "at least 0");
    require(etypeBytes > 0, "etype", etype, "a type with data");
    require(tileBytes % etypeBytes == 0, "size of the filetype", tileBytes, "whole etypes");
    this.map = tiled(tile, displacement);
    require(map.ascending(), "filetype", filetype, "data in ascending order without overlaps");
    require(map.low() >= 0, "lowest byte of the view", map.low(), "at least 0");
  }

  /** {@return the whole file as bytes, which is the view after opening} */
  public static FileView bytes() {
    return of(0, DerivedType.BYTE, DerivedType.BYTE);
  }

  /**
   * {@return a view in the native representation}
   *
   * @param displacement the start of the view, in bytes from the start of the file
   * @param etype the etype, the unit of offsets
   * @param filetype the filetype, which selects the visible bytes of each tile
   */
  public static FileView of(long displacement, DerivedType etype, DerivedType filetype) {
    return of(displacement, etype, filetype, DataRepresentation.NATIVE);
  }

  /**
   * {@return a view}
   *
   * @param displacement where it begins, in bytes from the start of the file
   * @param etype the etype, the unit of offsets
   * @param filetype what of each tile is seen
   * @param representation the representation of elements in the file
   * @throws InvalidUseException if these do not make a view
   */
  public static FileView of(
      long displacement,
      DerivedType etype,
      DerivedType filetype,
      DataRepresentation representation) {
    return new FileView(displacement, etype, filetype, representation);
  }

  /** Returns all tiles within offsets of 63 bits. */
  private static TypeMap tiled(DerivedType tile, long displacement) {
    if (tile.size() == 0) {
      return tile.map();
    }
    long reach = Math.max(tile.map().high(), Math.max(tile.extent(), tile.size()));
    require(
        tile.extent() > 0 && displacement <= Long.MAX_VALUE / 4 && reach <= Long.MAX_VALUE / 4,
        "filetype",
        tile,
        "a positive extent, and offsets below 2^61");
    long tiles = (Long.MAX_VALUE / 2 - displacement) / reach;
    return tile.map().repeated(displacement, tiles, tile.extent());
  }

  /** {@return the displacement: the start of the view, in bytes from the start of the file} */
  public long displacement() {
    return displacement;
  }

  /** {@return the unit of offsets} */
  public DerivedType etype() {
    return etype;
  }

  /** {@return the filetype, which selects the visible bytes of each tile} */
  public DerivedType filetype() {
    return filetype;
  }

  /** {@return the representation of elements in the file} */
  public DataRepresentation representation() {
    return representation;
  }

  /**
   * {@return a view of the same bytes for data that have already been converted to the
   * representation}
   */
  public FileView ofConvertedBytes() {
    return representation.verbatim()
        ? this
        : of(
            displacement,
            RepresentationConversion.inFile(etype, representation),
            RepresentationConversion.inFile(filetype, representation));
  }

  /** {@return the size of an etype in the file, in bytes} */
  public long etypeBytes() {
    return etypeBytes;
  }

  /** {@return the number of visible bytes of a tile in the file} */
  public long tileBytes() {
    return tileBytes;
  }

  /** {@return the distance from one tile to the next in the file, in bytes} */
  public long tileExtent() {
    return RepresentationConversion.inFile(filetype, representation).extent();
  }

  /** {@return the number of groups of equal runs in a tile} */
  public long tileGroups() {
    return tileGroups;
  }

  /** {@return the places in the file of all visible bytes, in ascending order} */
  public TypeMap visible() {
    return map;
  }

  /**
   * {@code MPI_File_get_byte_offset}: returns the file offset of an etype of the view.
   *
   * @param offsetEtypes the offset of the first etype, in etypes
   * @return bytes from the start of the file
   */
  public long byteOffset(long offsetEtypes) {
    return tileBytes == 0 ? displacement : map.offsetAt(position(offsetEtypes, 1));
  }

  /**
   * {@return the offset of the first etype after the end of a file, which {@code MPI_SEEK_END}
   * refers to}
   *
   * @param fileBytes the size of the file
   */
  public long end(long fileBytes) {
    return Math.ceilDiv(map.packedBefore(fileBytes), etypeBytes);
  }

  /**
   * {@return the number of an access's bytes before the end of a file}
   *
   * @param offsetEtypes the offset of the first etype, in etypes
   * @param bytes the bytes of the access
   * @param fileBytes the size of the file
   */
  public long available(long offsetEtypes, long bytes, long fileBytes) {
    long from = position(offsetEtypes, 0);
    return Math.clamp(map.packedBefore(fileBytes) - from, 0, bytes);
  }

  /**
   * {@return the position of an access among the visible bytes}
   *
   * @param offsetEtypes the offset of the first etype, in etypes
   * @param bytes the bytes of the access
   * @throws InvalidUseException if the offset is negative or the end beyond what a view can have
   */
  public long position(long offsetEtypes, long bytes) {
    require(offsetEtypes >= 0, "offset in the view", offsetEtypes, "at least 0");
    boolean fits = offsetEtypes <= (map.size() - bytes) / etypeBytes;
    require(
        fits || bytes == 0,
        "end of the access",
        offsetEtypes + " etypes and " + bytes + " bytes",
        tileBytes == 0 ? "nothing: the filetype has no data" : "an offset below 2^62");
    return offsetEtypes * etypeBytes;
  }

  private static void require(boolean holds, String what, Object actual, String expected) {
    if (!holds) {
      throw new InvalidUseException(
          what + ": actual=" + actual + ", expected=" + expected + ", at=view of a file");
    }
  }

  @Override
  public String toString() {
    return "view from "
        + displacement
        + " of "
        + filetype
        + " in "
        + etype
        + ", "
        + representation.name();
  }
}
