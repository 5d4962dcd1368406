package org.hyperslab.convert;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.hyperslab.H5File;
import org.hyperslab.Hdf5;
import org.hyperslab.error.AlreadyExistsException;
import org.hyperslab.error.HyperslabException;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.error.StorageException;
import org.hyperslab.error.UnsupportedFeatureException;
import org.hyperslab.format.io.UnfinishedFile;
import org.hyperslab.format.type.ArrayType;
import org.hyperslab.format.type.CompoundType;
import org.hyperslab.format.type.Datatype;
import org.hyperslab.format.type.VlenType;
import org.hyperslab.model.OpenOptions;
import org.hyperslab.netcdf.NetcdfModel;

/**
 * Converts a file to another format. Elements are copied in blocks, several at a time, in bounded
 * memory. If the conversion fails, the incomplete output is removed, unless the options say that it
 * is to be kept.
 *
 * <p>Thread rule: stateless.
 */
public final class FileConverter {

  private static final long MIN_EXPANDED_BYTES = 1L << 30;
  private static final long EXPANSION = 200;
  private static final Set<FileKind> HDF5_KINDS =
      Set.of(
          FileKind.HDF5,
          FileKind.NETCDF4,
          FileKind.NETCDF4_CLASSIC,
          FileKind.FAMILY,
          FileKind.SPLIT,
          FileKind.MULTI);

  private FileConverter() {}

  /** Receives the progress of a conversion. */
  @FunctionalInterface
  public interface Progress {

    /** Ignores the progress. */
    Progress NONE = (done, total) -> {};

    /**
     * Receives the progress. Called from several threads, but not concurrently.
     *
     * @param doneBytes the size of the elements converted so far, in bytes
     * @param totalBytes the size of all elements, in bytes
     */
    void advanced(long doneBytes, long totalBytes);
  }

  /**
   * Converts a file with the default options.
   *
   * @param in the file to read
   * @param out the file to write, whose name determines the format
   * @return what was done
   * @throws HyperslabException as {@link #convert(Path, Path, ConversionOptions, Progress)}
   */
  public static ConversionReport convert(Path in, Path out) {
    return convert(in, out, ConversionOptions.DEFAULT, Progress.NONE);
  }

  /**
   * Converts a file.
   *
   * @param in the file to read
   * @param out the file to write
   * @param options the options
   * @param progress receives the progress
   * @return what was done
   * @throws AlreadyExistsException if the output exists and the options do not allow to replace it
   * @throws org.hyperslab.error.UnsupportedFeatureException if the output cannot hold some content
   *     and the options are not lenient, or if the input's format is unknown
   * @throws org.hyperslab.error.CorruptFileException if the input violates its format
   * @throws StorageException if a file cannot be read or written
   */
  public static ConversionReport convert(
      Path in, Path out, ConversionOptions options, Progress progress) {
    requireLocal(in);
    requireLocal(out);
    FileKind from = options.from().orElseGet(() -> KindDetection.ofInput(in));
    FileKind to = options.to().orElseGet(() -> KindDetection.ofOutput(out));
    requireOther(in, out);
    requireFree(out, options);
    if (from == FileKind.SUBFILING && to == FileKind.HDF5 && options.path().equals("/")) {
      return join(in, out, options);
    }
    long expandedBytes = expandedBytes(in, options);
    Kinds kinds = new Kinds(from, to);
    SourceOpening opening = work -> open(in, from, options, work);
    return run(opening, kinds, Output.to(out), options, expandedBytes, progress);
  }

  /**
   * Converts an open HDF5 file, which may be on a web server, in a bucket or on a staging server.
   *
   * @param in the file to read; stays open
   * @param out the file to write
   * @param options the options; the format of the input can only be HDF5 or netCDF-4
   * @param progress receives the progress
   * @return what was done
   * @throws HyperslabException as {@link #convert(Path, Path, ConversionOptions, Progress)}
   */
  public static ConversionReport convert(
      H5File in, Path out, ConversionOptions options, Progress progress) {
    requireLocal(out);
    FileKind from = kindOf(in, options);
    FileKind to = options.to().orElseGet(() -> KindDetection.ofOutput(out));
    pathOf(in.name()).ifPresent(path -> requireOther(path, out));
    requireFree(out, options);
    SourceOpening opening = work -> Hdf5Source.ofOpen(in, options.path(), work);
    Kinds kinds = new Kinds(from, to);
    return run(opening, kinds, Output.to(out), options, expandedBytes(options), progress);
  }

