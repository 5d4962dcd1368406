package org.hyperslab.plugins.configured.rule;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.model.FilterSpec;
import org.hyperslab.plugins.configured.document.DocumentNode;
import org.hyperslab.plugins.configured.document.Place;
import org.hyperslab.plugins.configured.document.Scalars;

/**
 * Filters that a configuration file sets, in the order in which they are applied on write. An empty
 * list is a choice, too: no filters.
 *
 * <p>Thread rule: immutable.
 *
 * @param filters the filters
 * @param text the filters as they are written
 * @param place where they stand
 */
public record FilterSetting(List<FilterSpec> filters, String text, Place place) {

  private static final String KNOWN =
      "there are shuffle, deflate LEVEL, zstd LEVEL, lz4, lzf, blosc CODEC LEVEL, fletcher32, and"
          + " a registered number with its parameters, such as 32013 1 8";

  private static final int HIGHEST_NUMBER = 65_535;

  /** Copies the list. */
  public FilterSetting {
    filters = List.copyOf(filters);
  }

  static FilterSetting read(DocumentNode node) {
    List<DocumentNode.Scalar> texts = Scalars.texts(node);
    List<FilterSpec> filters = new ArrayList<>();
    for (DocumentNode.Scalar each : texts) {
      filters.add(filter(each));
    }
    String text = texts.stream().map(DocumentNode.Scalar::text).collect(Collectors.joining(", "));
    return new FilterSetting(filters, text, node.place());
  }

  private static FilterSpec filter(DocumentNode.Scalar written) {
    String[] words = written.text().strip().split("\\s+");
    try {
      return switch (words[0]) {
        case "shuffle" -> only(written, words, FilterSpec.shuffle());
        case "fletcher32" -> only(written, words, FilterSpec.fletcher32());
        case "lz4" -> only(written, words, FilterSpec.lz4());
        case "lzf" -> only(written, words, FilterSpec.lzf());
        case "deflate", "gzip" -> FilterSpec.deflate(number(written, words, 1, 2));
        case "zstd" -> FilterSpec.zstd(number(written, words, 1, 2));
        case "blosc" -> FilterSpec.blosc(codec(written, words), number(written, words, 2, 3));
        default -> registered(written, words);
      };
    } catch (InvalidUseException e) {
      boolean hasPlace = e.getMessage().startsWith(written.place().toString());
      throw hasPlace ? e : written.place().problem(e.getMessage());
    }
  }

  private static FilterSpec only(DocumentNode.Scalar written, String[] words, FilterSpec filter) {
    if (words.length > 1) {
      throw written.place().problem("filter " + words[0] + " has no parameter");
    }
    return filter;
  }

  private static int number(DocumentNode.Scalar written, String[] words, int index, int count) {
    if (words.length != count) {
      throw written.place().problem("\"" + written.text() + "\" is no filter; " + KNOWN);
    }
    return parsed(written, words[index]);
  }

  private static int parsed(DocumentNode.Scalar written, String word) {
    try {
      return Integer.parseUnsignedInt(word);
    } catch (NumberFormatException e) {
      throw written.place().problem("\"" + word + "\" is no number; " + KNOWN);
    }
  }

  private static FilterSpec.BloscCodec codec(DocumentNode.Scalar written, String[] words) {
    String word = words.length > 1 ? words[1].toUpperCase(Locale.ROOT) : "";
    for (FilterSpec.BloscCodec codec : FilterSpec.BloscCodec.values()) {
      if (codec.name().equals(word)) {
        return codec;
      }
    }
    throw written.place().problem("\"" + written.text() + "\" names no codec of blosc; " + KNOWN);
  }

  private static FilterSpec registered(DocumentNode.Scalar written, String[] words) {
    if (words[0].isEmpty() || !words[0].chars().allMatch(Character::isDigit)) {
      throw written.place().problem("\"" + written.text() + "\" is no filter; " + KNOWN);
    }
    int id = parsed(written, words[0]);
    if (id < 1 || id > HIGHEST_NUMBER) {
      throw written.place().problem("filter number " + id + ": they are 1 to " + HIGHEST_NUMBER);
    }
    List<Integer> parameters = new ArrayList<>();
    for (int i = 1; i < words.length; i++) {
      parameters.add(parsed(written, words[i]));
    }
    return new FilterSpec(id, true, "", parameters);
  }
}
