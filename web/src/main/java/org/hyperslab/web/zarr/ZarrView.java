package org.hyperslab.web.zarr;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.hyperslab.Dataset;
import org.hyperslab.Group;
import org.hyperslab.H5Object;
import org.hyperslab.error.NotFoundException;
import org.hyperslab.interchange.json.JsonOutput;
import org.hyperslab.web.files.ServedFiles;
import org.hyperslab.web.grove.DataReply;
import org.hyperslab.web.limit.RequestBudget;
import org.hyperslab.web.request.ErrorReplies;
import org.hyperslab.web.request.WebBody;
import org.hyperslab.web.request.WebReply;
import org.hyperslab.web.request.WebRequest;

/**
 * Serves files as stores of Zarr version 2: {@code /zarr/FILE/.zmetadata}, {@code
 * /zarr/FILE/group/dataset/0.1}. Soft and external links are not followed; datasets with elements
 * for which Zarr has no type are omitted, and listed in the consolidated metadata.
 *
 * <p>Thread rule: any thread.
 */
public final class ZarrView {

  private static final String PREFIX = "/zarr/";
  private static final Pattern CHUNK = Pattern.compile("\\d{1,18}(\\.\\d{1,18}){0,31}");
  private static final int MAX_DEPTH = 200;

  private final ServedFiles files;

  public ZarrView(ServedFiles files) {
    this.files = files;
  }

  /** {@return the reply to a request; empty if its path is not a key of a store} */
  public Optional<WebReply> answer(WebRequest request, RequestBudget budget) {
    if (!request.path().startsWith(PREFIX)) {
      return Optional.empty();
    }
    String rest = request.path().substring(PREFIX.length());
    int end = fileNameEnd(rest);
    try (ServedFiles.Borrowed borrowed = files.open(rest.substring(0, end))) {
      return Optional.of(key(borrowed, rest.substring(end + 1), budget));
    }
  }

  /**
   * Returns the end of the shortest prefix of a path that is a file's name and precedes a slash.
   */
  private int fileNameEnd(String path) {
    for (int end = path.indexOf('/'); end >= 0; end = path.indexOf('/', end + 1)) {
      if (files.names().find(path.substring(0, end)).isPresent()) {
        return end;
      }
    }
    throw new NotFoundException("File not found: '" + path + "'");
  }

  private WebReply key(ServedFiles.Borrowed borrowed, String path, RequestBudget budget) {
    int slash = path.lastIndexOf('/');
    String key = path.substring(slash + 1);
    String parent = slash < 0 ? "" : path.substring(0, slash);
    boolean isConsolidated = key.equals(".zmetadata") && slash < 0;
    boolean known =
        Set.of(".zgroup", ".zarray", ".zattrs").contains(key) || CHUNK.matcher(key).matches();
    if (!known && !isConsolidated || slash == 0) {
      throw new NotFoundException("key: actual=" + path + ", expected=one of the store");
    }
    ZarrTree tree = new ZarrTree(borrowed.file(), borrowed.dimensions());
    if (isConsolidated) {
      return json(
          new ZarrMetadata(tree, message -> ErrorReplies.shown(message, files.names()))
              .consolidated());
    }
    try (H5Object object = tree.open(parent)) {
      return object(tree, object, key, budget);
    }
  }

  private static WebReply object(ZarrTree tree, H5Object object, String key, RequestBudget budget) {
    boolean isChunk = !key.startsWith(".");
    if (object instanceof Group group && !isChunk && !key.equals(".zarray")) {
      return json(
          key.equals(".zgroup") ? group(output()) : new ZarrAttributes(tree.file()).ofGroup(group));
    }
    Optional<ZarrArray> array =
        object instanceof Dataset dataset ? tree.array(dataset) : Optional.empty();
    if (array.isEmpty() || key.equals(".zgroup")) {
      throw new NotFoundException(
          "key: actual=" + key + " of " + object.path() + ", expected=one of the store");
    }
    if (isChunk) {
      return WebReply.ok(WebReply.BYTES, WebBody.of(array.get().chunk(key, budget)));
    }
    if (key.equals(".zattrs")) {
      return json(new ZarrMetadata(tree).attributes(array.get()));
    }
    JsonOutput out = output();
    array.get().write(out, List.of());
    return json(out);
  }

  static JsonOutput output() {
    return JsonOutput.ofPython(DataReply.MAX_TEXT_BYTES);
  }

  static JsonOutput group(JsonOutput out) {
    return out.open('{').member("zarr_format", 2).close('}');
  }

  private static WebReply json(JsonOutput out) {
    return WebReply.ok(WebReply.JSON, new WebBody.InMemory(out.toBuffers()));
  }
}
