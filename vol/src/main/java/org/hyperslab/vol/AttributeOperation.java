package org.hyperslab.vol;

import java.util.Optional;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.type.CharacterSet;
import org.hyperslab.format.type.DataBuffer;
import org.hyperslab.format.type.Datatype;
import org.hyperslab.model.AttributeInfo;
import org.hyperslab.model.Page;
import org.hyperslab.model.PageRequest;

/** Operations on attributes. An attribute is named by its object and its name. */
public sealed interface AttributeOperation<R> extends Operation<R> {

  /**
   * Creates an attribute; its elements read as zeros until written. AlreadyExistsException if it
   * exists.
   */
  record Create(Location object, String name, Spec spec) implements AttributeOperation<Void> {
    @Override
    public Handle subject() {
      return object.base();
    }

    @Override
    public boolean edits() {
      return true;
    }
  }

  /** What the attribute is like. */
  record Describe(Location object, String name) implements AttributeOperation<AttributeInfo> {
    @Override
    public Handle subject() {
      return object.base();
    }
  }

  /**
   * A page of an object's attributes. InvalidUseException if creation order is asked for and not
   * tracked.
   */
  record ListAttributes(Location object, PageRequest page)
      implements AttributeOperation<Page<AttributeInfo>> {
    @Override
    public Handle subject() {
      return object.base();
    }
  }

  /** Whether the object has an attribute of that name. */
  record Exists(Location object, String name) implements AttributeOperation<Boolean> {
    @Override
    public Handle subject() {
      return object.base();
    }
  }

  /** Reads all elements, in row-major order, converting them. */
  record Read(Location object, String name, Datatype memoryType, DataBuffer target)
      implements AttributeOperation<Void> {
    @Override
    public Handle subject() {
      return object.base();
    }
  }

  /** Writes all elements, in row-major order, converting them. */
  record Write(Location object, String name, Datatype memoryType, DataBuffer source)
      implements AttributeOperation<Void> {
    @Override
    public Handle subject() {
      return object.base();
    }

    @Override
    public boolean edits() {
      return true;
    }
  }

  /**
   * Creates an attribute with its elements, in row-major order, converting them; or replaces one of
   * that name, whatever its type and extent. The result is what it is like. One step: others see
   * the attribute as it was before or as it is after, also after a crash, and so does a caller
   * whose operation was refused.
   *
   * @param spec what it is stored as
   * @param replace whether one of that name is replaced; AlreadyExistsException otherwise
   * @param content as many elements as the extent has
   */
  record Set(Location object, String name, Spec spec, boolean replace, Content content)
      implements AttributeOperation<AttributeInfo> {
    @Override
    public Handle subject() {
      return object.base();
    }

    @Override
    public boolean edits() {
      return true;
    }
  }

  /** Renames an attribute. AlreadyExistsException if {@code to} exists. */
  record Rename(Location object, String from, String to) implements AttributeOperation<Void> {
    @Override
    public Handle subject() {
      return object.base();
    }

    @Override
    public boolean edits() {
      return true;
    }
  }

  /** Deletes an attribute. */
  record Delete(Location object, String name) implements AttributeOperation<Void> {
    @Override
    public Handle subject() {
      return object.base();
    }

    @Override
    public boolean edits() {
      return true;
    }
  }

  /**
   * Elements in memory.
   *
   * @param memoryType their type, in its memory form
   * @param source the elements
   */
  record Content(Datatype memoryType, DataBuffer source) {}

  /**
   * What an attribute is created as.
   *
   * @param type the type of its elements as stored
   * @param committedType the handle of a committed type that it shares, which {@code type} equals
   * @param space its extent
   * @param charset the character set of its name
   */
  record Spec(
      Datatype type, Optional<Handle> committedType, Dataspace space, CharacterSet charset) {}
}
