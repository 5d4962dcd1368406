package org.hyperslab.plugins.nativevol;

import java.util.List;
import org.hyperslab.model.AttributeInfo;
import org.hyperslab.model.Page;
import org.hyperslab.model.PageRequest;
import org.hyperslab.plugins.nativevol.attribute.Attributes;
import org.hyperslab.plugins.nativevol.object.FileObjects;
import org.hyperslab.vol.AttributeOperation;

/**
 * Carries out operations on attributes.
 *
 * <p>Thread rule: any thread.
 */
final class AttributeHandler {

  private final Locator locator;
  private final HandleBinder binder;

  AttributeHandler(Locator locator, HandleBinder binder) {
    this.locator = locator;
    this.binder = binder;
  }

  /** Carries out an operation and returns its result, or null if it has none. */
  Object execute(AttributeOperation<?> operation) {
    return switch (operation) {
      case AttributeOperation.Create create -> create(create);
      case AttributeOperation.Describe describe ->
          locator.read(
              describe.object(),
              (objects, address) -> objects.attributes().describe(address, describe.name()));
      case AttributeOperation.ListAttributes list ->
          locator.read(list.object(), (objects, address) -> list(objects, address, list));
      case AttributeOperation.Exists exists ->
          locator.read(
              exists.object(),
              (objects, address) -> objects.attributes().exists(address, exists.name()));
      case AttributeOperation.Read read ->
          locator.read(
              read.object(),
              (objects, address) -> {
                objects.attributes().read(address, read.name(), read.memoryType(), read.target());
                return null;
              });
      case AttributeOperation.Write write ->
          locator.edit(
              write.object(),
              (objects, address) -> {
                objects
                    .attributes()
                    .write(address, write.name(), write.memoryType(), write.source());
                return null;
              });
      case AttributeOperation.Set set -> set(set);
      case AttributeOperation.Rename rename ->
          locator.edit(
              rename.object(),
              (objects, address) -> {
                objects.attributes().rename(address, rename.from(), rename.to());
                return null;
              });
      case AttributeOperation.Delete delete ->
          locator.edit(
              delete.object(),
              (objects, address) -> {
                objects.attributes().delete(address, delete.name());
                return null;
              });
    };
  }

  private Object create(AttributeOperation.Create create) {
    return locator.edit(
        create.object(),
        (objects, address) -> {
          objects.attributes().create(address, spec(create.name(), create.spec(), objects));
          return null;
        });
  }

  private Object set(AttributeOperation.Set set) {
    return locator.edit(
        set.object(),
        (objects, address) -> {
          Attributes attributes = objects.attributes();
          attributes.set(
              address,
              spec(set.name(), set.spec(), objects),
              set.replace(),
              new Attributes.Content(set.content().memoryType(), set.content().source()));
          return attributes.describe(address, set.name());
        });
  }

  private Attributes.Spec spec(String name, AttributeOperation.Spec spec, FileObjects objects) {
    return new Attributes.Spec(
        name,
        spec.charset(),
        spec.type(),
        binder.committedType(spec.committedType(), objects),
        spec.space());
  }

  private static Page<AttributeInfo> list(
      FileObjects objects, long address, AttributeOperation.ListAttributes list) {
    PageRequest page = list.page();
    PageRequest oneMore =
        page.limit() == Integer.MAX_VALUE
            ? page
            : new PageRequest(page.index(), page.descending(), page.position(), page.limit() + 1);
    List<AttributeInfo> found = objects.attributes().list(address, oneMore, list.orStored());
    boolean last = found.size() <= page.limit();
    return new Page<>(last ? found : found.subList(0, page.limit()), last);
  }
}
