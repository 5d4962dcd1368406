package org.hyperslab.tools.figure;

import java.util.ArrayList;
import java.util.List;
import org.hyperslab.examples.kernels.BtIo;
import org.hyperslab.examples.kernels.IoKernel;
import org.hyperslab.examples.kernels.TileIo;
import org.hyperslab.machine.Machine;
import org.hyperslab.machine.MachineDescription;
import org.hyperslab.machine.RankMap;
import org.hyperslab.mpiio.hint.Hints;
import org.hyperslab.tools.figure.Figure.Claim;
import org.hyperslab.tools.figure.Figure.Series;
import org.hyperslab.tools.simulated.KernelTimes;

/**
 * OMPIO (Gabriel, talk of about 2012; Chaarawi and Gabriel, Automatically Selecting the Number of
 * Aggregators for Collective I/O Operations, 2011). The sizes of Shark and Deimos are not
 * published: crill stands for the one (PVFS2), Atlas for the other (Lustre).
 */
final class OmpioFigures {

  private OmpioFigures() {}

  private static KernelTimes times(String name, int ranks, String hints) {
    Machine machine = MachineDescription.ready(name);
    int nodes = Math.min(machine.nodes(), Math.ceilDiv(ranks, 8));
    return new KernelTimes(RankMap.byNode(machine, ranks, nodes), Hints.parse(hints));
  }

  private static double megabytes(KernelTimes times, IoKernel kernel) {
    return times.bytes(kernel) / 1e6 / times.write(kernel).seconds();
  }

  /** A row of the table: machine, ranks, and tiles. */
  private record Row(String machine, int ranks, TileIo tiles, double paper) {}

  /** Tile I/O by OMPIO's table and aggregators, and by ROMIO's. */
  static Figure tiles(int shrink) {
    TileIo small = new TileIo(0, 1024 / shrink, 1024, 64);
    TileIo large = new TileIo(0, 8, 8, 1 << 20);
    List<Row> rows =
        List.of(
            new Row("crill", 81, small, 591.0 / 303),
            new Row("crill", 81, large, 625.0 / 290),
            new Row("atlas", 256 / shrink, small, 2167.0 / 411),
            new Row("atlas", 256 / shrink, large, 2491.0 / 517));
    List<String> points = new ArrayList<>();
    List<Double> ompio = new ArrayList<>();
    List<Double> romio = new ArrayList<>();
    List<Claim> claims = new ArrayList<>();
    for (Row row : rows) {
      String domains = row.machine.equals("crill") ? "even" : "lustre";
      points.add(row.machine + " " + row.ranks + " " + row.tiles.elementBytes() + " B");
      ompio.add(
          megabytes(
              times(
                  row.machine,
                  row.ranks,
                  "hyperslab_selection=published hyperslab_aggregators=ompio"),
              row.tiles));
      romio.add(
          megabytes(
              times(
                  row.machine,
                  row.ranks,
                  "hyperslab_collective=two-phase hyperslab_domains="
                      + domains
                      + " hyperslab_aggregators=node"),
              row.tiles));
      claims.add(
          Claim.between(
              "%.1f times ROMIO".formatted(row.paper),
              points.getLast() + ", OMPIO over ROMIO",
              row.paper / 1.5,
              ompio.getLast() / romio.getLast(),
              row.paper * 1.5));
    }
    return new Figure(
        "Tile I/O, writes, by OMPIO's rules and ROMIO's; stand-ins for Shark and Deimos",
        "machine, ranks, element",
        points,
        "MB/s",
        List.of(new Series("OMPIO", ompio), new Series("ROMIO", romio)),
        claims);
  }

  /** The automatic number of aggregators against the best of a sweep. */
  static Figure automatic(int shrink) {
    List<String> points = new ArrayList<>();
    List<Double> shares = new ArrayList<>();
    for (String machine : List.of("crill", "atlas")) {
      for (String algorithm : List.of("two-phase", "dynamic", "static")) {
        for (int ranks : new int[] {36, 81, 144}) {
          int side = 256 / shrink;
          for (IoKernel kernel :
              List.of(
                  new TileIo(0, side, side, 64),
                  new TileIo(0, 4, 4, 1 << 18),
                  new BtIo(144 / shrink, 1),
                  IoKernel.latency(1, (1 << 22) / shrink))) {
            points.add(machine + " " + algorithm + " " + ranks + " " + kernel.name());
            shares.add(share(machine, algorithm, ranks, kernel));
          }
        }
      }
    }
    double tenth = shares.stream().filter(each -> each >= 1 / 1.1).count();
    double quarter = shares.stream().filter(each -> each >= 1 / 1.25).count();
    return new Figure(
        "the automatic number of aggregators, writes: bandwidth over that of the best number",
        "case",
        points,
        "share of the best",
        List.of(new Series("automatic", shares)),
        List.of(
            Claim.between(
                "88 of 134 tests within 10% of the best",
                "share of tests within 10%", 88.0 / 134, tenth / shares.size(), 1),
            Claim.between(
                "110 of 134 tests within 25% of the best",
                "share of tests within 25%", 110.0 / 134, quarter / shares.size(), 1)));
  }

  private static double share(String machine, String algorithm, int ranks, IoKernel kernel) {
    String base = "hyperslab_collective=" + algorithm;
    double found =
        times(machine, ranks, base + " hyperslab_aggregators=ompio").write(kernel).seconds();
    double best = found;
    for (int count = 1; count <= ranks; count *= 2) {
      double seconds = times(machine, ranks, base + " cb_nodes=" + count).write(kernel).seconds();
      best = Math.min(best, seconds);
    }
    return best / found;
  }
}
