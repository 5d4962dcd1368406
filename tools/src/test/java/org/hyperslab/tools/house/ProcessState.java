package org.hyperslab.tools.house;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaField;
import com.tngtech.archunit.core.domain.JavaModifier;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.locks.Lock;
import java.util.regex.Pattern;

/** The list of static fields with mutable state, with which {@link ArchitectureTest} compares. */
final class ProcessState {

  /** Types with mutable instances. Collections count unless they are immutable. */
  private static final List<String> CHANGING =
      List.of(
          "java.util.concurrent.atomic.",
          "java.util.concurrent.Concurrent",
          "java.util.concurrent.CopyOnWrite",
          "java.util.concurrent.Linked",
          "java.util.concurrent.Semaphore",
          "java.lang.ThreadLocal",
          "java.lang.ref.",
          "java.util.Map",
          "java.util.concurrent.ForkJoinPool",
          "java.util.HashMap",
          "java.util.LinkedHashMap",
          "java.util.WeakHashMap",
          "java.util.ArrayDeque",
          "java.util.ArrayList",
          "java.util.HashSet",
          "java.util.ServiceLoader",
          "org.hyperslab.format.memory.");

  /** The fields with mutable state; the table of {@link #requireDescribed} has each. */
  private static final Set<String> STATE =
      Set.of(
          "BufferPool.LENT_BY_ALL",
          "BufferPool.OF_PROCESS",
          "FileRangeLock.HELD",
          "FileRegistry.OF_PROCESS",
          "ChannelTransfers.BOUNCE",
          "FileSystemTraits.KNOWN",
          "FileTable.NUMBERS", // makes the numbers of open files different
          "FileWorkers.POOL",
          "GivenUpMessages.KEPT",
          "Handle.NEXT",
          "Lost.CLEANER", // FileRegistry: closes files that the program has lost
          "LocalPaths.MOUNTED",
          "LostFiles.CLEANER",
          "Mpi.STARTED",
          "NativeFunction.CALLER",
          "SharedObjects.POSTED",
          "SharedObjects.TICKETS",
          "UnfinishedFile.COUNT", // makes the names of temporary files different
          "ProgramFilters.KNOWN",
          "ProgramFilters.LIBRARY",
          "ProgramFilters.USED",
          "Own.FACTORIES", // Connectors: found on the class path
          "ProgramThread.CALLS",
          "ProgramThread.HAND",
          "ProgramThread.INSIDE",
          "ProgramThread.IN_CONNECTORS",
          "ProgramThread.SERVING",
          "ProgramThread.WAITING",
          "ProgressThread.ENGINES",
          "RawMemory.NAME",
          "Reclaimer.CLEANER",
          "Shared.INSTANCE", // TransferResources: the native engine's workers and buffers
          "SharedConnectors.ALL",
          "SpanTable.SHARED",
          "StallWatch.OF_PROCESS",
          "Worlds.BOUND");

  /** Fields of mutable types whose instances do not change after their creation. */
  private static final Set<String> CONSTANTS =
      Set.of(
          "Bytes.EMPTY",
          "CreateOptions.DEFAULT",
          "Dataspace.NULL",
          "Dataspace.SCALAR",
          "Exchanges.SAFETY",
          "ExtentRuns.EMPTY",
          "FileSystemTraits.PARALLEL",
          "FileSystemTraits.REMOTE",
          "FilterPipeline.NONE",
          "FilterRegistry.KNOWN",
          "Commands.ALL",
          "IsoTimes.FORMS",
          "KnownFactories.CLASSES",
          "LinkData.NONE",
          "NumberArrays.TYPES",
          "RehearsedLibrary.DEFAULTS",
          "Numbers.BOXED",
          "Numbers.INTEGERS",
          "OpenOptions.EDIT",
          "OpenOptions.READ",
          "OptionWords.LONG",
          "PageFiles.TYPES",
          "StepColumn.APPLIED",
          "RankConnector.LATER",
          "RankConnector.AFTER_COLLECTING",
          "Standard.INSTANCE", // FilterRegistry: the filters found at its first use
          "TransferOptions.COLLECTIVE",
          "TransferOptions.DEFAULT",
          "TypeWord.TYPES",
          "WireNumbers.ALLOCATION_TIME",
          "WireNumbers.CHARACTER_SET",
          "WireNumbers.DURABILITY",
          "WireNumbers.FILL_TIME",
          "WireNumbers.FORMAT_VERSION",
          "WireNumbers.GROUP_STORAGE",
          "WireNumbers.INDEX",
          "WireNumbers.LINK_KIND",
          "WireNumbers.LOCKING",
          "WireNumbers.OBJECT_KIND",
          "WireNumbers.SPACE_STRATEGY",
          "WireNumbers.STEP_WRITER",
          "AggregatorPortion.NOTHING",
          "RunTable.EMPTY",
          "SpanNode.EMPTY",
          "SpanNode.UNIT",
          "Values.PRIMITIVES",
          "VlenHeap.NONE");

