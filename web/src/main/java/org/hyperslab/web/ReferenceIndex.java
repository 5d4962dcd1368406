package org.hyperslab.web;

import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.hyperslab.H5File;
import org.hyperslab.interchange.json.JsonOutput;
import org.hyperslab.scales.DimensionTable;
import org.hyperslab.web.limit.RequestBudget;
import org.hyperslab.web.reference.ChunkReferences;
import org.hyperslab.web.zarr.ZarrArray;
import org.hyperslab.web.zarr.ZarrMetadata;
import org.hyperslab.web.zarr.ZarrTree;

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
   * The text of an index.
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
    ZarrMetadata metadata = new ZarrMetadata(new ZarrTree(file, DimensionTable.of(file)));
    metadata.walk(new Entries());
    metadata.leftOut().forEach(leftOut::put);
    out.close('}').close('}');
  }

  /** Writes the entries of an object, once all of its metadata is known. */
  private final class Entries implements ZarrMetadata.Visitor {

    @Override
    public void group(String path, JsonOutput attributes) {
      String prefix = path.isEmpty() ? "" : path + "/";
      out.member(prefix + ".zgroup", "{\"zarr_format\":2}");
      out.name(prefix + ".zattrs").quoted(attributes);
    }

    @Override
    public void array(ZarrArray array, String path, JsonOutput attributes) {
      String prefix = path + "/";
      Optional<ChunkReferences.Found> found = ChunkReferences.of(array, inlineBytes);
      if (found.isPresent()) {
        refer(found.get(), prefix);
      } else if (!inline(array, prefix, path)) {
        return;
      }
      out.name(prefix + ".zattrs").quoted(attributes);
    }
  }

  private void refer(ChunkReferences.Found found, String prefix) {
    JsonOutput meta = small();
    found.array().write(meta, found.codecs().codecs());
    out.name(prefix + ".zarray").quoted(meta);
    found
        .ranges()
        .forEach(range ->
            out.name(prefix + range.key())
                .open('[')
                .value(url)
                .value(range.offset())
                .value(range.bytes())
                .close(']'));
    found.embedded().forEach((key, text) -> out.member(prefix + key, text));
  }

  private static JsonOutput small() {
    return JsonOutput.ofPython(1 << 24);
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
    array.write(meta, List.of());
    out.name(prefix + ".zarray").quoted(meta);
    if (bytes > 0) {
      out.member(prefix + array.firstKey(), "base64:" + Base64.getEncoder().encodeToString(chunk));
    }
    return true;
  }
}
