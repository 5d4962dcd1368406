package org.hyperslab.vol;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Finds the handles that an operation names, by which pass-through connectors and remote clients
 * order operations.
 */
final class OperationHandles {

  private OperationHandles() {}

  static Optional<Handle> opened(Operation<?> operation) {
    return switch (operation) {
      case FileOperation.Open o -> Optional.of(o.file());
      case FileOperation.Create o -> Optional.of(o.file());
      case GroupOperation.Create o -> Optional.of(o.group());
      case DatasetOperation.Create o -> Optional.of(o.dataset());
      case TypeOperation.Commit o -> Optional.of(o.type());
      case ObjectOperation.Open o -> Optional.of(o.object());
      case ObjectOperation.OpenToken o -> Optional.of(o.object());
      default -> Optional.empty();
    };
  }

  static List<Handle> used(Operation<?> operation) {
    List<Handle> used = new ArrayList<>(2);
    used.add(operation.subject());
    switch (operation) {
      case LinkOperation.CreateHard o -> used.add(o.target().base());
      case LinkOperation.Move o -> used.add(o.to().base());
      case LinkOperation.Copy o -> used.add(o.to().base());
      case ObjectOperation.Copy o -> used.add(o.source().base());
      case DatasetOperation.Create o -> o.spec().committedType().ifPresent(used::add);
      case DatasetOperation.Multi o ->
          o.parts().stream().skip(1).map(Operation::subject).forEach(used::add);
      case AttributeOperation.Create o -> o.spec().committedType().ifPresent(used::add);
      case AttributeOperation.Set o -> o.spec().committedType().ifPresent(used::add);
      default -> {}
    }
    return used;
  }
}
