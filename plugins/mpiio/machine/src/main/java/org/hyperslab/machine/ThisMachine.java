package org.hyperslab.machine;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Detects the machine that this program runs on: one node, whose processors the kernel lists below
 * {@code /sys/devices/system} or hwloc describes. Bandwidths and latencies are nominal until they
 * are measured.
 */
public final class ThisMachine {

  private static final int MAX_PROCESSORS = 1 << 16;
  private static final Pattern RANGE = Pattern.compile("(\\d{1,6})(?:-(\\d{1,6}))?");
  private static final double NOMINAL_BYTES_PER_SECOND = 10e9;
  private static final double NOMINAL_NANOS = 500;

  private ThisMachine() {}

  /**
   * Detects this machine.
   *
   * @return a machine of one node; its processors are all equal if the kernel does not list what
   *     they share
   */
  public static Machine detect() {
    return detect(Path.of("/sys/devices/system"), Runtime.getRuntime().availableProcessors());
  }

  /**
   * Reads the node from a description by hwloc ({@code lstopo --of xml}).
   *
   * @param xml the file
   * @return a machine of one node
   * @throws org.hyperslab.error.InvalidUseException if the file is not such a description
   * @throws org.hyperslab.error.StorageException if it cannot be read
   */
  public static Machine ofHwloc(Path xml) {
    return machine(HwlocXml.read(xml));
  }

  /**
   * Detects the machine from another folder than {@code /sys}, with {@code otherwise} processors if
   * the folder lists none.
   */
  static Machine detect(Path system, int otherwise) {
    return machine(shape(system, otherwise));
  }

  private static Machine machine(NodeShape shape) {
    Level alone = new Level("switch", NOMINAL_BYTES_PER_SECOND, NOMINAL_NANOS);
    return new Machine(
        "this machine",
        Network.tree(1, List.of(new Tier(1, 1, alone))),
        shape,
        List.of(),
        StorageServers.UNKNOWN);
  }

  static Level nominal(String name) {
    return new Level(name, NOMINAL_BYTES_PER_SECOND, NOMINAL_NANOS);
  }

  private static NodeShape shape(Path system, int otherwise) {
    try {
      List<Integer> online = ranges(Files.readString(system.resolve("cpu/online")).strip());
      TreeMap<Integer, TreeMap<Integer, Integer>> packages = new TreeMap<>();
      for (int cpu : online) {
        Path topology = system.resolve("cpu/cpu" + cpu + "/topology");
        int inPackage = number(topology.resolve("physical_package_id"));
        int core = number(topology.resolve("core_id"));
        packages.computeIfAbsent(inPackage, key -> new TreeMap<>()).merge(core, 1, Integer::sum);
      }
      return shape(online.size(), packages);
    } catch (IOException | NumberFormatException unknown) {
      return NodeShape.flat(Math.max(1, otherwise), nominal("node"), 1);
    }
  }

  private static NodeShape shape(int all, TreeMap<Integer, TreeMap<Integer, Integer>> packages) {
    int cores = packages.firstEntry().getValue().size();
    int threads = all / Math.max(1, packages.size() * cores);
    boolean even =
        packages.values().stream()
            .allMatch(each ->
                each.size() == cores && each.values().stream().allMatch(count -> count == threads));
    if (!even) {
      return NodeShape.flat(all, nominal("node"), 1);
    }
    List<NodeShape.Part> parts = new ArrayList<>();
    addPart(parts, threads, "core");
    addPart(parts, cores, "package");
    addPart(parts, packages.size(), "node");
    return parts.isEmpty() ? NodeShape.flat(all, nominal("node"), 1) : new NodeShape(parts, 1);
  }

  private static void addPart(List<NodeShape.Part> parts, int arity, String name) {
    if (arity > 1) {
      parts.add(new NodeShape.Part(arity, nominal(name)));
    }
  }

  private static int number(Path file) throws IOException {
    return Integer.parseInt(Files.readString(file).strip());
  }

  private static List<Integer> ranges(String text) throws IOException {
    List<Integer> all = new ArrayList<>();
    for (String part : text.split(",", -1)) {
      Matcher range = RANGE.matcher(part);
      if (!range.matches()) {
        throw new IOException("processors online: actual=" + text);
      }
      int first = Integer.parseInt(range.group(1));
      int last = range.group(2) == null ? first : Integer.parseInt(range.group(2));
      for (int cpu = first; cpu <= last; cpu++) {
        all.add(cpu);
        if (all.size() > MAX_PROCESSORS) {
          throw new IOException("processors online: actual=more than " + MAX_PROCESSORS);
        }
      }
    }
    return all;
  }
}
