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
 */
final class RecordAccess {

  private final Class<?> type;
  private final RecordComponent[] components;

  private RecordAccess(Class<?> type) {
    this.type = type;
    this.components = type.getRecordComponents();
  }

  static RecordAccess of(Class<?> type) {
    return new RecordAccess(type);
  }

  RecordComponent[] components() {
    return components;
  }

  Map<String, Object> toMap(Object record) {
    Map<String, Object> map = new LinkedHashMap<>();
    for (RecordComponent component : components) {
      try {
        Method accessor = component.getAccessor();
        accessor.setAccessible(true);
        map.put(component.getName(), accessor.invoke(record));
      } catch (InvocationTargetException thrown) {
        throw failed("accessor " + component.getName(), thrown);
      } catch (ReflectiveOperationException | InaccessibleObjectException refused) {
        throw inaccessible(refused);
      }
    }
    return map;
  }

  /** Creates a record from its components' values, which must have the right classes. */
  Object make(Object[] values) {
    Class<?>[] classes = new Class<?>[components.length];
    for (int i = 0; i < classes.length; i++) {
      classes[i] = components[i].getType();
    }
    try {
      Constructor<?> constructor = type.getDeclaredConstructor(classes);
      constructor.setAccessible(true);
      return constructor.newInstance(values);
    } catch (InvocationTargetException thrown) {
      throw failed("constructor", thrown);
    } catch (ReflectiveOperationException | InaccessibleObjectException refused) {
      throw inaccessible(refused);
    }
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
