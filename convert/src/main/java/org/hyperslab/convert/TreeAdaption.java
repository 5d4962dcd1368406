package org.hyperslab.convert;

import java.util.HashSet;
import java.util.Set;
import org.hyperslab.convert.classic.ClassicLosses;
import org.hyperslab.convert.hdf5.Hdf5Source;
import org.hyperslab.convert.model.ConversionRun;
import org.hyperslab.convert.model.GroupNode;
import org.hyperslab.convert.model.SourceFile;
import org.hyperslab.convert.options.ConversionOptions;
import org.hyperslab.convert.options.FileKind;
import org.hyperslab.convert.rewrite.Compression;
import org.hyperslab.convert.rewrite.EnumFlags;
import org.hyperslab.convert.rewrite.JsonAttributes;
import org.hyperslab.convert.rewrite.MissingValues;
import org.hyperslab.convert.rewrite.PaddedElements;
import org.hyperslab.convert.rewrite.ReferencePaths;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.format.type.ArrayType;
import org.hyperslab.format.type.CompoundType;
import org.hyperslab.format.type.Datatype;
import org.hyperslab.format.type.VlenType;

/**
 * Changes the tree of an input into what the output can hold, and reports what it cannot.
 *
 * <p>Thread rule: stateless.
 */
final class TreeAdaption {

  private TreeAdaption() {}

  /**
   * Changes a tree.
   *
   * @param root the tree of the input
   * @param kinds the formats
   * @param source the input
   * @param options the options of the conversion
   * @param work takes what is lost
   * @return the tree of the output
   */
  static GroupNode adapt(
      GroupNode root,
      ConversionKinds kinds,
      SourceFile source,
      ConversionOptions options,
      ConversionRun work) {
    FileKind to = kinds.to();
    GroupNode adapted = root;
    if (to != FileKind.HDF5) {
      reportLinks(adapted, work);
      adapted = PaddedElements.pad(adapted);
    }
    if (to != FileKind.HDF5 && to != FileKind.NETCDF4) {
      reportTypes(adapted, to, work);
    }
    if (to.isStore()) {
      ReferencePaths.apply(adapted, source.objectPaths(), work);
    }
    rewrite(adapted, kinds.from(), to, source);
    if (options.deflate().isPresent()) {
      compress(adapted, to, options.deflate().get());
    }
    return adapted;
  }

  private static void rewrite(GroupNode root, FileKind from, FileKind to, SourceFile source) {
    switch (to) {
      case NETCDF, CDF1, CDF2, CDF5, NETCDF4_CLASSIC -> {
        EnumFlags.apply(root, true);
        MissingValues.apply(root, from, to);
      }
      case NETCDF4 -> MissingValues.apply(root, from, to);
      case ZARR2, ZARR3 -> {
        EnumFlags.apply(root, false);
        if (from == FileKind.ZARR2 && to == FileKind.ZARR3) {
          MissingValues.apply(root, from, to);
        }
        if (isNetcdf(from, source)) {
          JsonAttributes.makeScalars(root);
        }
      }
      case HDF5 -> {
        if (from == FileKind.ZARR2 || from == FileKind.ZARR3) {
          MissingValues.apply(root, from, to);
        }
      }
      case FAMILY, SPLIT, MULTI, SUBFILING, PARTS, NPY, NPZ, CSV, TSV, RAW -> {
        // hold enumerations, or no attributes
      }
    }
  }

  private static void compress(GroupNode root, FileKind to, int level) {
    switch (to) {
      case HDF5, NETCDF4, NETCDF4_CLASSIC, ZARR2, ZARR3 -> Compression.apply(root, level);
      case NETCDF,
          CDF1,
          CDF2,
          CDF5,
          NPY,
          NPZ,
          CSV,
          TSV,
          RAW,
          FAMILY,
          SPLIT,
          MULTI,
          SUBFILING,
          PARTS ->
          throw new InvalidUseException(
              "compression: actual=an output of the format "
                  + to.option()
                  + ", expected=hdf5, netcdf4, netcdf4_classic, zarr2 or zarr3; leave --deflate"
                  + " out");
    }
  }

  /** Returns whether an input has the content of a netCDF file, of any format. */
  static boolean isNetcdf(FileKind kind, SourceFile source) {
    return switch (kind) {
      case NETCDF4, NETCDF4_CLASSIC, NETCDF, CDF1, CDF2, CDF5 -> true;
      case HDF5 -> source instanceof Hdf5Source hdf5 && hdf5.isNetcdf();
      case FAMILY, SPLIT, MULTI, SUBFILING, PARTS, NPY, NPZ, ZARR2, ZARR3, CSV, TSV, RAW -> false;
    };
  }

  private static void reportLinks(GroupNode root, ConversionRun work) {
    root.all()
        .forEach(group ->
            group
                .links()
                .forEach(link -> work.reportLoss(link.describe(), group.child(link.name()))));
  }

  /** The targets that have no named types keep the types of variables, but not their names. */
  private static void reportTypes(GroupNode root, FileKind to, ConversionRun work) {
    Set<Datatype> used = new HashSet<>();
    root.allVariables().forEach(variable -> addParts(variable.type(), used));
    root.all()
        .forEach(group ->
            group
                .types()
                .forEach(type -> {
                  String what =
                      used.contains(type.type())
                          ? "the name of a committed datatype"
                          : "a committed datatype that no variable has";
                  String path = group.child(type.name());
                  if (to.isClassic()) {
                    ClassicLosses.report(what + ", " + type.type().describe(), path, work);
                  } else {
                    work.reportLoss(what, path);
                  }
                }));
  }

  private static void addParts(Datatype type, Set<Datatype> parts) {
    parts.add(type);
    switch (type) {
      case CompoundType compound ->
          compound.members().forEach(member -> addParts(member.type(), parts));
      case ArrayType array -> addParts(array.base(), parts);
      case VlenType sequence -> addParts(sequence.base(), parts);
      default -> {
        // has no parts
      }
    }
  }
}
