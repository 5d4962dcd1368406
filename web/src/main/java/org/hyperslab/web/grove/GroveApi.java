package org.hyperslab.web.grove;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.hyperslab.Attribute;
import org.hyperslab.Dataset;
import org.hyperslab.H5File;
import org.hyperslab.H5Object;
import org.hyperslab.Slice;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.error.NotFoundException;
import org.hyperslab.error.UnsupportedFeatureException;
import org.hyperslab.format.io.NameBytes;
import org.hyperslab.interchange.json.ElementJson;
import org.hyperslab.interchange.json.JsonOutput;
import org.hyperslab.interchange.numpy.PlainTypes;
import org.hyperslab.web.files.LinkResolution;
import org.hyperslab.web.files.ServedFiles;
import org.hyperslab.web.limit.RequestBudget;
import org.hyperslab.web.request.WebBody;
import org.hyperslab.web.request.WebReply;
import org.hyperslab.web.request.WebRequest;

/**
 * Answers the requests of h5grove's API, and additional requests: {@code /files} lists the files,
 * {@code /version} states whether one has changed, {@code /axes} names the axes of a dataset.
 *
 * <p>Source: h5grove's documentation of its API.
 *
 * <p>Thread rule: any thread.
 */
public final class GroveApi {

  private static final Set<String> PATHS =
      Set.of("/meta", "/data", "/attr", "/axes", "/paths", "/stats", "/files", "/version");

  private final ServedFiles files;
  private final long mostBytes;

  /**
   * Creates the API.
   *
   * @param files the files
   * @param mostBytes the maximum size of a binary reply in bytes
   */
  public GroveApi(ServedFiles files, long mostBytes) {
    this.files = files;
    this.mostBytes = mostBytes;
  }

  /**
   * {@return the reply to a request; empty if its path is not part of this API}
   *
   * @param request the request
   * @param budget what it may use
   */
  public Optional<WebReply> answer(WebRequest request, RequestBudget budget) {
    String path = request.endpoint();
    if (!PATHS.contains(path)) {
      return Optional.empty();
    }
    return Optional.of(
        switch (path) {
          case "/files" -> names(budget);
          case "/version" -> version(name(request), budget);
          case "/data" -> data(request, budget);
          default -> described(request, budget);
        });
  }

  private WebReply names(RequestBudget budget) {
    JsonOutput out = output(budget).open('{').name("files").open('[');
    files.names().all().forEach(out::value);
    return reply(out.close(']').close('}'));
  }

  private WebReply version(String name, RequestBudget budget) {
    return reply(output(budget).open('{').member("version", files.version(name)).close('}'));
  }

  private static String name(WebRequest request) {
    return request
        .parameter("file")
        .orElseThrow(
            () -> new InvalidUseException("file: actual=not given, expected=the name of a file"));
  }

  /**
   * Returns the path from the root group; slashes at either end are ignored. Names are spelled as
   * in replies.
   */
  private static String path(WebRequest request) {
    String given = request.parameter("path").orElse("/");
    String inner = NameBytes.ofSpelling(given).replaceAll("/+", "/").replaceAll("^/|/$", "");
    return "/" + inner;
  }

  private static LinkResolution resolution(WebRequest request) {
    return LinkResolution.of(request.parameter("resolve_links").orElse("only_valid"));
  }

  private static JsonOutput output(RequestBudget budget) {
    return new JsonOutput(DataReply.MAX_TEXT_BYTES, budget);
  }

  private static WebReply reply(JsonOutput out) {
    return WebReply.ok(WebReply.JSON, new WebBody.InMemory(out.toBuffers()));
  }

  private WebReply described(WebRequest request, RequestBudget budget) {
    try (ServedFiles.Borrowed borrowed = files.open(name(request))) {
      H5File file = borrowed.file();
      String path = path(request);
      JsonOutput out = DataReply.output(request, budget);
      switch (request.endpoint()) {
        case "/meta" -> new EntityJson(out, resolution(request)).write(file, path);
        case "/attr" -> attributes(file, path, request, out);
        case "/axes" -> {
          try (Dataset dataset = dataset(file, path)) {
            new AxesJson(borrowed, out).write(dataset);
          }
        }
        case "/paths" -> {
          try (H5Object object = object(file, path)) {
            new PathList(out.open('['), resolution(request)).write(object, path);
            out.close(']');
          }
        }
        default -> statistics(file, path, request, budget).write(out);
      }
      return reply(out);
    }
  }

  private static H5Object object(H5File file, String path) {
    if (path.equals("/")) {
      return file.root();
    }
    if (!file.root().exists(path)) {
      throw EntityJson.notValid(file, path);
    }
    if (!file.root().resolves(path)) {
      throw new NotFoundException("Cannot resolve the link at '" + path + "'");
    }
    return file.get(path);
  }

  private static Dataset dataset(H5File file, String path) {
    H5Object object = object(file, path);
    if (object instanceof Dataset dataset) {
      return dataset;
    }
    object.close();
    throw new InvalidUseException("object: actual=not a dataset, expected=a dataset, at=" + path);
  }

  private static void attributes(H5File file, String path, WebRequest request, JsonOutput out) {
    List<String> keys = request.query().get("attr_keys");
    try (H5Object object = object(file, path)) {
      out.open('{');
      List<Attribute> all =
          keys.isEmpty()
              ? object.attributes().toList()
              : keys.stream().map(NameBytes::ofSpelling).map(object::attribute).toList();
      for (Attribute attribute : all) {
        out.name(attribute.name());
        attribute(file, attribute, out);
      }
      out.close('}');
    }
  }

  /** Writes an attribute's value. */
  static void attribute(H5File file, Attribute attribute, JsonOutput out) {
    new ElementJson(file, out).write(attribute);
  }

  private static RunningStatistics statistics(
      H5File file, String path, WebRequest request, RequestBudget budget) {
    try (Dataset dataset = dataset(file, path)) {
      Slice slice = DataReply.slice(dataset, request);
      if (PlainTypes.safe(slice.type()).isEmpty()) {
        throw new UnsupportedFeatureException(
            "statistics: actual=type " + slice.type().describe() + ", expected=numbers");
      }
      return SliceStatistics.of(slice, budget);
    }
  }

  /** Replies with elements; the file stays open until they have been sent. */
  private WebReply data(WebRequest request, RequestBudget budget) {
    ServedFiles.Borrowed borrowed = files.open(name(request));
    Dataset dataset = null;
    try {
      Dataset opened = dataset(borrowed.file(), path(request));
      dataset = opened;
      Runnable release =
          () -> {
            opened.close();
            borrowed.close();
          };
      return new DataReply(DataReply.slice(opened, request), borrowed.file(), mostBytes, budget)
          .reply(request, release);
    } catch (RuntimeException | OutOfMemoryError failure) {
      if (dataset != null) {
        dataset.close();
      }
      borrowed.close();
      throw failure;
    }
  }
}