  /**
   * Converts a file and writes the result to a stream. A table is written as it is made, other
   * formats through a temporary file; a Zarr store is a zip archive.
   *
   * @param in the file to read
   * @param out receives the result; stays open
   * @param options the options, which have the format of the output
   * @param progress receives the progress
   * @return what was done
   * @throws HyperslabException as {@link #convert(Path, Path, ConversionOptions, Progress)}
   */
  public static ConversionReport convert(
      Path in, OutputStream out, ConversionOptions options, Progress progress) {
    requireLocal(in);
    FileKind from = options.from().orElseGet(() -> KindDetection.ofInput(in));
    Kinds kinds = new Kinds(from, streamed(options));
    long expandedBytes = expandedBytes(in, options);
    SourceOpening opening = work -> open(in, from, options, work);
    return run(opening, kinds, Output.to(out, kinds.to), options, expandedBytes, progress);
  }

  /**
   * Converts an open HDF5 file and writes the result to a stream.
   *
   * @param in the file to read; stays open
   * @param out receives the result; stays open
   * @param options the options, which have the format of the output
   * @param progress receives the progress
   * @return what was done
   * @throws HyperslabException as {@link #convert(Path, Path, ConversionOptions, Progress)}
   */
  public static ConversionReport convert(
      H5File in, OutputStream out, ConversionOptions options, Progress progress) {
    Kinds kinds = new Kinds(kindOf(in, options), streamed(options));
    SourceOpening opening = work -> Hdf5Source.ofOpen(in, options.path(), work);
    long expandedBytes = expandedBytes(options);
    return run(opening, kinds, Output.to(out, kinds.to), options, expandedBytes, progress);
  }

  private static FileKind streamed(ConversionOptions options) {
    return options
        .to()
        .orElseThrow(() ->
            new InvalidUseException(
                "format of the output: actual=not given, expected=one of "
                    + FileKind.options()
                    + "; a stream has no name, so name the format with --to"));
  }

  private static FileKind kindOf(H5File in, ConversionOptions options) {
    FileKind from = options.from().orElse(FileKind.HDF5);
    if (from != FileKind.HDF5 && from != FileKind.NETCDF4 && from != FileKind.NETCDF4_CLASSIC) {
      throw new UnsupportedFeatureException(
          "format of the input: actual="
              + from.option()
              + ", expected=hdf5 or netcdf4 for a file that a connector opens; copy files of other"
              + " formats to this machine first, at="
              + in.name());
    }
    return from;
  }

  private static long expandedBytes(ConversionOptions options) {
    return options.expandedBytes() > 0 ? options.expandedBytes() : MIN_EXPANDED_BYTES;
  }

  /**
   * Where the result goes.
   *
   * @param path the file, or what the stream is named in messages
   * @param stream the stream; empty for a file
   */
  private record Output(Path path, Optional<OutputStream> stream) {

    static Output to(Path path) {
      return new Output(path, Optional.empty());
    }

    static Output to(OutputStream stream, FileKind kind) {
      return new Output(Path.of(isStore(kind) ? "stream.zip" : "stream"), Optional.of(stream));
    }
  }

  private static Optional<Path> pathOf(String name) {
    try {
      return Optional.of(Path.of(name));
    } catch (InvalidPathException notLocal) {
      return Optional.empty();
    }
  }

  /** Opens the input of a conversion. */
  @FunctionalInterface
  private interface SourceOpening {
    SourceFile open(ConversionRun work);
  }

  /** The formats of the input and of the output. */
  private record Kinds(FileKind from, FileKind to) {}

