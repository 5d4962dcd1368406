package org.hyperslab.testkit.memory;

import java.util.HashMap;
import java.util.Map;
import org.hyperslab.model.CreateOptions;
import org.hyperslab.model.ObjectToken;

/** One file in memory. Guarded by the connector's lock. */
final class MemoryFileState {

  final String name;
  final CreateOptions creation;
  final long number;
  final Map<ObjectToken, MemoryObject> objects = new HashMap<>();
  final MemoryObject root;
  int openCount;
  private long lastToken = 88;

  MemoryFileState(String name, CreateOptions creation, long number) {
    this.name = name;
    this.creation = creation;
    this.number = number;
    this.root = MemoryObject.group(this, creation.root());
    root.addReference();
  }

  ObjectToken nextToken() {
    lastToken += 8;
    return new ObjectToken(lastToken);
  }
}
