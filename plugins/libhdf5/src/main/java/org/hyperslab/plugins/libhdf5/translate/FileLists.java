package org.hyperslab.plugins.libhdf5.translate;

import java.lang.foreign.MemorySegment;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.error.UnsupportedFeatureException;
import org.hyperslab.format.type.ArrayType;
import org.hyperslab.format.type.CompoundType;
import org.hyperslab.format.type.Datatype;
import org.hyperslab.format.type.ReferenceType;
import org.hyperslab.format.type.VlenType;
import org.hyperslab.model.CreateOptions;
import org.hyperslab.model.Durability;
import org.hyperslab.model.FormatVersion;
import org.hyperslab.model.GroupOptions;
import org.hyperslab.model.Locking;
import org.hyperslab.model.OpenOptions;
import org.hyperslab.model.SpaceStrategy;
import org.hyperslab.plugins.libhdf5.call.Hdf5Calls;
import org.hyperslab.plugins.libhdf5.call.Hdf5Function;
import org.hyperslab.plugins.libhdf5.call.RawMemory;
import org.hyperslab.plugins.libhdf5.file.FileRankDetection;
import org.hyperslab.plugins.libhdf5.file.OpenedFile;

/**
 * Reads the property lists of files.
 *
 * <p>Thread rule: that of {@link Hdf5Calls}.
 */
public final class FileLists {

  /** The bound {@code H5F_LIBVER_V112}, from which references have the revised form. */
  private static final int REVISED_REFERENCES = 3;

  private static final String CORE = "core";

  /** Drivers that store a file as a single file of bytes, besides the default. */
  private static final List<String> PLAIN =
      List.of(CORE, "mpio", "log", "stdio", "direct", "ros3", "hdfs");

  /** The default of {@code H5Pset_meta_block_size}. */
  private static final long USUAL_METADATA_BLOCK = 2048;

  /** Drivers that store a file on other machines, or whose files are no files of HDF5. */
  private static final List<String> REFUSED = List.of("subfiling", "onion", "mirror");

  /** More than the length of {@code H5FD_file_image_info_t}. */
  private static final int IMAGE_INFO_BYTES = 128;

  /** The places of the functions in {@code H5FD_file_image_info_t} that give and move memory. */
  private static final int IMAGE_CALLBACKS = 16;

  private static final int IMAGE_CALLBACKS_END = IMAGE_CALLBACKS + 4 * 8;

  private final Hdf5Calls hdf5;
  private final PropertyReader properties;

  /** The identifier of the default driver; 0 until it is needed. */
  private volatile long defaultDriver;

  public FileLists(Hdf5Calls hdf5, PropertyReader properties) {
    this.hdf5 = hdf5;
    this.properties = properties;
  }

  /** Returns the configuration string that an access property list has for this connector. */
  public String configuration(long accessList) {
    long out = hdf5.scratch().address();
    RawMemory.setLong(out, 0);
    hdf5.checked(Hdf5Function.P_GET_VOL_INFO, accessList, out);
    long info = RawMemory.getLong(out);
    if (info == 0) {
      return "";
    }
    String text = RawMemory.text(info);
    hdf5.checked(Hdf5Function.P_GET_VOL_ID, accessList, out);
    long connector = RawMemory.getLong(out);
    hdf5.checked(Hdf5Function.VL_FREE_INFO, connector, info);
    hdf5.call(Hdf5Function.VL_CLOSE, connector);
    return text;
  }

  /** Returns the degree of closing of a list. */
  public int closeDegree(long accessList) {
    return hdf5.intOf(Hdf5Function.P_GET_CLOSE_DEGREE, accessList);
  }

