package org.hyperslab.plugins.forwarding.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeModel;
import java.lang.classfile.MethodModel;
import java.lang.classfile.Opcode;
import java.lang.classfile.instruction.InvokeDynamicInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.classfile.instruction.MonitorInstruction;
import java.lang.constant.DirectMethodHandleDesc;
import java.lang.reflect.AccessFlag;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.hyperslab.plugins.compacting.CompactingConnector;
import org.junit.jupiter.api.Test;

/**
 * Reads the bytecode of server, client and compactor: nothing waits for a stage, a thread or a
 * latch, and no operation is submitted, while a monitor or a lock is held. Submitting may wait for
 * a thread that needs the monitor to end another operation.
 *
 * <p>Calls are followed through all classes read here, and to all implementations of what is
 * called. What a lambda does is followed if a map calls it, which holds a lock meanwhile, and not
 * otherwise, for it is rarely called where it is made.
 */
final class NothingWaitsInALockTest {

  /** A method: its class, name and descriptor. */
  private record Method(String owner, String name, String type) {
    @Override
    public String toString() {
      return owner.substring(owner.lastIndexOf('/') + 1) + "." + name;
    }
  }

  /** A class as it was read. */
  private record Type(String name, Set<String> above) {}

  private final Map<String, Type> types = new HashMap<>();
  private final Map<Method, Set<Method>> calls = new HashMap<>();
  private final Map<Method, Set<Method>> callsInLocks = new HashMap<>();

  private static boolean waits(Method called) {
    return switch (called.owner) {
      case "java/util/concurrent/CompletableFuture" ->
          called.name.equals("join") || called.name.equals("get");
      case "java/util/concurrent/Future" -> called.name.equals("get");
      case "java/lang/Thread" -> called.name.equals("join") || called.name.equals("sleep");
      case "java/util/concurrent/CountDownLatch",
          "java/util/concurrent/Phaser",
          "java/util/concurrent/CyclicBarrier" ->
          called.name.startsWith("await");
      case "java/util/concurrent/ExecutorService" ->
          called.name.equals("awaitTermination") || called.name.equals("close");
      case "java/util/concurrent/BlockingQueue" ->
          called.name.equals("put") || called.name.equals("take");
      case "org/hyperslab/vol/Connector" -> called.name.equals("submit");
      default -> false;
    };
  }

  private void read(Class<?> of) throws IOException {
    Path home;
    try {
      home = Path.of(of.getProtectionDomain().getCodeSource().getLocation().toURI());
    } catch (java.net.URISyntaxException e) {
      throw new AssertionError(e);
    }
    if (Files.isDirectory(home)) {
      readAll(home);
      return;
    }
    try (FileSystem jar = FileSystems.newFileSystem(home)) {
      readAll(jar.getPath("/"));
    }
  }

  private void readAll(Path folder) throws IOException {
    try (Stream<Path> all = Files.walk(folder)) {
      for (Path each : all.filter(path -> path.toString().endsWith(".class")).toList()) {
        ClassModel model = ClassFile.of().parse(Files.readAllBytes(each));
        Set<String> above = new HashSet<>();
        model.superclass().ifPresent(parent -> above.add(parent.asInternalName()));
        model.interfaces().forEach(parent -> above.add(parent.asInternalName()));
        String name = model.thisClass().asInternalName();
        types.put(name, new Type(name, above));
        model.methods().forEach(method -> read(name, method));
      }
    }
  }

  private void read(String owner, MethodModel method) {
    Method me =
        new Method(owner, method.methodName().stringValue(), method.methodType().stringValue());
    Set<Method> called = calls.computeIfAbsent(me, fresh -> new LinkedHashSet<>());
    Set<Method> inLocks = callsInLocks.computeIfAbsent(me, fresh -> new LinkedHashSet<>());
    boolean whole = method.flags().has(AccessFlag.SYNCHRONIZED);
    int held = 0;
    Optional<Method> lambda = Optional.empty();
    for (CodeElement element : method.code().map(CodeModel::elementList).orElse(List.of())) {
      if (element instanceof InvokeDynamicInstruction made) {
        lambda = lambda(made);
      } else if (element instanceof MonitorInstruction monitor) {
        // The second exit of each block is that of its handler, which follows the block.
        held = Math.max(0, held + (monitor.opcode() == Opcode.MONITORENTER ? 1 : -1));
      } else if (element instanceof InvokeInstruction call) {
        Method target =
            new Method(
                call.owner().asInternalName(),
                call.name().stringValue(),
                call.type().stringValue());
        boolean lock =
            target.owner.startsWith("java/util/concurrent/locks/") && target.name.equals("lock");
        boolean unlock =
            target.owner.startsWith("java/util/concurrent/locks/") && target.name.equals("unlock");
        held = Math.max(0, held + (lock ? 1 : unlock ? -1 : 0));
        called.add(target);
        if (whole || held > 0) {
          inLocks.add(target);
        }
        if (isOfMap(target)) {
          lambda.ifPresent(inLocks::add);
        }
      }
    }
  }

