package org.hyperslab.web;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.hyperslab.Dataset;
import org.hyperslab.H5File;
import org.hyperslab.H5Object;
import org.hyperslab.format.type.Datatype;
import org.hyperslab.format.type.EnumType;
import org.hyperslab.format.type.FloatType;
import org.hyperslab.format.type.IntegerType;
import org.hyperslab.format.type.StringPadding;
import org.hyperslab.format.type.StringType;
import org.hyperslab.format.type.value.ElementCodec;
import org.hyperslab.model.ChunkInfo;
import org.hyperslab.model.DatasetInfo;
import org.hyperslab.model.FillValue;
import org.hyperslab.model.Layout;

/**
 * Builds an index of references to a file's chunks, with which fsspec's reference file system
 * presents the file as a Zarr version 2 store without this library. Datasets that references cannot
 * express, such as those with variable-length strings or filters that numcodecs lacks, are put into
 * the index itself, up to a limit; longer datasets, and those without a type in Zarr, are left out
 * and reported.
 *
 * <p>Source: fsspec and kerchunk, reference specification, version 1; Zarr storage specification,
 * version 2.
 */
public final class ReferenceIndex {

  /**
   * The preferred size in bytes of a piece of a contiguous dataset, which is divided into whole
   * rows.
   */
  private static final long PIECE_BYTES = 16L << 20;

  private final H5File file;
  private final String url;
  private final long inlineBytes;
  private final Map<String, String> leftOut = new TreeMap<>();
  private final JsonOutput out = new JsonOutput(Integer.MAX_VALUE - (1 << 24));

  private ReferenceIndex(H5File file, String url, long inlineBytes) {
    this.file = file;
    this.url = url;
    this.inlineBytes = inlineBytes;
  }

  /**
   * An index.
   *
   * @param json its text
   * @param leftOut the paths of datasets that are not in it, with the reasons
   */
  public record Result(String json, Map<String, String> leftOut) {
    /** Copies the map. */
    public Result {
      leftOut = Map.copyOf(leftOut);
    }
  }

  /** A reference to bytes of the file. */
  private record Range(String key, long offset, long bytes) {}

  /**
   * An array whose chunks are ranges of the file.
   *
   * @param array the array
   * @param codecs the codecs that decode the chunks
   * @param ranges the ranges of the chunks
   * @param fill the value of absent chunks, as JSON
   */
  private record Referred(
      ZarrArray array, ChunkCodecs codecs, List<Range> ranges, JsonOutput fill) {}

  /**
   * Creates the index of a file.
   *
   * @param file the file, open
   * @param url the path or URI by which readers of the index find the file, such as {@code
   *     s3://bucket/run.h5}
   * @param inlineBytes the maximum size in bytes of a dataset that is put into the index itself
   * @return the index
   */
  public static Result of(H5File file, String url, long inlineBytes) {
    ReferenceIndex index = new ReferenceIndex(file, url, inlineBytes);
    index.write();
    return new Result(index.out.toString(), index.leftOut);
  }

  private void write() {
    out.open('{').member("version", 1).name("refs").open('{');
    ZarrMetadata metadata = new ZarrMetadata(file);
    metadata.walk(this::object);
    metadata.leftOut().forEach(leftOut::put);
    out.close('}').close('}');
  }

  /** Writes the entries of an object, once all of its metadata is known. */
  private void object(H5Object object, String path, JsonOutput attributes) {
    String prefix = path.isEmpty() ? "" : path + "/";
    if (object instanceof Dataset dataset) {
      dataset(dataset, prefix, path, attributes);
    } else {
      out.member(prefix + ".zgroup", "{\"zarr_format\":2}");
      out.name(prefix + ".zattrs").quoted(attributes);
    }
  }

  private void dataset(Dataset dataset, String prefix, String path, JsonOutput attributes) {
    Optional<ZarrArray> array = ZarrArray.of(dataset);
    if (array.isEmpty()) {
      leftOut.put(path, "no type of Zarr for " + dataset.type().describe());
      return;
    }
    Optional<Referred> referred = referred(array.get());
    if (referred.isPresent()) {
      JsonOutput meta = small();
      Referred it = referred.get();
      it.array.write(meta, it.codecs.codecs(), it.fill);
      out.name(prefix + ".zarray").quoted(meta);
      it.ranges.forEach(range ->
          out.name(prefix + range.key)
              .open('[')
              .value(url)
              .value(range.offset)
              .value(range.bytes)
              .close(']'));
    } else if (!inline(array.get(), prefix, path)) {
      return;
    }
    out.name(prefix + ".zattrs").quoted(attributes);
  }

  private static JsonOutput small() {
    return new JsonOutput(1 << 24);
  }

  /**
   * Puts an array into the index as one chunk. If it is too long, reports this and returns false.
   */
  private boolean inline(ZarrArray stored, String prefix, String path) {
    ZarrArray array = stored.whole();
    long bytes = array.bytes();
    byte[] chunk =
        bytes > inlineBytes || bytes == 0
            ? new byte[0]
            : array.chunk(array.firstKey(), RequestBudget.unlimited());
    if (Math.max(bytes, chunk.length) > inlineBytes) {
      leftOut.put(
          path,
          Math.max(bytes, chunk.length)
              + " bytes that references cannot express, more than the limit of "
              + inlineBytes);
      return false;
    }
    JsonOutput meta = small();
    array.write(meta);
    out.name(prefix + ".zarray").quoted(meta);
    if (bytes > 0) {
      out.member(prefix + array.firstKey(), "base64:" + Base64.getEncoder().encodeToString(chunk));
    }
    return true;
  }

