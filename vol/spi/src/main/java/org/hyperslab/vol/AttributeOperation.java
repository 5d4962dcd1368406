package org.hyperslab.vol;

import java.util.Optional;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.type.CharacterSet;
import org.hyperslab.format.type.DataBuffer;
import org.hyperslab.format.type.Datatype;
import org.hyperslab.model.AttributeInfo;
import org.hyperslab.model.Page;
import org.hyperslab.model.PageRequest;

/**
 * Operations on attributes. An attribute is named by its object and its name.
 *
 * @param <R> the type of the result
 */
public sealed interface AttributeOperation<R> extends Operation<R> {

  /**
   * Creates an attribute; its elements read as zeros until written. AlreadyExistsException if it
   * exists.
   *
   * @param object the place of the object that has the attribute
   * @param name the attribute's name
   * @param spec the properties of the attribute
   */
  record Create(Location object, String name, Spec spec) implements AttributeOperation<Void>, Edit {
    @Override
    public Handle subject() {
      return object.base();
    }
  }

  /**
   * Returns the current properties of the attribute.
   *
   * @param object the place of the object that has the attribute
   * @param name the attribute's name
   */
  record Describe(Location object, String name) implements AttributeOperation<AttributeInfo> {
    @Override
    public Handle subject() {
      return object.base();
    }
  }

  /**
   * Lists a page of an object's attributes. InvalidUseException if creation order is asked for, not
   * tracked, and {@code orStored} is false.
   *
   * @param object the place of the object that has the attribute
   * @param page the page to list
   * @param orStored whether attributes whose creation order is not tracked are listed in the order
   *     in which they are stored, if creation order is asked for, and may have a creation order
   *     that is their place; a connector that does not know it lists them by name
   */
  record ListAttributes(Location object, PageRequest page, boolean orStored)
      implements AttributeOperation<Page<AttributeInfo>> {

    /**
     * Lists by name, or in a creation order that is tracked.
     *
     * @param object the place of the object that has the attribute
     * @param page the page to list
     */
    public ListAttributes(Location object, PageRequest page) {
      this(object, page, false);
    }

    @Override
    public Handle subject() {
      return object.base();
    }
  }

  /**
   * Returns whether the object has an attribute of that name.
   *
   * @param object the place of the object that has the attribute
   * @param name the attribute's name
   */
  record Exists(Location object, String name) implements AttributeOperation<Boolean> {
    @Override
    public Handle subject() {
      return object.base();
    }
  }

  /**
   * Reads all elements, in row-major order, converting them.
   *
   * @param object the place of the object that has the attribute
   * @param name the attribute's name
   * @param memoryType the datatype of the elements in memory
   * @param target receives the elements, in memory form
   */
  record Read(Location object, String name, Datatype memoryType, DataBuffer target)
      implements AttributeOperation<Void> {
    @Override
    public Handle subject() {
      return object.base();
    }
  }

  /**
   * Writes all elements, in row-major order, converting them.
   *
   * @param object the place of the object that has the attribute
   * @param name the attribute's name
   * @param memoryType the datatype of the elements in memory
   * @param source the elements to write, in memory form
   */
  record Write(Location object, String name, Datatype memoryType, DataBuffer source)
      implements AttributeOperation<Void>, Edit {
    @Override
    public Handle subject() {
      return object.base();
    }
  }

  /**
   * Creates an attribute with its elements, in row-major order, converting them; or replaces one of
   * that name, whatever its type and extent. The result is its properties. The change is atomic:
   * other readers, a file after a crash and a caller whose operation was refused see either the old
   * attribute or the new one.
   *
   * @param object the place of the object that has the attribute
   * @param name the attribute's name
   * @param spec the properties of the attribute
   * @param replace whether one of that name is replaced; AlreadyExistsException otherwise
   * @param content as many elements as the extent has
   */
  record Set(Location object, String name, Spec spec, boolean replace, Content content)
      implements AttributeOperation<AttributeInfo>, Edit {
    @Override
    public Handle subject() {
      return object.base();
    }
  }

  /**
   * Renames an attribute. AlreadyExistsException if {@code to} exists.
   *
   * @param object the place of the object that has the attribute
   * @param from the present name
   * @param to the new name
   */
  record Rename(Location object, String from, String to) implements AttributeOperation<Void>, Edit {
    @Override
    public Handle subject() {
      return object.base();
    }
  }

  /**
   * Deletes an attribute.
   *
   * @param object the place of the object that has the attribute
   * @param name the attribute's name
   */
  record Delete(Location object, String name) implements AttributeOperation<Void>, Edit {
    @Override
    public Handle subject() {
      return object.base();
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
   * The properties with which an attribute is created.
   *
   * @param type the type of its elements as stored
   * @param committedType the handle of a committed type that it shares, which {@code type} equals
   * @param space its extent
   * @param charset the character set of its name
   */
  record Spec(
      Datatype type, Optional<Handle> committedType, Dataspace space, CharacterSet charset) {}
}