  /**
   * Returns the access properties of a list. A flush of a file on this machine leaves it to the
   * system when storage has the data, as {@code H5Fflush} of libhdf5 does; a rule of a
   * configuration file can ask for more.
   */
  public OpenOptions access(long accessList, boolean writable, boolean swmr) {
    int[] bounds = hdf5.intsOf(Hdf5Function.P_GET_LIBVER_BOUNDS, accessList);
    OpenOptions options =
        (writable ? OpenOptions.EDIT : OpenOptions.READ)
            .withBounds(version(bounds[0]), version(bounds[1]))
            .withSwmr(swmr)
            .withLocking(locking(accessList));
    if (FileRankDetection.isLocal(configuration(accessList))) {
      options = options.withDurability(Durability.PROCESS);
    }
    for (var property : (writable ? placement(accessList) : Map.<String, String>of()).entrySet()) {
      options = options.withProperty(property.getKey(), property.getValue());
    }
    return options;
  }

  /** Returns how a list places what is added to a file, where it differs from the default. */
  private Map<String, String> placement(long accessList) {
    Map<String, String> properties = new HashMap<>();
    long out = hdf5.scratch().address();
    hdf5.checked(Hdf5Function.P_GET_ALIGNMENT, accessList, out, out + 8);
    if (RawMemory.getLong(out + 8) > 1) {
      properties.put("alignmentThreshold", Long.toString(RawMemory.getLong(out)));
      properties.put("alignment", Long.toString(RawMemory.getLong(out + 8)));
    }
    long block = hdf5.longOf(Hdf5Function.P_GET_METADATA_BLOCK, accessList);
    if (block != USUAL_METADATA_BLOCK) {
      properties.put("metadataBlockBytes", Long.toString(block));
    }
    return properties;
  }

  /**
   * Fails, as libhdf5 does, if a type has revised references, and the upper version bound of a file
   * is older than they are: in the older form, regions and attributes would be lost.
   */
  public void requireHeld(Datatype type, OpenedFile file) {
    if (hasRevisedReferences(type)
        && hdf5.intsOf(Hdf5Function.P_GET_LIBVER_BOUNDS, file.settings().accessList())[1]
            < REVISED_REFERENCES) {
      throw new UnsupportedFeatureException(
          "references (H5T_STD_REF): actual=upper version bound of the file before 1.12, expected="
              + "H5F_LIBVER_V112 or later (H5Pset_libver_bounds), at="
              + file.name());
    }
  }

  private static boolean hasRevisedReferences(Datatype type) {
    return switch (type) {
      case ReferenceType reference -> reference.kind().revised();
      case VlenType vlen -> hasRevisedReferences(vlen.base());
      case ArrayType array -> hasRevisedReferences(array.base());
      case CompoundType compound ->
          compound.members().stream().anyMatch(member -> hasRevisedReferences(member.type()));
      default -> false;
    };
  }

  private static FormatVersion version(int number) {
    FormatVersion[] all = FormatVersion.values();
    return all[Math.clamp(number, 0, all.length - 1)];
  }

  /** Returns the locking that the list requests; the environment variable takes precedence. */
  public Locking locking(long accessList) {
    if (System.getenv("HDF5_USE_FILE_LOCKING") != null) {
      return Locking.DEFAULT;
    }
    long out = hdf5.scratch().address();
    RawMemory.setLong(out, 0);
    if (hdf5.status(Hdf5Function.P_GET_FILE_LOCKING, accessList, out, out + 4) < 0) {
      return Locking.DEFAULT;
    }
    if (!RawMemory.getBool(out)) {
      return Locking.OFF;
    }
    return RawMemory.getBool(out + 4) ? Locking.BEST_EFFORT : Locking.DEFAULT;
  }

  /**
   * Returns whether only the driver of a list finds its file. It stores a file in several files,
   * the program has registered it, or it is the core driver with callbacks of the program for its
   * memory.
   *
   * @param accessList the access property list
   * @throws UnsupportedFeatureException if the driver cannot be used through a connector
   */
  public boolean hasOwnDriver(long accessList) {
    long driver = hdf5.call(Hdf5Function.P_GET_DRIVER, accessList);
    if (driver <= 0 || driver == defaultDriver()) {
      return false;
    }
    for (String other : REFUSED) {
      if (driver == hdf5.driver(other)) {
        throw new UnsupportedFeatureException(
            "file driver: actual="
                + other
                + ", expected=the default or another driver, or libhdf5's own connector for this"
                + " file (H5Pset_vol)");
      }
    }
    return PLAIN.stream().noneMatch(plain -> driver == hdf5.driver(plain))
        || (driver == hdf5.driver(CORE) && hasImageCallbacks(accessList));
  }

