package org.hyperslab.web.grove;

import com.google.common.net.MediaType;
import java.util.Optional;
import java.util.OptionalDouble;
import org.hyperslab.Dataset;
import org.hyperslab.H5File;
import org.hyperslab.Memory;
import org.hyperslab.Slice;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.error.UnsupportedFeatureException;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.type.Datatype;
import org.hyperslab.interchange.json.ElementJson;
import org.hyperslab.interchange.json.JsonOutput;
import org.hyperslab.interchange.json.ReferenceTexts;
import org.hyperslab.interchange.numpy.PlainTypes;
import org.hyperslab.web.limit.RequestBudget;
import org.hyperslab.web.request.WebBody;
import org.hyperslab.web.request.WebReply;
import org.hyperslab.web.request.WebRequest;
import org.hyperslab.web.slice.PieceReader;
import org.hyperslab.web.slice.PrefixedElements;
import org.hyperslab.web.slice.SliceBytes;

/**
 * Replies with the elements of a slice in one of the formats of h5grove.
 *
 * @param slice the slice
 * @param file the file in which references are resolved
 * @param mostBytes the maximum size of a binary reply in bytes
 * @param budget what the reply may use
 */
public record DataReply(Slice slice, H5File file, long mostBytes, RequestBudget budget) {

  /** The maximum length of a text in bytes. */
  public static final int MAX_TEXT_BYTES = 128 << 20;

  /**
   * Answers a request for elements.
   *
   * @param request names the format
   * @param release closes the file; called at once, or after the content has been sent
   */
  WebReply reply(WebRequest request, Runnable release) {
    String format = request.parameter("format").orElse("json");
    if (request.parameter("reduce").isPresent()) {
      return reduced(request, format, release);
    }
    boolean safe = isSafe(request.parameter("dtype").orElse("origin"));
    WebReply reply =
        switch (format) {
          case "json" -> json(request);
          case "bin" -> binary(WebReply.BYTES, new byte[0], binaryType(safe), release);
          case "npy" -> {
            Datatype type = safe ? safeType() : PlainTypes.numpy(slice.type());
            byte[] head = ExportHeads.npy(type, slice.shape());
            yield binary(WebReply.BYTES, head, type, release)
                .with("content-disposition", attachment("npy"));
          }
          case "tiff" -> {
            Datatype type = safeType();
            byte[] head = ExportHeads.tiff(type, slice.shape());
            yield binary(MediaType.TIFF.toString(), head, type, release)
                .with("content-disposition", attachment("tiff"));
          }
          case "csv" ->
              WebReply.text(
                      200,
                      "text/csv; charset=utf-8",
                      CsvText.of(read(), slice.shape(), new ReferenceTexts(file), budget))
                  .with("content-disposition", attachment("csv"));
          default ->
              throw new InvalidUseException(
                  "format: actual=" + format + ", expected=json, bin, npy, csv or tiff");
        };
    if (!(reply.body() instanceof PrefixedElements)) {
      release.run();
    }
    return reply;
  }

  /** Replies with one number for each index of the slice; see {@link ReducedSlice}. */
  private WebReply reduced(WebRequest request, String format, Runnable release) {
    Datatype type = ReducedSlice.type(slice);
    ReducedSlice.Method method = ReducedSlice.Method.of(request.parameter("reduce").orElseThrow());
    if (!format.equals("bin")) {
      throw new InvalidUseException("format with reduce: actual=" + format + ", expected=bin");
    }
    OptionalDouble missing = missing(request);
    WebReply reply;
    if (method == ReducedSlice.Method.FIRST && missing.isEmpty()) {
      reply = binary(WebReply.BYTES, new byte[0], type, release);
    } else {
      String selection = request.parameter("selection").orElse("");
      byte[] bytes = new ReducedSlice(slice, selection, method, missing, budget).bytes();
      reply = WebReply.ok(WebReply.BYTES, WebBody.of(bytes));
      release.run();
    }
    return reply.with("x-number-bytes", Integer.toString(type.size()));
  }

