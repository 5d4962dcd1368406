package org.hyperslab.convert;

import java.io.OutputStream;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.hyperslab.H5File;
import org.hyperslab.Hdf5;
import org.hyperslab.convert.detect.ExpansionLimit;
import org.hyperslab.convert.detect.KindDetection;
import org.hyperslab.convert.hdf5.Hdf5Source;
import org.hyperslab.convert.model.ConversionRun;
import org.hyperslab.convert.model.GroupNode;
import org.hyperslab.convert.model.SourceFile;
import org.hyperslab.convert.options.ConversionOptions;
import org.hyperslab.convert.options.ConversionReport;
import org.hyperslab.convert.options.FileKind;
import org.hyperslab.convert.parts.SubfileSet;
import org.hyperslab.error.AlreadyExistsException;
import org.hyperslab.error.HyperslabException;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.error.StorageException;
import org.hyperslab.error.UnsupportedFeatureException;

/**
 * Converts a file to another format. Elements are copied in blocks, several at a time, in bounded
 * memory. If the conversion fails, the incomplete output is removed, unless the options say that it
 * is to be kept.
 *
 * <p>Thread rule: stateless.
 */
public final class FileConverter {

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
    ConversionChecks.requireLocal(in);
    ConversionChecks.requireLocal(out);
    FileKind from = options.from().orElseGet(() -> KindDetection.ofInput(in));
    FileKind to = options.to().orElseGet(() -> KindDetection.ofOutput(out));
    ConversionChecks.requireOther(in, out);
    ConversionChecks.requireFree(out, options);
    if (from == FileKind.SUBFILING && to == FileKind.HDF5 && options.path().equals("/")) {
      return join(in, out, options);
    }
    long expandedBytes = ExpansionLimit.of(in, options);
    ConversionKinds kinds = new ConversionKinds(from, to);
    SourceOpening opening = work -> Inputs.open(in, from, options, work);
    return run(opening, kinds, ConversionOutput.to(out), options, expandedBytes, progress);
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
    ConversionChecks.requireLocal(out);
    FileKind from = kindOf(in, options);
    FileKind to = options.to().orElseGet(() -> KindDetection.ofOutput(out));
    pathOf(in.name()).ifPresent(path -> ConversionChecks.requireOther(path, out));
    ConversionChecks.requireFree(out, options);
    SourceOpening opening = work -> Hdf5Source.ofOpen(in, options.path(), work);
    ConversionKinds kinds = new ConversionKinds(from, to);
    return run(
        opening, kinds, ConversionOutput.to(out), options, ExpansionLimit.of(options), progress);
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
    ConversionChecks.requireLocal(in);
    FileKind from = options.from().orElseGet(() -> KindDetection.ofInput(in));
    ConversionKinds kinds = new ConversionKinds(from, streamed(options));
    long expandedBytes = ExpansionLimit.of(in, options);
    SourceOpening opening = work -> Inputs.open(in, from, options, work);
    return run(
        opening, kinds, ConversionOutput.to(out, kinds.to()), options, expandedBytes, progress);
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
    ConversionKinds kinds = new ConversionKinds(kindOf(in, options), streamed(options));
    SourceOpening opening = work -> Hdf5Source.ofOpen(in, options.path(), work);
    long expandedBytes = ExpansionLimit.of(options);
    return run(
        opening, kinds, ConversionOutput.to(out, kinds.to()), options, expandedBytes, progress);
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

  /** Joins the stripes of a subfiling set byte by byte, so that the file keeps all its content. */
  private static ConversionReport join(Path in, Path out, ConversionOptions options) {
    long[] bytes = new long[1];
    ConversionOutput.write(
        out,
        options,
        written -> {
          bytes[0] = SubfileSet.of(in).join(written, ExpansionLimit.of(in, options));
          Hdf5.open(written).close(); // fails if it is no HDF5 file
        });
    return new ConversionReport(
        FileKind.SUBFILING, FileKind.HDF5, 0, bytes[0], List.of(), List.of());
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

  private static ConversionReport run(
      SourceOpening opening,
      ConversionKinds kinds,
      ConversionOutput out,
      ConversionOptions options,
      long expandedBytes,
      Progress progress) {
    FileKind from = kinds.from();
    FileKind to = kinds.to();
    ConversionChecks.requireTable(kinds, options);
    long[] total = new long[1];
    ConversionRun.Limits limits =
        new ConversionRun.Limits(
            options.memoryBytes(),
            expandedBytes,
            from.isStore() ? expandedBytes : Long.MAX_VALUE,
            options.lenient());
    try (ConversionRun work = new ConversionRun(limits, done -> progress.advanced(done, total[0]));
        SourceFile source = opening.open(work)) {
      GroupNode root = TreeAdaption.adapt(source.root(), kinds, source, options, work);
      total[0] = ExpansionLimit.totalBytes(root);
      if (from.isStore() && total[0] > expandedBytes) {
        ExpansionLimit.require(root, to, expandedBytes);
      }
      out.write(Outputs.target(kinds, out.path(), options), root, options, work);
      long variables = root.allVariables().count();
      FileKind found =
          from == FileKind.HDF5 && TreeAdaption.isNetcdf(from, source) ? FileKind.NETCDF4 : from;
      return new ConversionReport(found, to, variables, total[0], work.losses(), work.notes());
    }
  }
}
