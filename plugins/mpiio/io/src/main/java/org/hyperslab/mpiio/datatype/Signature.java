package org.hyperslab.mpiio.datatype;

import java.util.ArrayList;
import java.util.List;
import java.util.function.ToLongFunction;

/**
 * The type signature of a datatype: the elementary types of its packed bytes, in order, in
 * compressed form. Counts are elements. Immutable.
 */
public sealed interface Signature {

  /** The signature of nothing. */
  Signature EMPTY = new Sequence(List.of());

  /** {@return the number of elementary elements} */
  long elements();

  /**
   * {@return the bytes of all elements, given those of each type}
   *
   * @param sizeOf the size of an element of each elementary type, in bytes
   */
  long bytes(ToLongFunction<ElementaryType> sizeOf);

  /**
   * Passes the elements, in order, as runs of one type to a consumer; neighbouring runs may have
   * the same type.
   *
   * @param consumer receives each run
   */
  void forEach(RunConsumer consumer);

  /** Receives runs of elements of one type. */
  @FunctionalInterface
  interface RunConsumer {
    /**
     * Receives {@code count} elements of a type.
     *
     * @param type the elementary type
     * @param count the number of elements or copies
     */
    void accept(ElementaryType type, long count);
  }

  /** {@return the bytes of all elements in memory} */
  default long bytes() {
    return bytes(ElementaryType::bytes);
  }

  /**
   * {@return whether every element is of this type}
   *
   * @param type the elementary type
   */
  default boolean isOnly(ElementaryType type) {
    return switch (this) {
      case Uniform u -> u.type == type;
      case Sequence s -> s.parts.stream().allMatch(p -> p.isOnly(type));
      case Times t -> t.part.isOnly(type);
    };
  }

  /**
   * {@return {@code count} times this signature}
   *
   * @param count the number of elements or copies
   */
  default Signature times(long count) {
    if (count == 0 || elements() == 0) {
      return EMPTY;
    }
    if (count == 1) {
      return this;
    }
    return switch (this) {
      case Uniform u -> new Uniform(u.type, Math.multiplyExact(u.elements, count));
      case Times t -> new Times(t.part, Math.multiplyExact(t.count, count));
      case Sequence s -> new Times(s, count);
    };
  }

  /**
   * {@return one element of a type}
   *
   * @param type the elementary type
   */
  static Signature of(ElementaryType type) {
    return new Uniform(type, 1);
  }

  /**
   * {@return the concatenation of signatures}
   *
   * @param all the signatures, in order
   */
  static Signature joined(List<Signature> all) {
    List<Signature> parts = new ArrayList<>();
    for (Signature next : all) {
      if (next.elements() == 0) {
        continue;
      }
      boolean merges =
          !parts.isEmpty()
              && parts.getLast() instanceof Uniform last
              && next instanceof Uniform u
              && u.type == last.type;
      if (merges) {
        Uniform last = (Uniform) parts.removeLast();
        parts.add(new Uniform(last.type, Math.addExact(last.elements, next.elements())));
      } else {
        parts.add(next);
      }
    }
    return parts.size() == 1 ? parts.getFirst() : new Sequence(parts);
  }

  /**
   * {@return the number of whole elements in the first bytes of endless repetitions of this
   * signature, which {@code MPI_Get_elements} counts}
   *
   * @param packedBytes bytes in memory order
   */
  default long elementsIn(long packedBytes) {
    long each = bytes();
    if (each == 0) {
      return 0;
    }
    long whole = packedBytes / each;
    Counter counter = new Counter(packedBytes % each);
    forEach(counter);
    return Math.multiplyExact(whole, elements()) + counter.elements;
  }

  /**
   * Elements of one type.
   *
   * @param type the elementary type
   * @param elements the number of elements
   */
  record Uniform(ElementaryType type, long elements) implements Signature {
    @Override
    public long bytes(ToLongFunction<ElementaryType> sizeOf) {
      return Math.multiplyExact(elements, sizeOf.applyAsLong(type));
    }

    @Override
    public void forEach(RunConsumer consumer) {
      consumer.accept(type, elements);
    }
  }

  /**
   * A concatenation of signatures.
   *
   * @param parts the signatures, in order
   */
  record Sequence(List<Signature> parts) implements Signature {
    /** Keeps a copy of the list. */
    public Sequence {
      parts = List.copyOf(parts);
    }

    @Override
    public long elements() {
      return parts.stream().mapToLong(Signature::elements).reduce(0, Math::addExact);
    }

    @Override
    public long bytes(ToLongFunction<ElementaryType> sizeOf) {
      return parts.stream().mapToLong(p -> p.bytes(sizeOf)).reduce(0, Math::addExact);
    }

    @Override
    public void forEach(RunConsumer consumer) {
      parts.forEach(p -> p.forEach(consumer));
    }
  }

  /**
   * The same signature several times.
   *
   * @param part the signature to repeat
   * @param count the number of elements or copies
   */
  record Times(Signature part, long count) implements Signature {
    @Override
    public long elements() {
      return Math.multiplyExact(part.elements(), count);
    }

    @Override
    public long bytes(ToLongFunction<ElementaryType> sizeOf) {
      return Math.multiplyExact(part.bytes(sizeOf), count);
    }

    @Override
    public void forEach(RunConsumer consumer) {
      for (long i = 0; i < count; i++) {
        part.forEach(consumer);
      }
    }
  }

  /** Counts the whole elements in a number of bytes. */
  final class Counter implements RunConsumer {
    private long rest;
    private long elements;

    Counter(long bytes) {
      this.rest = bytes;
    }

    @Override
    public void accept(ElementaryType type, long count) {
      long fitting = Math.min(count, rest / type.bytes());
      elements += fitting;
      rest = fitting < count ? 0 : rest - fitting * type.bytes();
    }
  }
}
