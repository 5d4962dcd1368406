package org.hyperslab.netcdf;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.model.FilterSpec;

/**
 * The storage options of a variable.
 *
 * @param chunks the shape of its chunks in elements, slowest dimension first; empty: chosen
 *     automatically, or contiguous storage if no option needs chunks
 * @param filters the filters, in the order of application on write
 * @param fill the value of elements that were never written; empty: netCDF's default for the type
 * @param noFill whether such elements are left undefined, which saves writing them
 */
public record VariableOptions(
    List<Long> chunks, List<FilterSpec> filters, Optional<Object> fill, boolean noFill) {

  /** The default options. */
  public static final VariableOptions DEFAULT =
      new VariableOptions(List.of(), List.of(), Optional.empty(), false);

  /** Copies the lists and checks the combination. */
  public VariableOptions {
    chunks = List.copyOf(chunks);
    filters = List.copyOf(filters);
    if (noFill && fill.isPresent()) {
      throw new InvalidUseException(
          "fill: actual=a value, and elements left undefined, expected=one of them");
    }
  }

  /**
   * Sets the shape of chunks.
   *
   * @param shape a length for each dimension, slowest first
   * @return these options with it
   */
  public VariableOptions withChunks(long... shape) {
    return new VariableOptions(Arrays.stream(shape).boxed().toList(), filters, fill, noFill);
  }

  /**
   * Adds compression with deflate, after the existing filters.
   *
   * @param level 0 to 9
   * @return these options with it
   * @throws InvalidUseException if there is no such level
   */
  public VariableOptions withDeflate(int level) {
    return withFilter(FilterSpec.deflate(level));
  }

  /**
   * Adds byte shuffle, which improves a compression that follows.
   *
   * @return these options with it
   */
  public VariableOptions withShuffle() {
    return withFilter(FilterSpec.shuffle());
  }

  /**
   * Adds a checksum to every chunk.
   *
   * @return these options with it
   */
  public VariableOptions withFletcher32() {
    return withFilter(FilterSpec.fletcher32());
  }

  /**
   * Adds any filter, such as {@code FilterSpec.zstd(3)}, which readers need as a plugin.
   *
   * @param filter the filter, applied after the existing ones
   * @return these options with it
   */
  public VariableOptions withFilter(FilterSpec filter) {
    List<FilterSpec> all = new ArrayList<>(filters);
    all.add(filter);
    return new VariableOptions(chunks, all, fill, noFill);
  }

  /**
   * Sets the fill value, which is also stored as the attribute {@code _FillValue}.
   *
   * @param value a value of the variable's type; for NC_CHAR one byte: a String of one character or
   *     none, a char or a byte
   * @return these options with it
   */
  public VariableOptions withFill(Object value) {
    return new VariableOptions(chunks, filters, Optional.of(value), noFill);
  }

  /**
   * Leaves elements that were never written undefined.
   *
   * @return these options without a fill value
   */
  public VariableOptions withoutFill() {
    return new VariableOptions(chunks, filters, Optional.empty(), true);
  }
}
