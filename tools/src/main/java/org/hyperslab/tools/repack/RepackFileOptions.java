package org.hyperslab.tools.repack;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.model.FormatVersion;
import org.hyperslab.model.SpaceStrategy;
import picocli.CommandLine.Option;

/** The options of {@code repack} that concern the new file as a whole. */
final class RepackFileOptions {

  private static final long SMALLEST_USER_BLOCK_BYTES = 512;

  /** The strategies, for the completion of words by a shell. */
  static final class Strategies implements Iterable<String> {
    @Override
    public Iterator<String> iterator() {
      return List.of("FSM_AGGR", "PAGE", "AGGR", "NONE").iterator();
    }
  }

  @Option(
      names = {"-u", "--ublock"},
      paramLabel = "FILE",
      description = "file to copy into the user block (default: the user block of IN)")
  private Path userBlock;

  @Option(
      names = {"-b", "--block"},
      paramLabel = "BYTES",
      description = "size of the user block: a power of two from 512")
  private Long userBlockBytes;

  @Option(
      names = {"-t", "--threshold"},
      paramLabel = "BYTES",
      description = "does not align objects smaller than this")
  private Long threshold;

  @Option(
      names = {"-a", "--alignment"},
      paramLabel = "BYTES",
      description = "aligns objects to multiples of this address")
  private Long alignment;

  @Option(
      names = {"-M", "--metadata_block_size"},
      paramLabel = "BYTES",
      description = "size of the blocks in which space for metadata is allocated")
  private Long metadataBlock;

  @Option(
      names = {"-S", "--fs_strategy"},
      paramLabel = "STRATEGY",
      completionCandidates = Strategies.class,
      description = "file space strategy: FSM_AGGR, PAGE, AGGR or NONE (default: that of IN)")
  private String strategy;

  @Option(
      names = {"-P", "--fs_persist"},
      paramLabel = "0|1",
      description = "1 to record free space in the file, 0 not to")
  private Integer persist;

  @Option(
      names = {"-T", "--fs_threshold"},
      paramLabel = "BYTES",
      description = "does not track free space sections smaller than this")
  private Long freeThreshold;

  @Option(
      names = {"-G", "--fs_pagesize"},
      paramLabel = "BYTES",
      description = "page size for the strategy PAGE, at least 512")
  private Long pageBytes;

  /**
   * Fills the user block of the new file, from the file named for it or from the original, as far
   * as it fits.
   *
   * @param originalBytes the size of the original's user block
   */
  void fillUserBlock(Path original, long originalBytes, Path copy) throws IOException {
    if (userBlock != null) {
      long bytes = Files.size(userBlock);
      if (userBlockBytes != null && bytes > userBlockBytes) {
        throw new InvalidUseException(
            "user block: actual="
                + bytes
                + " bytes, expected=at most "
                + userBlockBytes
                + ", at="
                + userBlock);
      }
      UserBlock.copy(userBlock, bytes, copy);
    } else if (originalBytes > 0 && Files.isRegularFile(original)) {
      long room = userBlockBytes == null ? originalBytes : userBlockBytes;
      UserBlock.copy(original, Math.min(originalBytes, room), copy);
    }
  }

  /** Builds the rules for the new file. */
  RepackPlan.FileRules rules(FormatVersion low, FormatVersion high) throws IOException {
    Map<String, String> properties = new HashMap<>();
    put(properties, "alignment", alignment);
    put(properties, "alignmentThreshold", threshold);
    put(properties, "metadataBlockBytes", metadataBlock);
    return new RepackPlan.FileRules(low, high, userBlockBytes(), space(), properties);
  }

  private static void put(Map<String, String> properties, String name, Long value) {
    if (value != null) {
      properties.put(name, value.toString());
    }
  }

  private OptionalLong userBlockBytes() throws IOException {
    if (userBlockBytes != null) {
      return OptionalLong.of(userBlockBytes);
    }
    if (userBlock == null) {
      return OptionalLong.empty();
    }
    long size = SMALLEST_USER_BLOCK_BYTES;
    while (size < Files.size(userBlock)) {
      size *= 2;
    }
    return OptionalLong.of(size);
  }

  private Optional<SpaceStrategy> space() {
    if (strategy == null && persist == null && freeThreshold == null && pageBytes == null) {
      return Optional.empty();
    }
    SpaceStrategy.Kind kind =
        switch (strategy == null ? "FSM_AGGR" : strategy) {
          case "FSM_AGGR" -> SpaceStrategy.Kind.FREE_SPACE;
          case "PAGE" -> SpaceStrategy.Kind.PAGE;
          case "AGGR" -> SpaceStrategy.Kind.AGGREGATION;
          case "NONE" -> SpaceStrategy.Kind.NONE;
          default ->
              throw new InvalidUseException(
                  "file space strategy: actual="
                      + strategy
                      + ", expected=FSM_AGGR, PAGE, AGGR or NONE");
        };
    SpaceStrategy usual = SpaceStrategy.DEFAULT;
    return Optional.of(
        new SpaceStrategy(
            kind,
            persist != null && persist != 0,
            freeThreshold == null ? usual.thresholdBytes() : freeThreshold,
            pageBytes == null ? usual.pageBytes() : pageBytes));
  }
}