  private static OptionalDouble missing(WebRequest request) {
    Optional<String> text = request.parameter("missing");
    try {
      return text.isEmpty()
          ? OptionalDouble.empty()
          : OptionalDouble.of(Double.parseDouble(text.get()));
    } catch (NumberFormatException notOne) {
      throw new InvalidUseException(
          "missing: actual=" + text.get() + ", expected=a number", notOne);
    }
  }

  private static boolean isSafe(String dtype) {
    return switch (dtype) {
      case "safe" -> true;
      case "origin" -> false;
      default ->
          throw new InvalidUseException("dtype: actual=" + dtype + ", expected=origin or safe");
    };
  }

  private Datatype safeType() {
    return PlainTypes.safe(slice.type())
        .orElseThrow(() ->
            new UnsupportedFeatureException(
                "type: actual=" + slice.type().describe() + ", expected=numbers"));
  }

  private Datatype binaryType(boolean safe) {
    if (!safe && slice.type().hasOutOfLineParts()) {
      throw new UnsupportedFeatureException(
          "type in binary: actual="
              + slice.type().describe()
              + ", expected=a type of fixed length; request JSON instead");
    }
    return safe ? safeType() : slice.type();
  }

  private WebReply binary(String media, byte[] head, Datatype type, Runnable release) {
    SliceBytes elements = new SliceBytes(slice, type, budget);
    if (elements.length() > mostBytes) {
      throw new UnsupportedFeatureException(
          "slice: actual="
              + elements.length()
              + " bytes, expected=at most "
              + mostBytes
              + "; request a part with a selection");
    }
    WebBody body = new PrefixedElements(head, elements, release);
    return WebReply.ok(media, body);
  }

  private String attachment(String suffix) {
    String path = slice.dataset().path();
    String name = path.substring(path.lastIndexOf('/') + 1).replaceAll("[^A-Za-z0-9._-]", "_");
    return "attachment; filename=\"" + (name.isEmpty() ? "data" : name) + "." + suffix + "\"";
  }

  /** {@return an empty text, with exact numbers if the request asks for them} */
  static JsonOutput output(WebRequest request, RequestBudget budget) {
    JsonOutput out = new JsonOutput(MAX_TEXT_BYTES, budget);
    return switch (request.parameter("numbers").orElse("json")) {
      case "json" -> out;
      case "exact" -> out.withExactNumbers();
      default -> throw new InvalidUseException("numbers: actual=another, expected=json or exact");
    };
  }

  private WebReply json(WebRequest request) {
    JsonOutput out = output(request, budget);
    boolean flatten = request.parameter("flatten").filter("true"::equals).isPresent();
    if (slice.dataset().space().kind() == Dataspace.Kind.NULL) {
      out.value((String) null);
    } else {
      long[] shape = slice.shape();
      long[] nesting = flatten && shape.length > 0 ? new long[] {slice.elementCount()} : shape;
      new ElementJson(file, out).write(read(), nesting);
    }
    return WebReply.ok(WebReply.JSON, new WebBody.InMemory(out.toBuffers()));
  }

  private Memory read() {
    long[] shape = slice.shape();
    Memory memory = ElementJson.memory(slice.type(), shape);
    budget.hold(memory.data().elements().byteSize());
    if (memory.space().elementCount() > 0) {
      new PieceReader(slice, slice.type().inMemory(), budget).readAll(memory.data());
    }
    return memory;
  }

  /** {@return the slice of a dataset that a request selects} */
  static Slice slice(Dataset dataset, WebRequest request) {
    String text = request.parameter("selection").filter(each -> !each.isBlank()).orElse("");
    Slice slice = dataset.slice(text);
    ServedSelection.of(text, dataset.rank());
    return slice;
  }
}