  private ProcessState() {}

  /** Requires that the mutable static fields of all classes but the test kit's are listed here. */
  static void requireListed(JavaClasses house) {
    Set<String> found = new TreeSet<>();
    for (JavaClass type : house) {
      if (type.getPackageName().startsWith("org.hyperslab.testkit")) {
        continue;
      }
      for (JavaField field : type.getFields()) {
        if (field.getModifiers().contains(JavaModifier.STATIC) && changes(field, type)) {
          found.add(type.getSimpleName() + "." + field.getName());
        }
      }
    }
    found.removeAll(CONSTANTS);
    assertThat(found).as("what a process shares").isEqualTo(new TreeSet<>(STATE));
  }

  /**
   * Requires that the table in "What a process shares" has these fields, each once, and no others.
   */
  static void requireDescribed(Path design) throws IOException {
    String text = Files.readString(design);
    String section = text.substring(text.indexOf("## What a process shares"));
    section = section.substring(0, section.indexOf("\n## ", 1));
    List<String> described =
        Pattern.compile("`(\\w+\\.[A-Z_]+)`")
            .matcher(section)
            .results()
            .map(field -> field.group(1))
            .sorted()
            .toList();
    assertThat(described).isEqualTo(List.copyOf(new TreeSet<>(STATE)));
  }

  private static boolean changes(JavaField field, JavaClass owner) {
    JavaClass type = field.getRawType();
    if (CHANGING.stream().anyMatch(type.getName()::startsWith)
        || type.isAssignableTo(Lock.class)
        || type.isAssignableTo(Executor.class)
        || holdsState(type)) {
      return true;
    }
    if (isOwnAndChanges(type)) {
      return !owner.isEnum() || !type.equals(owner);
    }
    boolean collection = type.isAssignableTo(Map.class) || type.isAssignableTo(Collection.class);
    return collection
        && owner.getStaticInitializer().stream()
            .flatMap(init -> init.getConstructorCallsFromSelf().stream())
            .anyMatch(
                call -> CHANGING.stream().anyMatch(call.getTargetOwner().getName()::startsWith));
  }

  /** Returns whether a record has a component that is a pool of threads or of memory. */
  private static boolean holdsState(JavaClass type) {
    return type.getName().startsWith("org.hyperslab.")
        && type.isRecord()
        && type.getAllFields().stream()
            .filter(field -> !field.getModifiers().contains(JavaModifier.STATIC))
            .map(JavaField::getRawType)
            .anyMatch(part ->
                part.isAssignableTo(Executor.class)
                    || part.getName().startsWith("org.hyperslab.format.memory.")
                    || part.getName().startsWith("java.util.concurrent."));
  }

  private static boolean isOwnAndChanges(JavaClass type) {
    return type.getName().startsWith("org.hyperslab.")
        && !type.isEnum()
        && !type.isRecord()
        && type.getAllFields().stream()
            .filter(field -> !field.getModifiers().contains(JavaModifier.STATIC))
            .anyMatch(field ->
                !field.getModifiers().contains(JavaModifier.FINAL)
                    || field.getRawType().isArray()
                    || field.getRawType().isAssignableTo(ExecutorService.class)
                    || CHANGING.stream().anyMatch(field.getRawType().getName()::startsWith)
                    || !field.getRawType().equals(type) && isOwnAndChanges(field.getRawType()));
  }
}