  /** Returns whether the driver of a list puts data of different kinds in different files. */
  public boolean isSplitting(long accessList) {
    return hdf5.call(Hdf5Function.P_GET_DRIVER, accessList) == hdf5.driver("multi");
  }

  private long defaultDriver() {
    if (defaultDriver == 0) {
      defaultDriver = hdf5.driver("sec2");
    }
    return defaultDriver;
  }

  /**
   * The settings of the core driver.
   *
   * @param kept whether the file is stored on disk too (a backing store)
   * @param image the first content of the file; 0 for none
   * @param imageBytes the length of the image, which is a copy that the caller frees
   */
  public record Core(boolean kept, long image, long imageBytes) {
    /** Returns whether a list has the image of a file. */
    public boolean hasImage() {
      return imageBytes > 0;
    }
  }

  /**
   * Returns the settings of the core driver, if an access property list has it.
   *
   * @param accessList the list
   * @param withImage whether a file image of the list is needed
   */
  public Optional<Core> core(long accessList, boolean withImage) {
    long driver = hdf5.call(Hdf5Function.P_GET_DRIVER, accessList);
    if (driver <= 0 || driver == defaultDriver() || driver != hdf5.driver(CORE)) {
      return Optional.empty();
    }
    long out = hdf5.scratch().address();
    RawMemory.setLong(out, 0);
    RawMemory.setLong(out + 8, 0);
    RawMemory.setLong(out + 16, 0);
    hdf5.checked(Hdf5Function.P_GET_CORE, accessList, out + 16, out);
    boolean kept = RawMemory.getBool(out);
    if (!withImage) {
      return Optional.of(new Core(kept, 0, 0));
    }
    RawMemory.setLong(out, 0);
    hdf5.checked(Hdf5Function.P_GET_IMAGE, accessList, out, out + 8);
    return Optional.of(new Core(kept, RawMemory.getLong(out), RawMemory.getLong(out + 8)));
  }

  /**
   * Returns whether a list has functions of the program for the memory of a file ({@code
   * H5Pset_file_image_callbacks}).
   */
  private boolean hasImageCallbacks(long accessList) {
    if (!hdf5.has(Hdf5Function.P_PEEK)) {
      return false;
    }
    MemorySegment memory = hdf5.scratch();
    long info = memory.address();
    memory.setString(IMAGE_INFO_BYTES, "file_image_info");
    long list = hdf5.call(Hdf5Function.I_OBJECT, accessList);
    hdf5.checked(Hdf5Function.P_PEEK, list, info + IMAGE_INFO_BYTES, info);
    boolean any = false;
    for (int at = IMAGE_CALLBACKS; at < IMAGE_CALLBACKS_END; at += 8) {
      any |= RawMemory.getLong(info + at) != 0;
    }
    return any;
  }

  /** Frees the image of the settings of a core driver. */
  public void free(Core core) {
    if (core.image != 0) {
      hdf5.call(Hdf5Function.FREE, core.image);
    }
  }

  /** Fails, as libhdf5 does, if a user block is no multiple of the alignment or of pages. */
  public void requireAligned(long creationList, long accessList) {
    long userBlock = hdf5.longOf(Hdf5Function.P_GET_USER_BLOCK, creationList);
    long out = hdf5.scratch().address();
    hdf5.checked(Hdf5Function.P_GET_ALIGNMENT, accessList, out, out + 8);
    long asked = RawMemory.getLong(out + 8);
    SpaceStrategy strategy = strategy(creationList);
    long alignment = strategy.kind() == SpaceStrategy.Kind.PAGE ? strategy.pageBytes() : asked;
    if (userBlock > 0 && alignment > 1 && userBlock % alignment != 0) {
      throw new InvalidUseException(
          "user block: actual="
              + userBlock
              + " bytes, expected=a multiple of "
              + alignment
              + ", the alignment (H5Pset_alignment) or the size of pages");
    }
  }

