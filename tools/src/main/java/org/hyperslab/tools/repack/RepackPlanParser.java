package org.hyperslab.tools.repack;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.BiConsumer;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.model.FilterSpec;
import org.hyperslab.model.Layout;

/** Parses filters and layouts in the form of h5repack's command line. */
final class RepackPlanParser {

  private static final int NBIT = 5;
  private static final int SCALE_OFFSET = 6;
  private static final int SZIP = 4;
  private static final int SZIP_NEAREST_NEIGHBOUR = 32;
  private static final int SZIP_ENTROPY = 4;

  /** Set by the HDF5 library for every dataset. */
  private static final int SZIP_ALLOW_K13 = 1;

  private RepackPlanParser() {}

  /**
   * Parses the options of a repacking.
   *
   * @param filters the filters, such as {@code GZIP=6} or {@code /a,/b:SHUF}
   * @param layouts the layouts, such as {@code CHUNK=10x20} or {@code /a:CONTI}
   * @param smallestFilteredBytes the size below which datasets are not filtered
   * @param file the rules for the file
   * @param objects the rules for objects
   * @return the plan
   * @throws InvalidUseException if one cannot be parsed
   */
  public static RepackPlan parse(
      List<String> filters,
      List<String> layouts,
      long smallestFilteredBytes,
      RepackPlan.FileRules file,
      RepackPlan.ObjectRules objects) {
    Map<String, List<FilterSpec>> byPath = new LinkedHashMap<>();
    for (String text : filters) {
      forEachPath(
          text,
          (path, spec) -> {
            List<FilterSpec> all = byPath.computeIfAbsent(path, _ -> new ArrayList<>());
            filter(spec, text, all);
          });
    }
    Map<String, Layout> layoutByPath = new LinkedHashMap<>();
    for (String text : layouts) {
      forEachPath(text, (path, spec) -> layoutByPath.put(path, layout(spec, text)));
    }
    return new RepackPlan(byPath, layoutByPath, smallestFilteredBytes, file, objects);
  }

  private static void forEachPath(String text, BiConsumer<String, String> action) {
    int colon = text.lastIndexOf(':');
    String spec = text.substring(colon + 1);
    if (colon < 0) {
      action.accept("", spec);
      return;
    }
    for (String path : text.substring(0, colon).split(",")) {
      action.accept(path.startsWith("/") ? path : "/" + path, spec);
    }
  }

  private static void filter(String spec, String whole, List<FilterSpec> into) {
    String[] parts = spec.split("=", 2);
    String[] values = parts.length == 1 ? new String[0] : parts[1].split(",");
    switch (parts[0].toUpperCase(Locale.ROOT)) {
      case "GZIP" -> into.add(FilterSpec.deflate(number(values, 0, whole)));
      case "SHUF" -> into.add(FilterSpec.shuffle());
      case "FLET" -> into.add(FilterSpec.fletcher32());
      case "NBIT" -> into.add(new FilterSpec(NBIT, true, "nbit", List.of()));
      case "SOFF" -> {
        int kind = values.length > 1 && values[1].equalsIgnoreCase("DS") ? 0 : 2;
        into.add(
            new FilterSpec(
                SCALE_OFFSET, true, "scaleoffset", List.of(kind, number(values, 0, whole))));
      }
      case "SZIP" -> {
        boolean entropy = values.length > 1 && values[1].equalsIgnoreCase("EC");
        int mask = (entropy ? SZIP_ENTROPY : SZIP_NEAREST_NEIGHBOUR) | SZIP_ALLOW_K13;
        into.add(new FilterSpec(SZIP, true, "szip", List.of(mask, number(values, 0, whole))));
      }
      case "UD" -> {
        List<Integer> numbers =
            Arrays.stream(values).map(value -> number(new String[] {value}, 0, whole)).toList();
        if (numbers.size() < 3) {
          throw unknown(whole);
        }
        into.add(
            new FilterSpec(
                numbers.get(0), numbers.get(1) != 0, "", numbers.subList(3, numbers.size())));
      }
      case "NONE" -> into.clear();
      default -> throw unknown(whole);
    }
  }

  private static Layout layout(String spec, String whole) {
    String[] parts = spec.split("=", 2);
    return switch (parts[0].toUpperCase(Locale.ROOT)) {
      case "COMPA" -> new Layout.Compact();
      case "CONTI" -> new Layout.Contiguous();
      case "CHUNK" -> {
        if (parts.length == 1) {
          throw unknown(whole);
        }
        String[] dims = parts[1].split("x");
        long[] shape = new long[dims.length];
        for (int d = 0; d < dims.length; d++) {
          shape[d] = number(dims, d, whole);
        }
        yield Layout.Chunked.of(shape);
      }
      default -> throw unknown(whole);
    };
  }

  private static int number(String[] values, int at, String whole) {
    try {
      return Integer.parseInt(values[at].trim());
    } catch (NumberFormatException | ArrayIndexOutOfBoundsException notANumber) {
      throw new InvalidUseException(
          "filter or layout: actual=" + whole + ", expected=a number in place " + (at + 1),
          notANumber);
    }
  }

  private static InvalidUseException unknown(String whole) {
    return new InvalidUseException(
        "filter or layout: actual="
            + whole
            + ", expected=GZIP=n, SHUF, FLET, NBIT, SOFF=n,IN|DS, SZIP=n,EC|NN, UD=id,flags,n,…,"
            + " NONE, CHUNK=axb, COMPA or CONTI");
  }
}