  private static ConversionReport run(
      SourceOpening opening,
      Kinds kinds,
      Output out,
      ConversionOptions options,
      long expandedBytes,
      Progress progress) {
    FileKind from = kinds.from;
    FileKind to = kinds.to;
    requireTable(kinds, options);
    long[] total = new long[1];
    ConversionRun.Limits limits =
        new ConversionRun.Limits(
            options.memoryBytes(),
            expandedBytes,
            isStore(from) ? expandedBytes : Long.MAX_VALUE,
            options.lenient());
    try (ConversionRun work = new ConversionRun(limits, done -> progress.advanced(done, total[0]));
        SourceFile source = opening.open(work)) {
      GroupNode root = source.root();
      if (to != FileKind.HDF5) {
        reportLinks(root, work);
        root = PaddedElements.pad(root);
      }
      if (to != FileKind.HDF5 && to != FileKind.NETCDF4) {
        reportTypes(root, to, work);
      }
      if (isStore(to)) {
        ReferencePaths.apply(root, source.objectPaths(), work);
      }
      adapt(root, from, to, source);
      if (options.deflate().isPresent()) {
        compress(root, to, options.deflate().get());
      }
      total[0] = totalBytes(root);
      if (isStore(from) && total[0] > expandedBytes) {
        requireExpandable(root, to, expandedBytes);
      }
      write(target(kinds, out.path, options), root, out, options, work);
      long variables = root.allVariables().count();
      FileKind found = from == FileKind.HDF5 && isNetcdf(from, source) ? FileKind.NETCDF4 : from;
      return new ConversionReport(found, to, variables, total[0], work.losses(), work.notes());
    }
  }