  private Optional<Referred> referred(ZarrArray array) {
    Dataset dataset = array.dataset();
    if (!isStoredSo(dataset.type(), array.type())) {
      return Optional.empty();
    }
    DatasetInfo info = dataset.datasetInfo();
    return switch (info.options().layout()) {
      case Layout.Contiguous _, Layout.Auto _ -> contiguous(array, info);
      case Layout.Chunked chunked ->
          chunked.filterPartialEdgeChunks() || info.options().filters().isEmpty()
              ? chunked(array, info)
              : Optional.empty();
      case Layout.Compact _, Layout.External _, Layout.Virtual _ -> Optional.empty();
    };
  }

  /** Returns whether NumPy can read the stored elements directly. */
  private static boolean isStoredSo(Datatype stored, Datatype type) {
    return stored.equals(type) && onlyFilledUpStrings(stored) && !type.hasOutOfLineParts();
  }

  private static boolean onlyFilledUpStrings(Datatype type) {
    return !(type instanceof StringType text) || text.padding() == StringPadding.NULLPAD;
  }

  private Optional<Referred> contiguous(ZarrArray array, DatasetInfo info) {
    long offset = info.storage().offset();
    long bytes = array.bytes();
    long rows = array.shape().length == 0 ? 1 : array.shape()[0];
    if (bytes == 0) {
      return Optional.of(new Referred(array, new ChunkCodecs(List.of(), 0), List.of(), nothing()));
    }
    if (offset < 0 || bytes > info.storage().allocatedBytes()) {
      return Optional.empty();
    }
    long parts = parts(rows, bytes);
    long[] chunk = array.shape().clone();
    List<Range> ranges = new ArrayList<>();
    for (long i = 0; i < parts; i++) {
      ranges.add(
          new Range(ZarrArray.key(i, chunk.length), offset + i * (bytes / parts), bytes / parts));
    }
    if (chunk.length > 0) {
      chunk[0] = rows / parts;
    }
    ZarrArray divided = new ZarrArray(array.dataset(), array.type(), array.shape(), chunk);
    return Optional.of(new Referred(divided, new ChunkCodecs(List.of(), 0), ranges, nothing()));
  }

  /**
   * Returns the number of equal parts into which rows are divided; the last chunk must be whole
   * too.
   */
  private static long parts(long rows, long bytes) {
    long least = (bytes + PIECE_BYTES - 1) / PIECE_BYTES;
    for (long parts = least; parts <= Math.min(rows, 4 * least); parts++) {
      if (rows % parts == 0) {
        return parts;
      }
    }
    return 1;
  }

  private static JsonOutput nothing() {
    return small().value((String) null);
  }

  private Optional<Referred> chunked(ZarrArray array, DatasetInfo info) {
    Optional<ChunkCodecs> codecs = ChunkCodecs.of(info.options().filters(), array.type().size());
    if (codecs.isEmpty()) {
      return Optional.empty();
    }
    List<Range> ranges = new ArrayList<>();
    for (Iterator<ChunkInfo> all = array.dataset().chunks().iterator(); all.hasNext(); ) {
      ChunkInfo chunk = all.next();
      if (chunk.filterMask() != 0 || chunk.address() < 0) {
        return Optional.empty(); // a filter that other chunks have was not applied
      }
      long bytes = chunk.storedBytes() - codecs.get().trailerBytes();
      if (array.isWithin(chunk.offset())) {
        ranges.add(new Range(array.keyOf(chunk.offset()), chunk.address(), bytes));
      }
    }
    boolean complete = ranges.size() == array.chunkCount();
    Optional<JsonOutput> fill =
        complete ? Optional.of(nothing()) : fill(array.type(), info.options().fill());
    return fill.map(value -> new Referred(array, codecs.get(), ranges, value));
  }

  /** Returns the fill value, which readers put in place of absent chunks. */
  private static Optional<JsonOutput> fill(Datatype type, FillValue fill) {
    boolean number =
        type instanceof IntegerType || type instanceof FloatType || type instanceof EnumType;
    if (!number) {
      return Optional.empty();
    }
    if (!(fill instanceof FillValue.Value given)) {
      boolean isBoolean = type instanceof EnumType t && t.isBoolean();
      return Optional.of(isBoolean ? small().value(false) : small().value(0));
    }
    if (type instanceof EnumType) {
      return Optional.empty();
    }
    Object value =
        ElementCodec.of(given.type().inMemory())
            .decode(given.value().elements(), 0, given.value().heap());
    return switch (value) {
      case Double d when !Double.isFinite(d) -> Optional.of(small().value(word(d)));
      case Float f when !Float.isFinite(f) -> Optional.of(small().value(word(f)));
      case Integer _, Long _, BigInteger _, Float _, Double _ ->
          Optional.of(small().number((Number) value));
      default -> Optional.empty();
    };
  }

  /** Returns the word by which Zarr writes a number that JSON lacks. */
  private static String word(double value) {
    return Double.isNaN(value) ? "NaN" : value > 0 ? "Infinity" : "-Infinity";
  }
}