  /** Fails, as libhdf5 does, if a page buffer is wanted for a new file that has no such pages. */
  public void requirePages(long creationList, long accessList) {
    if (!hasPageBuffer(accessList)) {
      return;
    }
    SpaceStrategy strategy = strategy(creationList);
    long size = pageBuffer(accessList)[0];
    if (strategy.kind() != SpaceStrategy.Kind.PAGE || size < strategy.pageBytes()) {
      throw new InvalidUseException(
          "page buffer: actual="
              + size
              + " bytes for a file of strategy "
              + strategy.kind()
              + ", expected=strategy PAGE, and at least one page of "
              + strategy.pageBytes()
              + " bytes");
    }
  }

  /** Returns whether a list has a page buffer. */
  public boolean hasPageBuffer(long accessList) {
    return pageBuffer(accessList)[0] > 0;
  }

  /** Returns the size of the page buffer, and the least percentages of metadata and raw data. */
  private long[] pageBuffer(long accessList) {
    long out = hdf5.scratch().address();
    RawMemory.setLong(out, 0);
    RawMemory.setLong(out + 8, 0);
    hdf5.checked(Hdf5Function.P_GET_PAGE_BUFFER, accessList, out, out + 8, out + 12);
    return new long[] {
      RawMemory.getLong(out), RawMemory.getInt(out + 8), RawMemory.getInt(out + 12)
    };
  }

  /** Sets the page buffer of an open file as libhdf5 does: whole pages, none without pages. */
  public void settlePageBuffer(long accessList, SpaceStrategy strategy) {
    long[] wanted = pageBuffer(accessList);
    long page = strategy.pageBytes();
    long size =
        strategy.kind() == SpaceStrategy.Kind.PAGE ? Math.max(1, wanted[0] / page) * page : 0;
    hdf5.checked(Hdf5Function.P_SET_PAGE_BUFFER, accessList, size, wanted[1], wanted[2]);
  }

  /** Returns the creation properties of a list. */
  public CreateOptions creation(long creationList, boolean exclusive, OpenOptions access) {
    if (hdf5.intOf(Hdf5Function.P_GET_SHARED_INDEXES, creationList) > 0) {
      throw new UnsupportedFeatureException(
          "shared object header messages: actual=requested, expected=none; this connector reads "
              + "such files but does not create them");
    }
    long userBlock = hdf5.longOf(Hdf5Function.P_GET_USER_BLOCK, creationList);
    long out = hdf5.scratch().address();
    hdf5.checked(Hdf5Function.P_GET_SIZES, creationList, out, out + 8);
    int offsets = (int) RawMemory.getLong(out);
    int lengths = (int) RawMemory.getLong(out + 8);
    int[] symbols = hdf5.intsOf(Hdf5Function.P_GET_SYM_K, creationList);
    int chunks = hdf5.intOf(Hdf5Function.P_GET_CHUNK_K, creationList);
    GroupOptions root = properties.group(creationList);
    return CreateOptions.builder()
        .exclusive(exclusive)
        .userBlockBytes(userBlock)
        .sizeOfOffsets(offsets)
        .sizeOfLengths(lengths)
        .symbolLeafK(symbols[1] & 0xFFFF)
        .symbolInternalK(symbols[0])
        .chunkInternalK(chunks)
        .root(root)
        .space(strategy(creationList))
        .access(access)
        .build();
  }

  private SpaceStrategy strategy(long list) {
    long out = hdf5.scratch().address();
    RawMemory.setLong(out, 0);
    RawMemory.setLong(out + 8, 0);
    hdf5.checked(Hdf5Function.P_GET_SPACE_STRATEGY, list, out, out + 8, out + 16);
    int kind = RawMemory.getInt(out);
    boolean persist = RawMemory.getBool(out + 8);
    long threshold = RawMemory.getLong(out + 16);
    long page = hdf5.longOf(Hdf5Function.P_GET_SPACE_PAGE, list);
    return new SpaceStrategy(SpaceStrategy.Kind.values()[kind], persist, threshold, page);
  }
}