  private static void adapt(GroupNode root, FileKind from, FileKind to, SourceFile source) {
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

  private static boolean isNetcdf(FileKind kind, SourceFile source) {
    return switch (kind) {
      case NETCDF4, NETCDF4_CLASSIC, NETCDF, CDF1, CDF2, CDF5 -> true;
      case HDF5 -> source instanceof Hdf5Source hdf5 && hdf5.isNetcdf();
      case FAMILY, SPLIT, MULTI, SUBFILING, PARTS, NPY, NPZ, ZARR2, ZARR3, CSV, TSV, RAW -> false;
    };
  }

  /** Joins the stripes of a subfiling set byte by byte, so that the file keeps all its content. */
  private static ConversionReport join(Path in, Path out, ConversionOptions options) {
    long[] bytes = new long[1];
    write(
        out,
        options,
        written -> {
          bytes[0] = SubfileSet.of(in).join(written, expandedBytes(in, options));
          Hdf5.open(written).close(); // fails if it is no HDF5 file
        });
    return new ConversionReport(
        FileKind.SUBFILING, FileKind.HDF5, 0, bytes[0], List.of(), List.of());
  }

  /** Returns the most that may be read of a compressed input, or written of a Zarr store. */
  static long expandedBytes(Path in, ConversionOptions options) {
    if (options.expandedBytes() > 0) {
      return options.expandedBytes();
    }
    long size =
        SubfileSet.configOf(in).map(FileConverter::subfileBytes).orElseGet(() -> sizeOf(in));
    return size > Long.MAX_VALUE / EXPANSION
        ? Long.MAX_VALUE
        : Math.max(MIN_EXPANDED_BYTES, size * EXPANSION);
  }

  private static boolean isClassic(FileKind kind) {
    return switch (kind) {
      case NETCDF, CDF1, CDF2, CDF5, NETCDF4_CLASSIC -> true;
      default -> false;
    };
  }

  private static boolean isStore(FileKind kind) {
    return kind == FileKind.ZARR2 || kind == FileKind.ZARR3;
  }

  /**
   * A small store can state a huge shape. Some formats have all elements, others those that are
   * stored; of a variable that does not know which these are, all are written.
   */
  private static void requireExpandable(GroupNode root, FileKind to, long most) {
    boolean isWhole =
        switch (to) {
          case NPY, NPZ, RAW, CSV, TSV, NETCDF, CDF1, CDF2, CDF5 -> true;
          default -> false;
        };
    long left = most;
    for (Variable variable : root.allVariables().toList()) {
      boolean isWritten = isWhole || variable.elements().stored().isEmpty();
      if (isWritten && variable.bytes() > left) {
        throw ConversionRun.tooMuch(
            variable.bytes() + " bytes of elements of " + variable.path(), most);
      }
      left -= isWritten ? variable.bytes() : 0;
    }
  }

  private static long sizeOf(Path in) {
    if (!Files.isDirectory(in)) {
      return in.toFile().length();
    }
    try (Stream<Path> all = Files.walk(in)) {
      return all.mapToLong(file -> file.toFile().length()).sum();
    } catch (IOException failure) {
      throw FileBytes.failed("list", in, failure);
    }
  }

  private static long subfileBytes(Path config) {
    return SubfileSet.read(config).subfiles().stream().mapToLong(f -> f.toFile().length()).sum();
  }

  private static long totalBytes(GroupNode root) {
    long total = 0;
    for (var variable : root.allVariables().toList()) {
      try {
        total = Math.addExact(total, variable.bytes());
      } catch (ArithmeticException tooMuch) {
        throw new InvalidUseException(
            "size: actual=2^63 bytes or more, expected=fewer, at=" + variable.path(), tooMuch);
      }
    }
    return total;
  }

  private static void requireLocal(Path path) {
    if (path.getFileSystem() != FileSystems.getDefault()) {
      throw new UnsupportedFeatureException(
          "file system: actual="
              + path.getFileSystem().provider().getScheme()
              + ", expected=a file of this machine's file system, at="
              + path);
    }
  }

  private static void requireOther(Path in, Path out) {
    if (KindDetection.isWithin(in, out)) {
      throw new InvalidUseException(
          "output: actual=the input, or a folder with it, expected=another file, at=" + out);
    }
  }

  private static void requireFree(Path out, ConversionOptions options) {
    if (!options.replace() && Files.exists(out, LinkOption.NOFOLLOW_LINKS)) {
      throw new AlreadyExistsException(
          "output: actual=exists, expected=a new file; use --replace to replace it, at=" + out);
    }
    if (Files.isDirectory(out) && KindDetection.ofFolder(out).isEmpty()) {
      throw new InvalidUseException(
          "output: actual=a folder of other files, expected=a file, a Zarr store or nothing, at="
              + out);
    }
  }

  private static SourceFile open(
      Path in, FileKind kind, ConversionOptions options, ConversionRun work) {
    boolean isHdf5 = HDF5_KINDS.contains(kind);
    if (!isHdf5 && !options.path().equals("/")) {
      throw new InvalidUseException(
          "path: actual=" + options.path() + ", expected=/ for a file of kind " + kind.option());
    }
    return switch (kind) {
      case HDF5, NETCDF4, NETCDF4_CLASSIC -> new Hdf5Source(Hdf5.open(in), options.path(), work);
      case FAMILY, SPLIT, MULTI ->
          new Hdf5Source(
              Hdf5.open(in.toString(), OpenOptions.READ.withProperty("driver", kind.option())),
              options.path(),
              work);
      case SUBFILING -> JoinedFile.open(in, options.path(), work.expandedBytes(), work);
      case PARTS -> PartsSource.open(in, work);
      case NPY -> NumpySource.openArray(in);
      case NPZ -> NumpySource.openArchive(in, work.expandedBytes(), work);
      case NETCDF, CDF1, CDF2, CDF5 -> NetcdfSource.open(in);
      case ZARR2 ->
          ZarrSource.open(
              in, new ZarrSource.Reading(2, work.isLenient()), work.expandedBytes(), work);
      case ZARR3 ->
          ZarrSource.open(
              in, new ZarrSource.Reading(3, work.isLenient()), work.expandedBytes(), work);
      case CSV -> table(in, options, delimiter(options), work);
      case TSV -> table(in, options, delimiter(options).or(() -> Optional.of('\t')), work);
      case RAW -> NumpySource.openRaw(in, rawOf(in, options));
    };
  }

  private static SourceFile table(
      Path in, ConversionOptions options, Optional<Character> separator, ConversionRun work) {
    return TableSource.open(
        in, new TableSource.Reading(separator, options.columns(), options.table()), work);
  }

  private static Optional<Character> delimiter(ConversionOptions options) {
    return options.delimiter().map(CellSeparator::ofOption);
  }

  private static boolean isTable(FileKind kind) {
    return kind == FileKind.CSV || kind == FileKind.TSV;
  }

  /** Returns the separator of the cells of an output. */
  private static char delimiter(FileKind from, ConversionOptions options, char usual) {
    return isTable(from) ? usual : delimiter(options).orElse(usual);
  }

  /** Returns a table to write; the options are for the input if that is a table too. */
  private static TargetFile table(char usual, Kinds kinds, Path out, ConversionOptions options) {
    TableOptions table = isTable(kinds.from) ? TableOptions.DEFAULT : options.table();
    return new TableTarget(delimiter(kinds.from, options, usual), table, out);
  }

  private static void requireTable(Kinds kinds, ConversionOptions options) {
    boolean isGiven =
        options.delimiter().isPresent() || !options.table().equals(TableOptions.DEFAULT);
    if (isGiven && !isTable(kinds.from) && !isTable(kinds.to)) {
      throw new InvalidUseException(
          "options of a table: actual=a conversion from "
              + kinds.from.option()
              + " to "
              + kinds.to.option()
              + ", expected=csv or tsv on one side; leave --delimiter, --header, --na, --units-row"
              + " and --encoding out");
    }
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
                  if (isClassic(to)) {
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

  private static String rawOf(Path in, ConversionOptions options) {
    return options
        .raw()
        .orElseThrow(() ->
            new InvalidUseException(
                "raw input: actual=no description, expected=--raw"
                    + " type=<f8,shape=100x200,order=C,offset=0, at="
                    + in));
  }

  private static TargetFile target(Kinds kinds, Path out, ConversionOptions options) {
    return switch (kinds.to) {
      case HDF5 -> new Hdf5Target();
      case NETCDF4 -> new Netcdf4Target(NetcdfModel.NETCDF4);
      case NETCDF4_CLASSIC -> new Netcdf4Target(NetcdfModel.CLASSIC);
      case FAMILY, SPLIT, MULTI, SUBFILING, PARTS ->
          throw new UnsupportedFeatureException(
              "format of the output: actual="
                  + kinds.to.option()
                  + ", expected=a format that can be written; "
                  + kinds.to.option()
                  + " can only be read");
      case NPY -> NumpyTarget.array();
      case NPZ -> NumpyTarget.archive();
      case NETCDF -> new NetcdfTarget(NetcdfTarget.OLDEST);
      case CDF1 -> new NetcdfTarget(1);
      case CDF2 -> new NetcdfTarget(2);
      case CDF5 -> new NetcdfTarget(5);
      case ZARR2 -> new ZarrTarget(2, options.zarr(), StoreOutput.isNamedZip(out));
      case ZARR3 -> new ZarrTarget(3, options.zarr(), StoreOutput.isNamedZip(out));
      case CSV -> table(',', kinds, out, options);
      case TSV -> table('\t', kinds, out, options);
      case RAW -> NumpyTarget.raw();
    };
  }

  private static void write(
      TargetFile target,
      GroupNode root,
      Output out,
      ConversionOptions options,
      ConversionRun work) {
    if (out.stream.isEmpty()) {
      write(out.path, options, written -> target.write(root, written, work));
    } else if (target instanceof TableTarget table) {
      table.write(root, out.stream.get(), out.path, work);
    } else {
      writeThrough(target, root, out, work);
    }
  }

  /** Most formats have parts at their begin that are known at the end. */
  private static void writeThrough(
      TargetFile target, GroupNode root, Output out, ConversionRun work) {
    try {
      Path made = Files.createTempDirectory("hyperslab-");
      try (UnfinishedFile folder = UnfinishedFile.ofTemporary(made)) {
        Path whole = folder.path().resolve(out.path);
        target.write(root, whole, work);
        Files.copy(whole, out.stream.get());
        out.stream.get().flush();
      }
    } catch (IOException failure) {
      throw FileBytes.failed("write", out.path, failure);
    }
  }

  private static void write(Path out, ConversionOptions options, Consumer<Path> writing) {
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
