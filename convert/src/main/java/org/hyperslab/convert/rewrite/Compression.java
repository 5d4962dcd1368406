package org.hyperslab.convert.rewrite;

import java.util.ArrayList;
import java.util.List;
import org.hyperslab.convert.model.Boxes;
import org.hyperslab.convert.model.GroupNode;
import org.hyperslab.convert.model.Variable;
import org.hyperslab.convert.model.Variable.Traits;
import org.hyperslab.model.FilterSpec;

/**
 * Gives the variables of a tree chunks that are compressed with shuffle and deflate, in place of
 * their filters; checksums stay. Scalars, empty variables and elements of variable length are left
 * as they are.
 *
 * <p>Thread rule: stateless.
 */
public final class Compression {

  private static final int FLETCHER32 = FilterSpec.fletcher32().id();

  /** The size of a chunk of a variable that had none, in bytes. */
  private static final long CHUNK_BYTES = 1 << 20;

  private Compression() {}

  /**
   * Rewrites the variables of a group and of all below it.
   *
   * @param group the group
   * @param level the level of deflate, 0 to 9
   */
  public static void apply(GroupNode group, int level) {
    group.variables().replaceAll(variable -> compressed(variable, level));
    group.groups().forEach(child -> apply(child, level));
  }

  private static Variable compressed(Variable variable, int level) {
    Traits traits = variable.traits();
    boolean isEmpty = variable.space().elementCount() == 0 && traits.chunk().isEmpty();
    if (variable.space().rank() == 0 || isEmpty || variable.type().hasOutOfLineParts()) {
      return variable;
    }
    if (traits.chunk().isEmpty()) {
      long most = Math.max(1, CHUNK_BYTES / variable.type().memorySize());
      traits = traits.withChunk(Boxes.rows(variable.space().dims(), most));
    }
    List<FilterSpec> filters = new ArrayList<>();
    if (variable.type().memorySize() > 1) {
      filters.add(FilterSpec.shuffle());
    }
    filters.add(FilterSpec.deflate(level));
    variable.traits().filters().stream().filter(f -> f.id() == FLETCHER32).forEach(filters::add);
    return new Variable(
        variable.path(),
        variable.type(),
        variable.space(),
        traits.withFilters(filters),
        variable.elements());
  }
}
