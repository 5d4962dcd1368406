package org.hyperslab.tools.ddl;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.model.IterationIndex;

/**
 * Reads the options of {@code h5dump}: options first, then files; an option's value follows it or
 * is attached; the value of an option that need not have one is taken only from a word that is
 * neither an option nor the last.
 */
final class DumpArguments {

  private static final String VALUE = "abdgltNwmsScSkqzMfFDGXL";
  private static final String OPTIONAL_VALUE = "noOAbE";
  private static final Map<String, Character> NAMES =
      Map.ofEntries(
          Map.entry("attribute", 'a'),
          Map.entry("dataset", 'd'),
          Map.entry("group", 'g'),
          Map.entry("soft-link", 'l'),
          Map.entry("datatype", 't'),
          Map.entry("any_path", 'N'),
          Map.entry("header", 'H'),
          Map.entry("onlyattr", 'A'),
          Map.entry("contents", 'n'),
          Map.entry("properties", 'p'),
          Map.entry("boot-block", 'B'),
          Map.entry("superblock", 'B'),
          Map.entry("string", 'r'),
          Map.entry("escape", 'e'),
          Map.entry("noindex", 'y'),
          Map.entry("width", 'w'),
          Map.entry("format", 'm'),
          Map.entry("ddl", 'O'),
          Map.entry("output", 'o'),
          Map.entry("start", 's'),
          Map.entry("stride", 'S'),
          Map.entry("count", 'c'),
          Map.entry("block", 'k'),
          Map.entry("sort_by", 'q'),
          Map.entry("sort_order", 'z'),
          Map.entry("packed-bits", 'M'),
          Map.entry("object-ids", 'i'),
          Map.entry("no-compact-subset", 'C'),
          Map.entry("enable-error-stack", 'E'),
          Map.entry("page-buffer-size", 'F'),
          Map.entry("filedriver", 'f'),
          Map.entry("region", 'R'));

  private final List<String> words;
  private final DumpOptions options = new DumpOptions();
  private boolean compactSubsets = true;
  private int at;

  private DumpArguments(List<String> words) {
    this.words = words;
  }

  /**
   * The options that words spell.
   *
   * @throws InvalidUseException if a word is not understood or no file is named
   */
  static DumpOptions parse(List<String> words) {
    DumpArguments parser = new DumpArguments(words);
    parser.run();
    return parser.options;
  }

  private void run() {
    while (at < words.size() && words.get(at).startsWith("-") && words.get(at).length() > 1) {
      String word = words.get(at++);
      if (word.startsWith("--")) {
        longOption(word.substring(2));
      } else {
        shortOptions(word);
      }
    }
    options.files.addAll(words.subList(at, words.size()));
    if (options.files.isEmpty()) {
      throw new InvalidUseException("dump: actual=no file, expected=a file name");
    }
    if (!options.packedBits.isEmpty()
        && options.wishes.stream().noneMatch(w -> w.target == DumpOptions.Target.DATASET)) {
      throw new InvalidUseException("dump: option -M can only be used after --dataset option");
    }
  }

  private void longOption(String word) {
    int equals = word.indexOf('=');
    String name = equals < 0 ? word : word.substring(0, equals);
    Character letter = NAMES.get(name);
    if (letter == null) {
      throw new InvalidUseException("dump: actual=unknown option --" + name + "; see --help");
    }
    String value = equals >= 0 ? word.substring(equals + 1) : followingValue(letter).orElse(null);
    apply(letter, value);
  }

  private void shortOptions(String word) {
    for (int i = 1; i < word.length(); i++) {
      char letter = word.charAt(i);
      boolean valued = VALUE.indexOf(letter) >= 0 || OPTIONAL_VALUE.indexOf(letter) >= 0;
      if (valued && i + 1 < word.length()) {
        apply(letter, word.substring(i + 1));
        return;
      }
      apply(letter, followingValue(letter).orElse(null));
    }
  }

  private Optional<String> followingValue(char letter) {
    if (OPTIONAL_VALUE.indexOf(letter) >= 0) {
      boolean there = at + 1 < words.size() && !words.get(at).startsWith("-");
      return there ? Optional.of(words.get(at++)) : Optional.empty();
    }
    if (VALUE.indexOf(letter) < 0) {
      return Optional.empty();
    }
    if (at >= words.size()) {
      throw new InvalidUseException("dump: actual=option -" + letter + " without a value");
    }
    return Optional.of(words.get(at++));
  }