  /** Returns the method that a lambda calls. */
  private static Optional<Method> lambda(InvokeDynamicInstruction made) {
    return made.bootstrapArgs().stream()
        .filter(DirectMethodHandleDesc.class::isInstance)
        .map(DirectMethodHandleDesc.class::cast)
        .map(handle -> {
          String owner = handle.owner().descriptorString();
          return new Method(
              owner.substring(1, owner.length() - 1),
              handle.methodName(),
              handle.lookupDescriptor());
        })
        .findFirst();
  }

  /** Returns whether a method calls a function for a key that it has locked meanwhile. */
  private static boolean isOfMap(Method called) {
    boolean isMap = called.owner.matches("java/util/(Map|concurrent/Concurrent(Hash)?Map)");
    return isMap && (called.name.startsWith("compute") || called.name.equals("merge"));
  }

  private boolean isA(String type, String ancestor) {
    Type known = types.get(type);
    return type.equals(ancestor)
        || known != null && known.above.stream().anyMatch(parent -> isA(parent, ancestor));
  }

  /** Returns the methods of classes read here that a call may reach. */
  private List<Method> reached(Method called) {
    return calls.keySet().stream()
        .filter(each ->
            each.name.equals(called.name)
                && each.type.equals(called.type)
                && (isA(each.owner, called.owner) || isA(called.owner, each.owner)))
        .toList();
  }

  /** Returns the way from a call to something that waits; empty if there is none. */
  private List<Method> wayToWaiting(Method called, Set<Method> seen) {
    if (waits(called)) {
      return List.of(called);
    }
    if (!called.owner.startsWith("org/hyperslab/plugins/") || !seen.add(called)) {
      return List.of();
    }
    for (Method each : reached(called)) {
      for (Method next : calls.get(each)) {
        List<Method> way = wayToWaiting(next, seen);
        if (!way.isEmpty()) {
          List<Method> longer = new ArrayList<>(List.of(called));
          longer.addAll(way);
          return longer;
        }
      }
    }
    return List.of();
  }

  private Set<String> found() {
    Set<String> found = new TreeSet<>();
    callsInLocks.forEach((method, inLocks) ->
        inLocks.forEach(called -> {
          List<Method> way = wayToWaiting(called, new HashSet<>());
          if (!way.isEmpty()) {
            found.add(method + " holds a lock and calls " + way);
          }
        }));
    return found;
  }

  @Test
  void nothingWaitsForAStageInALock() throws IOException {
    read(StageServer.class);
    read(CompactingConnector.class);
    assertThat(callsInLocks.values()).as("calls in locks").anyMatch(inLocks -> !inLocks.isEmpty());
    assertThat(found()).isEmpty();
  }

  /** What the test above is to find: in a block, in a method, and through another method. */
  @SuppressWarnings("unused")
  private static final class Wrong {
    private final CompletableFuture<Void> future = new CompletableFuture<>();
    private final Map<String, Wrong> map = new ConcurrentHashMap<>();

    void inAMap() {
      map.computeIfAbsent(
          "key",
          key -> {
            future.join();
            return this;
          });
    }

    void inABlock() {
      int before = future.hashCode();
      synchronized (this) {
        future.join();
      }
      assertThat(before).isEqualTo(future.hashCode());
    }

    synchronized void inAMethod() {
      future.join();
    }

    void throughAnother() {
      synchronized (future) {
        waiting();
      }
    }

    private void waiting() {
      future.join();
    }

    void notInOne() {
      synchronized (this) {
        future.complete(null);
      }
      future.join();
    }
  }

  @Test
  void waitingInALockIsFound() throws IOException {
    read(NothingWaitsInALockTest.class);
    assertThat(found())
        .filteredOn(each -> each.startsWith("NothingWaitsInALockTest$Wrong."))
        .extracting(each -> each.substring(each.indexOf('.') + 1, each.indexOf(' ')))
        .containsExactlyInAnyOrder("inABlock", "inAMap", "inAMethod", "throughAnother");
  }
}
