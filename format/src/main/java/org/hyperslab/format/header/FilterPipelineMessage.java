package org.hyperslab.format.header;

import java.util.ArrayList;
import java.util.List;
import org.hyperslab.error.UnsupportedFeatureException;
import org.hyperslab.format.filter.FilterRegistry;
import org.hyperslab.format.filter.FilterStage;
import org.hyperslab.format.io.MetadataReader;
import org.hyperslab.format.io.MetadataWriter;
import org.hyperslab.format.io.NameBytes;

/**
 * The filter pipeline message: the filters applied to chunks when they are written, in that order.
 *
 * <pre>
 *   version 1                                version 2
 *   1  version                               1  version
 *   1  number of filters                     1  number of filters
 *   6  reserved                                 per filter:
 *      per filter:                           2  id
 *   2  id                                    2  name length       (id of 256 and above)
 *   2  name length, a multiple of 8          2  flags: bit 0 optional
 *   2  flags: bit 0 optional                 2  number of parameters
 *   2  number of parameters                     name              (id of 256 and above)
 *      name, NUL-terminated and padded       4  each parameter
 *   4  each parameter
 *   4  padding if their number is odd
 * </pre>
 *
 * <p>Source: HDF5 File Format Specification, IV.A.2.l; reference {@code H5Opline.c}.
 *
 * @param version 1 or 2
 * @param filters the filters; the first is applied first when writing
 */
public record FilterPipelineMessage(int version, List<Filter> filters) implements Message {

  private static final int MAXIMUM_FILTERS = 32;
  private static final int FIRST_REGISTERED = 256;
  private static final int OPTIONAL = 1;

  /**
   * A filter of the pipeline.
   *
   * @param id the registered number
   * @param flags bit 0 is set if a chunk that the filter cannot encode is stored without it
   * @param name the name; empty if none is stored
   * @param parameters the client data, each value an unsigned 32-bit number
   */
  public record Filter(int id, int flags, String name, List<Integer> parameters) {

    /** Copies the list. */
    public Filter {
      parameters = List.copyOf(parameters);
    }

    /** {@return whether a chunk that the filter cannot encode is stored without it} */
    public boolean optional() {
      return (flags & OPTIONAL) != 0;
    }
  }

  /** Copies the list. */
  public FilterPipelineMessage {
    filters = List.copyOf(filters);
  }

  /**
   * {@return the message for the filters that a user chose, in the version for that generation} A
   * filter without a name gets its registered name, which the HDF5 library relies on when it copies
   * the message.
   *
   * @param stages the stages, in the order of encoding
   * @param low the lower version bound
   */
  public static FilterPipelineMessage of(List<FilterStage> stages, LibraryVersion low) {
    List<Filter> filters = new ArrayList<>(stages.size());
    for (FilterStage stage : stages) {
      int flags = stage.optional() ? OPTIONAL : 0;
      String name =
          stage.name().isEmpty() ? FilterRegistry.standard().nameOf(stage.id()) : stage.name();
      filters.add(new Filter(stage.id(), flags, name, stage.clientData()));
    }
    return new FilterPipelineMessage(low.filterPipeline(), filters);
  }

  /** {@return the filters as stages of a pipeline} */
  public List<FilterStage> stages() {
    List<FilterStage> stages = new ArrayList<>(filters.size());
    for (Filter filter : filters) {
      stages.add(
          new FilterStage(filter.id(), filter.optional(), filter.name(), filter.parameters()));
    }
    return stages;
  }

  @Override
  public int typeCode() {
    return MessageType.FILTER_PIPELINE.code();
  }

  /**
   * Decodes the payload.
   *
   * @param reader reads the bytes, from its position
   * @return the message
   */
  public static FilterPipelineMessage decode(MetadataReader reader) {
    int version = reader.u8();
    if (version != 1 && version != 2) {
      throw new UnsupportedFeatureException(
          "filter pipeline message version: actual="
              + version
              + ", expected=1 or 2, at="
              + reader.geometry().file());
    }
    int count = reader.u8();
    if (count > MAXIMUM_FILTERS) {
      throw reader.corrupt("filters actual=" + count + ", expected=0.." + MAXIMUM_FILTERS);
    }
    if (version == 1) {
      reader.skip(6);
    }
    List<Filter> filters = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      filters.add(decodeFilter(reader, version));
    }
    return new FilterPipelineMessage(version, filters);
  }

  private static Filter decodeFilter(MetadataReader reader, int version) {
    int id = reader.u16();
    boolean named = version == 1 || id >= FIRST_REGISTERED;
    int nameLength = named ? reader.u16() : 0;
    int flags = reader.u16();
    int count = reader.u16();
    if (version == 1 && nameLength % 8 != 0) {
      throw reader.corrupt("name length actual=" + nameLength + ", expected=a multiple of 8");
    }
    String name = nameLength == 0 ? "" : reader.text(nameLength);
    if (count > reader.remaining() / 4) {
      throw reader.corrupt(
          "parameters actual=" + count + ", expected=at most " + reader.remaining() / 4);
    }
    List<Integer> parameters = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      parameters.add(reader.i32());
    }
    if (version == 1 && count % 2 == 1) {
      reader.skip(4);
    }
    return new Filter(id, flags, name, parameters);
  }

  @Override
  public void encode(MetadataWriter writer) {
    writer.u8(version).u8(filters.size());
    if (version == 1) {
      writer.zeros(6);
    }
    for (Filter filter : filters) {
      encodeFilter(writer, filter);
    }
  }

  private void encodeFilter(MetadataWriter writer, Filter filter) {
    byte[] name = NameBytes.encode(filter.name);
    int nameLength = name.length == 0 ? 0 : name.length + 1;
    if (version == 1) {
      nameLength = (nameLength + 7) & ~7;
    }
    writer.u16(filter.id);
    boolean named = version == 1 || filter.id >= FIRST_REGISTERED;
    if (named) {
      writer.u16(nameLength);
    }
    writer.u16(filter.flags).u16(filter.parameters.size());
    if (named && nameLength > 0) {
      writer.bytes(name).zeros(nameLength - name.length);
    }
    for (int parameter : filter.parameters) {
      writer.u32(parameter);
    }
    if (version == 1 && filter.parameters.size() % 2 == 1) {
      writer.zeros(4);
    }
  }
}