  private void apply(char letter, String value) {
    switch (letter) {
      case 'a', 'd', 'g', 'l', 't', 'N' -> wish(letter, value);
      case 's', 'S', 'c', 'k' -> subset(letter, value);
      case 'q', 'z' -> sorting(letter, value);
      case 'M' -> packedBits(value);
      case 'o', 'O' -> output(letter, value);
      case 'm' -> {
        options.floats = PrintfNumber.of(value);
        options.onePerLine = true;
      }
      case 'w' -> options.width = number(value) == 0 ? 65535 : (int) Math.min(65535, number(value));
      case 'n' -> {
        options.contents = true;
        options.contentsWithAttributes = "1".equals(value);
      }
      case 'C' -> compactSubsets = false;
      default -> flag(letter, value);
    }
  }

  private void flag(char letter, String value) {
    switch (letter) {
      case 'H' -> {
        options.elements = false;
        options.attributeElements = false;
      }
      case 'A' -> {
        if ("0".equals(value)) {
          options.attributes = false;
        } else {
          options.elements = false;
          options.attributeElements = true;
        }
      }
      case 'p' -> options.properties = true;
      case 'B' -> options.superblock = true;
      case 'r' -> options.characters = true;
      case 'e' -> options.escape = true;
      case 'y' -> options.indices = false;
      case 'i' -> options.objectIds = true;
      case 'E', 'F', 'f' -> {
        // These tune the C library and change nothing in what is printed.
      }
      default ->
          throw new InvalidUseException("dump: actual=unknown option -" + letter + "; see --help");
    }
  }

  private void output(char letter, String value) {
    if (letter == 'o') {
      options.dataFile = value;
      options.data = value != null;
    } else {
      options.ddlFile = value;
      options.ddl = value != null;
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

  private void wish(char letter, String value) {
    DumpOptions.Target target =
        switch (letter) {
          case 'a' -> DumpOptions.Target.ATTRIBUTE;
          case 'd' -> DumpOptions.Target.DATASET;
          case 'g' -> DumpOptions.Target.GROUP;
          case 'l' -> DumpOptions.Target.SOFT_LINK;
          case 't' -> DumpOptions.Target.DATATYPE;
          default -> DumpOptions.Target.ANY;
        };
    int bracket = value.endsWith("]") && compactSubsets ? value.lastIndexOf('[') : -1;
    if (target != DumpOptions.Target.DATASET || bracket < 0) {
      options.wishes.add(new DumpOptions.Wish(target, value));
      return;
    }
    DumpOptions.Wish wish = new DumpOptions.Wish(target, value.substring(0, bracket));
    String[] parts = value.substring(bracket + 1, value.length() - 1).split(";", -1);
    wish.subset = new DumpOptions.Subset();
    wish.subset.start = numbers(parts, 0);
    wish.subset.stride = numbers(parts, 1);
    wish.subset.count = numbers(parts, 2);
    wish.subset.block = numbers(parts, 3);
    options.wishes.add(wish);
  }

  private static long[] numbers(String[] parts, int index) {
    return index < parts.length && !parts[index].isBlank() ? numbers(parts[index]) : null;
  }

  private void subset(char letter, String value) {
    if (options.wishes.isEmpty()) {
      throw new InvalidUseException(
          "dump -" + letter + ": actual=no dataset before it, expected=-d DATASET first");
    }
    DumpOptions.Wish wish = options.wishes.getLast();
    if (wish.subset == null) {
      wish.subset = new DumpOptions.Subset();
    }
    long[] numbers = numbers(value);
    switch (letter) {
      case 's' -> wish.subset.start = numbers;
      case 'S' -> wish.subset.stride = numbers;
      case 'c' -> wish.subset.count = numbers;
      default -> wish.subset.block = numbers;
    }
  }

  private void packedBits(String value) {
    long[] numbers = numbers(value);
    for (int i = 0; i + 1 < numbers.length; i += 2) {
      if (numbers[i] > 63 || numbers[i + 1] < 1 || numbers[i] + numbers[i + 1] > 64) {
        throw new InvalidUseException(
            "dump -M: actual=" + value + ", expected=offset,length pairs within 64 bits");
      }
      options.packedBits.add(new DumpOptions.PackedBits((int) numbers[i], (int) numbers[i + 1]));
    }
  }

  private static long[] numbers(String text) {
    return Arrays.stream(text.split(",", -1)).mapToLong(DumpArguments::number).toArray();
  }

  private static long number(String text) {
    try {
      long number = Long.parseLong(text.strip());
      if (number >= 0) {
        return number;
      }
    } catch (NumberFormatException malformed) {
      throw new InvalidUseException("dump: actual=" + text + ", expected=a number", malformed);
    }
    throw new InvalidUseException("dump: actual=" + text + ", expected=a number from 0");
  }
}
