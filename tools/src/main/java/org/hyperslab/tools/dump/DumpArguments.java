package org.hyperslab.tools.dump;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.model.IterationIndex;
import org.hyperslab.tools.number.PrintfNumber;

/**
 * Parses the options of {@code h5dump}. Their order matters as it does there: a subset and packed
 * bits must follow their dataset, and some options change the meaning of later ones.
 */
final class DumpArguments {

  private static final int MAX_COLUMNS = 65535;

  /** The limit of masks in h5dump. */
  private static final int MAX_MASKS = 8;

  /** Options that may stand between a dataset and its subset or packed bits. */
  private static final String BETWEEN = "RpyerMvGfmqzEKLCOXDux$#@123456";

  private static final Set<String> DRIVERS =
      Set.of("sec2", "stdio", "core", "log", "family", "split", "multi");
  private static final int FIRST_OPTIONAL_DRIVER = 6;

  private final OptionWords words;
  private final DumpOptions options = new DumpOptions();
  private boolean compactSubsets = true;

  /**
   * The dataset that the previous option named, for its subset and packed bits; null if it named
   * none.
   */
  private DumpOptions.Requested dataset;

  private boolean subsetFollows;
  private String firstOutput;

  private DumpArguments(List<String> words) {
    this.words = new OptionWords(words);
  }

  /**
   * Parses a command line.
   *
   * @throws InvalidUseException if a word is not understood or no file is named
   */
  static DumpOptions parse(List<String> words) {
    DumpArguments parser = new DumpArguments(words);
    parser.run();
    return parser.options;
  }

  private void run() {
    while (words.next()) {
      apply(words.letter(), words.value());
    }
    options.files.addAll(words.rest());
    if (options.files.isEmpty()) {
      throw new InvalidUseException("dump: actual=no file, expected=a file name");
    }
    if (options.binary != null && firstOutput == null) {
      throw new InvalidUseException("dump -b: actual=no file for elements, expected=-o FILE");
    }
  }

  private void apply(char letter, String value) {
    if ("sSck".indexOf(letter) >= 0) {
      subset(letter, value);
      return;
    }
    if (subsetFollows || (BETWEEN.indexOf(letter) < 0 && !(letter == 'A' && value != null))) {
      boolean packed = letter == 'M' && !subsetFollows;
      dataset = packed ? dataset : null;
      subsetFollows = false;
    }
    switch (letter) {
      case 'a', 'd', 'g', 'l', 't', 'N' -> one(letter, value);
      case 'q', 'z' -> sorting(letter, value);
      case 'M' -> packedBits(value);
      case 'o', 'O', 'b' -> output(letter, value);
      case 'm', 'L', 'w', 'D', 'X' -> form(letter, value);
      case 'f', '1', '2', '3', '4', '5', '6', '$', '#', '@' -> access(letter, value);
      case 'A' -> {
        if (value == null) {
          options.elements = false;
          options.attributeElements = true;
        } else if (LeadingNumber.of(value) == 0) {
          options.attributes = false;
        }
      }
      case 'n' -> {
        options.contents = true;
        options.contentsWithAttributes = value != null && LeadingNumber.of(value) > 0;
      }
      case 'G' -> {
        options.virtualGap = LeadingNumber.of(value);
        if (options.virtualGap < 0) {
          throw new InvalidUseException("dump -G: actual=" + value + ", expected=a number from 0");
        }
      }
      default -> flag(letter);
    }
  }

  private void flag(char letter) {
    switch (letter) {
      case 'H' -> {
        options.elements = false;
        options.attributeElements = false;
      }
      case 'p' -> options.properties = true;
      case 'B' -> options.superblock = true;
      case 'r' -> options.characters = true;
      case 'e' -> options.escape = true;
      case 'y' -> options.indices = false;
      case 'i' -> options.objectIds = true;
      case 'R' -> options.regions = true;
      case 'v' -> options.firstMissing = true;
      case 'C' -> compactSubsets = false;
      case 'E', 'F', 'K' -> {
        // These tune the C library and do not change the output.
      }
      case 'u', 'x' ->
          throw new InvalidUseException("dump: actual=option -" + letter + ", expected=no XML");
      default ->
          throw new InvalidUseException(
              "dump: actual=option -" + letter + "; see hyperslab --help");
    }
  }

  private void form(char letter, String value) {
    switch (letter) {
      case 'm' -> options.floats = number(value);
      case 'L' -> options.longFloats = number(value);
      default -> {
        // The other options change only the columns.
      }
    }
    if (letter == 'w') {
      int columns = LeadingNumber.of(value);
      options.width = columns <= 0 ? MAX_COLUMNS : columns;
      options.onePerLine = false;
    } else {
      options.width = MAX_COLUMNS;
      options.onePerLine = true;
    }
  }

  private static PrintfNumber number(String format) {
    if (format.indexOf('%') < 0) {
      throw new InvalidUseException(
          "dump -m: actual=" + format + ", expected=a format with % such as %.3f");
    }
    return PrintfNumber.of(format);
  }

