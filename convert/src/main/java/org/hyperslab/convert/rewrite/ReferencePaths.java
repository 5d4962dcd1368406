package org.hyperslab.convert.rewrite;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.hyperslab.convert.model.AttributeValue;
import org.hyperslab.convert.model.Boxes;
import org.hyperslab.convert.model.ConversionRun;
import org.hyperslab.convert.model.ElementReader;
import org.hyperslab.convert.model.GroupNode;
import org.hyperslab.convert.model.Variable;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.type.DataBuffer;
import org.hyperslab.format.type.Datatype;
import org.hyperslab.format.type.Datatypes;
import org.hyperslab.format.type.Reference;
import org.hyperslab.format.type.ReferenceKind;
import org.hyperslab.format.type.ReferenceType;
import org.hyperslab.format.type.VlenHeap;
import org.hyperslab.format.type.value.ElementCodec;

/**
 * Makes strings of object references, for formats that have none: the path of the object that a
 * reference leads to; a reference that was never written becomes an empty string. Programs that
 * follow references can follow paths, too, such as those of categories in files of anndata.
 *
 * <p>Not made strings are references to regions and attributes, references within other types, and
 * those that lead to nothing in the input; the target reports them.
 *
 * <p>Thread rule: stateless, but for {@link Paths}, which any thread may use.
 */
public final class ReferencePaths {

  private ReferencePaths() {}

  /**
   * Rewrites the attributes and variables of a group and of all below it, and notes that.
   *
   * @param root the root group
   * @param paths the paths of the objects of the input, by address
   * @param work receives the note, and a report of elements that lead to nothing
   */
  public static void apply(GroupNode root, Map<Long, String> paths, ConversionRun work) {
    List<String> changed = new ArrayList<>();
    root.all()
        .forEach(group -> {
          rewrite(group.attributes(), group.path(), paths, changed);
          group.variables().replaceAll(variable -> rewritten(variable, paths, changed, work));
        });
    if (!changed.isEmpty()) {
      int others = changed.size() - 1;
      work.note(
          "object references became texts with the paths of what they lead to: "
              + changed.getFirst()
              + (others == 0 ? "" : ", and " + others + " others"));
    }
  }

  private static boolean leadsToObjects(Datatype type) {
    return type instanceof ReferenceType reference
        && (reference.kind() == ReferenceKind.OBJECT || reference.kind() == ReferenceKind.OBJECT2);
  }

  private static void rewrite(
      List<AttributeValue> attributes, String path, Map<Long, String> paths, List<String> changed) {
    attributes.replaceAll(attribute -> {
      Optional<AttributeValue> text =
          leadsToObjects(attribute.type()) && attribute.space().kind() != Dataspace.Kind.NULL
              ? text(attribute, paths)
              : Optional.empty();
      text.ifPresent(_ -> changed.add("the attribute " + attribute.name() + " of " + path));
      return text.orElse(attribute);
    });
  }

  private static Optional<AttributeValue> text(AttributeValue attribute, Map<Long, String> paths) {
    long count = attribute.space().elementCount();
    DataBuffer texts = DataBuffer.allocate(Datatypes.vlenString(), count);
    for (long i = 0; i < count; i++) {
      Optional<String> path = path((Reference) attribute.element(i), paths);
      if (path.isEmpty()) {
        return Optional.empty();
      }
      texts.heap().putString(texts.elements(), i * VlenHeap.SLOT_BYTES, path.get());
    }
    return Optional.of(
        new AttributeValue(attribute.name(), Datatypes.vlenString(), attribute.space(), texts));
  }

  /** Returns the path of an object; empty if it is none of the input. */
  private static Optional<String> path(Reference reference, Map<Long, String> paths) {
    if (reference == null || reference.token() == 0) {
      return Optional.of("");
    }
    return reference instanceof Reference.ToObject object
        ? Optional.ofNullable(paths.get(object.token()))
        : Optional.empty();
  }

  private static Variable rewritten(
      Variable variable, Map<Long, String> paths, List<String> changed, ConversionRun work) {
    Variable.Traits traits = variable.traits();
    List<AttributeValue> attributes = new ArrayList<>(traits.attributes());
    rewrite(attributes, variable.path(), paths, changed);
    if (!leadsToObjects(variable.type()) || variable.space().kind() == Dataspace.Kind.NULL) {
      return new Variable(
          variable.path(),
          variable.type(),
          variable.space(),
          traits.withAttributes(attributes),
          variable.elements());
    }
    changed.add(variable.path());
    return new Variable(
        variable.path(),
        Datatypes.vlenString(),
        variable.space(),
        new Variable.Traits(
            traits.dimensions(), attributes, traits.chunk(), traits.filters(), Optional.empty()),
        new Paths(variable, paths, work, new AtomicInteger()));
  }

  /**
   * Reads references as paths.
   *
   * @param references the variable of references
   * @param paths the paths of objects, by address
   * @param work receives a report of references that lead to nothing
   * @param lost counts them; only the first is reported
   */
  private record Paths(
      Variable references, Map<Long, String> paths, ConversionRun work, AtomicInteger lost)
      implements ElementReader {

    @Override
    public void read(long[] start, long[] count, DataBuffer target) {
      Datatype memory = references.type().inMemory();
      long elements = Dataspace.product(count);
      DataBuffer read = DataBuffer.allocate(memory, elements);
      references.elements().read(start, count, read);
      ElementCodec codec = ElementCodec.of(memory);
      for (long i = 0; i < elements; i++) {
        Object element = codec.decode(read.elements(), i * memory.size(), read.heap());
        Optional<String> path = path((Reference) element, paths);
        if (path.isEmpty() && lost.getAndIncrement() == 0) {
          work.reportLoss("references that lead to no object of the input", references.path());
        }
        target.heap().putString(target.elements(), i * VlenHeap.SLOT_BYTES, path.orElse(""));
      }
    }

    @Override
    public long[] block(long[] dims, long most) {
      return references.elements().block(dims, most);
    }

    @Override
    public Optional<List<Boxes.Box>> stored() {
      return references.elements().stored();
    }
  }
}
