package org.hyperslab.format.type.value;

import java.lang.reflect.Constructor;
import java.lang.reflect.InaccessibleObjectException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.util.LinkedHashMap;
import java.util.Map;
import org.hyperslab.error.InvalidUseException;

/**
 * Reads and creates Java records by component name. Records in a named module must be in a package
 * that is open or exported to {@code org.hyperslab.format}.
 *
 * <p>Thread rule: any thread; what is found twice is the same.
 */
final class RecordAccess {

  private final Class<?> type;
  private final RecordComponent[] components;
  private final Class<?>[] classes;

  /** Found when first used, because a program may only read records, or only write them. */
  private Constructor<?> constructor;

  private Method[] accessors;

  private RecordAccess(Class<?> type) {
    this.type = type;
    this.components = type.getRecordComponents();
    this.classes = new Class<?>[components.length];
    for (int i = 0; i < classes.length; i++) {
      classes[i] = components[i].getType();
    }
  }

  static RecordAccess of(Class<?> type) {
    return new RecordAccess(type);
  }

  /** Returns the class of the records. */
  Class<?> type() {
    return type;
  }

  RecordComponent[] components() {
    return components;
  }

  /** Returns the class of a component. */
  Class<?> classOf(int component) {
    return classes[component];
  }

  Map<String, Object> toMap(Object record) {
    Map<String, Object> map = new LinkedHashMap<>();
    for (int i = 0; i < components.length; i++) {
      map.put(components[i].getName(), value(record, i));
    }
    return map;
  }

  /** Returns the value of a component. */
  Object value(Object record, int component) {
    try {
      return accessors()[component].invoke(record);
    } catch (InvocationTargetException thrown) {
      throw failed("accessor " + components[component].getName(), thrown);
    } catch (ReflectiveOperationException | InaccessibleObjectException refused) {
      throw inaccessible(refused);
    }
  }

  private Method[] accessors() {
    Method[] known = accessors;
    if (known == null) {
      known = new Method[components.length];
      for (int i = 0; i < known.length; i++) {
        known[i] = components[i].getAccessor();
        known[i].setAccessible(true);
      }
      accessors = known;
    }
    return known;
  }

  /** Creates a record from its components' values, which must have the right classes. */
  Object make(Object[] values) {
    try {
      return constructor().newInstance(values);
    } catch (InvocationTargetException thrown) {
      throw failed("constructor", thrown);
    } catch (ReflectiveOperationException | InaccessibleObjectException refused) {
      throw inaccessible(refused);
    }
  }

  private Constructor<?> constructor() throws NoSuchMethodException {
    Constructor<?> known = constructor;
    if (known == null) {
      known = type.getDeclaredConstructor(classes);
      known.setAccessible(true);
      constructor = known;
    }
    return known;
  }

  /** Wraps an exception that the record's own code threw; errors are rethrown unchanged. */
  private InvalidUseException failed(String what, InvocationTargetException thrown) {
    Throwable own = thrown.getCause();
    if (own instanceof Error error) {
      throw error;
    }
    return new InvalidUseException(
        "record " + type.getName() + ": actual=its " + what + " threw " + own, own);
  }

  private InvalidUseException inaccessible(Exception refused) {
    return new InvalidUseException(
        "record "
            + type.getName()
            + ": actual not accessible, expected its package "
            + type.getPackageName()
            + " open to module org.hyperslab.format",
        refused);
  }
}