  /** Checks drivers and connectors; those that read the same bytes are accepted and ignored. */
  private static void access(char letter, String value) {
    boolean known =
        switch (letter) {
          case 'f', '5' -> DRIVERS.contains(value);
          case '4' ->
              LeadingNumber.of(value) >= 0 && LeadingNumber.of(value) < FIRST_OPTIONAL_DRIVER;
          case '1' -> LeadingNumber.of(value) == 0;
          case '2' -> value.equals("native");
          case '3', '6' -> true;
          default -> false;
        };
    if (!known) {
      throw new InvalidUseException(
          "dump: actual=a driver or connector \""
              + value
              + "\" that is not known by this option, expected=one of "
              + DRIVERS
              + ", \"native\", or a URI as the file's name");
    }
  }

  private void output(char letter, String value) {
    switch (letter) {
      case 'O' -> options.ddl = new DumpOptions.Place(value);
      case 'o' -> {
        if (options.binary == null && options.attributeElements && !options.elements) {
          options.attributeData = new DumpOptions.Place(value);
        }
        if (options.binary != null || options.elements || options.requested.isEmpty()) {
          options.data = new DumpOptions.Place(value);
        }
        firstOutput = value;
      }
      default -> {
        options.binary = value == null ? BinaryForm.NATIVE : BinaryForm.of(value);
        if (firstOutput != null) {
          options.data = new DumpOptions.Place(firstOutput);
        }
      }
    }
  }

  private void sorting(char letter, String value) {
    if (letter == 'q') {
      options.sortBy =
          switch (value) {
            case "name" -> IterationIndex.NAME;
            case "creation_order" -> IterationIndex.CREATION_ORDER;
            default ->
                throw new InvalidUseException(
                    "dump -q: actual=" + value + ", expected=name or creation_order");
          };
    } else {
      options.descending =
          switch (value) {
            case "ascending" -> false;
            case "descending" -> true;
            default ->
                throw new InvalidUseException(
                    "dump -z: actual=" + value + ", expected=ascending or descending");
          };
    }
  }

  private void one(char letter, String value) {
    DumpOptions.Target target =
        switch (letter) {
          case 'a' -> DumpOptions.Target.ATTRIBUTE;
          case 'd' -> DumpOptions.Target.DATASET;
          case 'g' -> DumpOptions.Target.GROUP;
          case 'l' -> DumpOptions.Target.SOFT_LINK;
          case 't' -> DumpOptions.Target.DATATYPE;
          default -> DumpOptions.Target.ANY;
        };
    boolean isDataset = target == DumpOptions.Target.DATASET;
    int bracket = isDataset && compactSubsets ? value.lastIndexOf('[') : -1;
    String path = bracket < 0 ? value : value.substring(0, bracket);
    DumpOptions.Requested one = new DumpOptions.Requested(target, path);
    if (bracket >= 0) {
      one.subset = compactSubset(value.substring(bracket + 1));
    }
    options.requested.add(one);
    dataset = isDataset ? one : null;
  }

  private static DumpOptions.Subset compactSubset(String text) {
    int end = text.indexOf(']');
    String[] parts = (end < 0 ? text : text.substring(0, end)).split(";", -1);
    DumpOptions.Subset subset = new DumpOptions.Subset();
    subset.start = part(parts, 0);
    subset.stride = part(parts, 1);
    subset.count = part(parts, 2);
    subset.block = part(parts, 3);
    return subset;
  }

  private static long[] part(String[] parts, int index) {
    return index < parts.length && !parts[index].isEmpty() ? numbers(parts[index]) : null;
  }

  private void subset(char letter, String value) {
    if (dataset == null) {
      throw new InvalidUseException(
          "dump -" + letter + ": actual=no dataset just before, expected=-d DATASET first");
    }
    if (dataset.subset == null) {
      dataset.subset = new DumpOptions.Subset();
    }
    long[] numbers = numbers(value);
    switch (letter) {
      case 's' -> dataset.subset.start = numbers;
      case 'S' -> dataset.subset.stride = numbers;
      case 'c' -> dataset.subset.count = numbers;
      default -> dataset.subset.block = numbers;
    }
    subsetFollows = true;
  }

  /** Returns the numbers in a text, with any separators. */
  private static long[] numbers(String text) {
    List<Long> numbers = new ArrayList<>();
    for (String digits : text.split("\\D+")) {
      if (!digits.isEmpty()) {
        numbers.add(LeadingNumber.unsigned(digits));
      }
    }
    return numbers.stream().mapToLong(Long::longValue).toArray();
  }

  private void packedBits(String value) {
    if (dataset == null) {
      throw new InvalidUseException("dump: option -M can only be used after --dataset option");
    }
    String[] numbers = value.split(",", -1);
    if (numbers.length % 2 != 0 || numbers.length > 2 * MAX_MASKS) {
      throw wrongBits(value);
    }
    options.packedBits.clear();
    for (int i = 0; i < numbers.length; i += 2) {
      long offset = bit(numbers[i], value);
      long length = bit(numbers[i + 1], value);
      if (offset > 63 || length < 1 || offset + length > 64) {
        throw wrongBits(value);
      }
      options.packedBits.add(new DumpOptions.PackedBits((int) offset, (int) length));
    }
  }

  private static long bit(String digits, String all) {
    if (!digits.matches("\\d{1,9}")) {
      throw wrongBits(all);
    }
    return Long.parseLong(digits);
  }

  private static InvalidUseException wrongBits(String value) {
    return new InvalidUseException(
        "dump -M: actual="
            + value
            + ", expected=up to "
            + MAX_MASKS
            + " pairs offset,length within 64 bits");
  }
}
