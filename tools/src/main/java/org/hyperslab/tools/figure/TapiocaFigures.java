package org.hyperslab.tools.figure;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.LongFunction;
import java.util.stream.IntStream;
import org.hyperslab.examples.kernels.HaccIo;
import org.hyperslab.examples.kernels.IoKernel;
import org.hyperslab.examples.kernels.Ior;
import org.hyperslab.machine.Machine;
import org.hyperslab.machine.MachineDescription;
import org.hyperslab.machine.RankMap;
import org.hyperslab.mpiio.hint.Hints;
import org.hyperslab.simulation.SimulatedNetwork;
import org.hyperslab.simulation.UnstatedCosts;
import org.hyperslab.tools.figure.Figure.Claim;
import org.hyperslab.tools.figure.Figure.Series;
import org.hyperslab.tools.simulated.KernelTimes;
import org.hyperslab.tools.simulated.Subfiles;

/**
 * The evaluation of TAPIOCA (Tessier, Vishwanath, Jeannot: TAPIOCA: An I/O Library for Optimized
 * Topology-Aware Data Aggregation on Large-Scale Supercomputers, 2017).
 *
 * <p>TAPIOCA is {@code MpiFile.declareWrites} with elected aggregators, MPI-IO is two-phase I/O in
 * ROMIO's way: one collective call for each variable, holes read and written back where that is
 * cheaper. Buffers of TAPIOCA are two, of which the paper states one.
 */
final class TapiocaFigures {

  private static final int PER_NODE = 16;
  private static final long MIB = 1 << 20;

  private TapiocaFigures() {}

  /** A machine with a number of nodes, and how files are shared and striped on it. */
  private record Site(String machine, int nodes, Subfiles subfiles, Map<String, String> striping) {

    KernelTimes times(String hints) {
      Machine found = MachineDescription.ready(machine);
      int[] processors =
          IntStream.range(0, nodes * PER_NODE)
              .map(rank -> rank / PER_NODE * found.processorsPerNode() + rank % PER_NODE)
              .toArray();
      return new KernelTimes(
          RankMap.of(found, processors),
          Hints.parse(hints).with(striping),
          UnstatedCosts.DEFAULT,
          SimulatedNetwork.FLOWS,
          subfiles);
    }
  }

  private static Site mira(int nodes) {
    return new Site("mira", nodes, Subfiles.PSET, Map.of());
  }

  private static Site theta(int nodes, int servers, long stripe) {
    return new Site(
        "theta",
        nodes,
        Subfiles.NONE,
        Map.of(
            "striping_factor", Integer.toString(servers), "striping_unit", Long.toString(stripe)));
  }

  private static String mpiio(int aggregators, long buffer) {
    return "hyperslab_collective=two-phase cb_nodes=" + aggregators + " cb_buffer_size=" + buffer;
  }

  private static String tapioca(int aggregators, long buffer) {
    return "hyperslab_assignment=tapioca cb_nodes=" + aggregators + " cb_buffer_size=" + 2 * buffer;
  }

  private static double gigabytes(KernelTimes times, IoKernel kernel, boolean declared) {
    double seconds = (declared ? times.writeDeclared(kernel) : times.write(kernel)).seconds();
    return times.bytes(kernel) / 1e9 / seconds;
  }

  private static Series series(
      String name, List<Long> sizes, LongFunction<IoKernel> kernel, KernelTimes times, boolean td) {
    List<Double> values = new ArrayList<>();
    for (long size : sizes) {
      values.add(gigabytes(times, kernel.apply(size), td));
    }
    return new Series(name, values);
  }

  private static double ratio(Series above, Series below, int at) {
    return above.values().get(at) / below.values().get(at);
  }

  private static List<String> mebibytes(List<Long> particles, int bytesOfOne) {
    return particles.stream().map(each -> Figure.number((double) each * bytesOfOne / MIB)).toList();
  }

  private static IoKernel blocks(long bytes) {
    return new Ior(1, bytes, bytes, false);
  }

  /** Figures 11 to 14: HACC-IO in both layouts, by TAPIOCA and by MPI-IO. */
  private static List<Series> hacc(Site site, int aggregators, long buffer, List<Long> particles) {
    KernelTimes plain = site.times(mpiio(aggregators, buffer));
    KernelTimes declared = site.times(tapioca(aggregators, buffer));
    return List.of(
        series("TAPIOCA AoS", particles, n -> new HaccIo(n, false), declared, true),
        series("TAPIOCA SoA", particles, n -> new HaccIo(n, true), declared, true),
        series("MPI-IO AoS", particles, n -> new HaccIo(n, false), plain, false),
        series("MPI-IO SoA", particles, n -> new HaccIo(n, true), plain, false));
  }

  private static final List<Long> PARTICLES = List.of(5_000L, 25_000L, 50_000L, 100_000L);

  static Figure figure11(int shrink) {
    int nodes = 1024 / shrink;
    List<Series> all = hacc(mira(nodes), 16, 16 * MIB, PARTICLES);
    double peak = 2.8 * Math.max(1, nodes / 128);
    return new Figure(
        "HACC-IO on Mira, " + nodes * PER_NODE + " ranks, a file for each Pset, writes",
        "MiB a rank",
        mebibytes(PARTICLES, 38),
        "GB/s",
        all,
        List.of(
            Claim.between(
                "TAPIOCA reaches 90% of the peak",
                "AoS, share of the peak of 2.8 GB/s a Pset",
                0.765,
                all.get(0).most() / peak,
                1.035),
            Claim.between(
                "TAPIOCA is better than MPI-IO even for large data",
                "AoS, ratio at the largest size",
                1,
                ratio(all.get(0), all.get(2), PARTICLES.size() - 1),
                Double.POSITIVE_INFINITY)));
  }

  static Figure figure12(int shrink) {
    int nodes = 4096 / shrink;
    List<Series> all = hacc(mira(nodes), 16, 16 * MIB, PARTICLES);
    double peak = 2.8 * Math.max(1, nodes / 128);
    double first = ratio(all.get(0), all.get(2), 0);
    double last = ratio(all.get(0), all.get(2), PARTICLES.size() - 1);
    return new Figure(
        "HACC-IO on Mira, " + nodes * PER_NODE + " ranks, a file for each Pset, writes",
        "MiB a rank",
        mebibytes(PARTICLES, 38),
        "GB/s",
        all,
        List.of(
            Claim.between(
                "TAPIOCA nearly reaches 89.6 GB/s",
                "AoS, share of the peak of 2.8 GB/s a Pset",
                0.85,
                all.get(0).most() / peak,
                1.15),
            Claim.between(
                "up to 12 times MPI-IO, AoS",
                "greatest ratio of AoS",
                8,
                first,
                Double.POSITIVE_INFINITY),
            Claim.between(
                "the gap narrows as data grow",
                "ratio of the largest to the smallest size's gap",
                0,
                last / first,
                1)));
  }

  static Figure figure13(int shrink) {
    return theta(1024, 192, 1, "about 7 times at 1 MB a rank", 4, 8.5, shrink);
  }

  static Figure figure14(int shrink) {
    return theta(2048, 384, 3, "still 4 times at 3.6 MB a rank", 3, 7, shrink);
  }

  private static Figure theta(
      int fullNodes, int aggregators, int at, String paper, double least, double most, int shrink) {
    int nodes = fullNodes / shrink;
    List<Series> all =
        hacc(theta(nodes, 48, 16 * MIB), Math.max(1, aggregators / shrink), 16 * MIB, PARTICLES);
    return new Figure(
        "HACC-IO on Theta, " + nodes * PER_NODE + " ranks, 48 OSTs, stripes of 16 MiB, writes",
        "MiB a rank",
        mebibytes(PARTICLES, 38),
        "GB/s",
        all,
        List.of(
            Claim.between(
                paper + ", AoS", "ratio of AoS", least, ratio(all.get(0), all.get(2), at), most)));
  }

  private static final List<Long> BLOCKS = List.of(MIB / 4, MIB, 2 * MIB, 18 * MIB / 5);

  private static Figure blocks(
      String title, Site site, int aggregators, long buffer, List<Claim> none) {
    Series declared =
        series(
            "TAPIOCA",
            BLOCKS,
            TapiocaFigures::blocks,
            site.times(tapioca(aggregators, buffer)),
            true);
    Series plain =
        series(
            "MPI-IO",
            BLOCKS,
            TapiocaFigures::blocks,
            site.times(mpiio(aggregators, buffer)),
            false);
    return new Figure(
        title, "MiB a rank", mebibytes(BLOCKS, 1), "GB/s", List.of(declared, plain), none);
  }

  static Figure figure9(int shrink) {
    int nodes = 1024 / shrink;
    Figure found =
        blocks(
            "one block a rank on Mira, " + nodes * PER_NODE + " ranks, a file for each Pset",
            mira(nodes),
            32,
            32 * MIB,
            List.of());
    return withClaims(
        found,
        Claim.between(
            "TAPIOCA and MPI-IO are equal",
            "ratio at the largest size",
            0.85,
            ratio(found.series().get(0), found.series().get(1), BLOCKS.size() - 1),
            1.15));
  }

  static Figure figure10(int shrink) {
    int nodes = 512 / shrink;
    Figure found =
        blocks(
            "one block a rank on Theta, " + nodes * PER_NODE + " ranks, 48 OSTs, stripes of 8 MiB",
            theta(nodes, 48, 8 * MIB),
            Math.max(1, 48 / shrink),
            8 * MIB,
            List.of());
    double least = Double.POSITIVE_INFINITY;
    for (int i = 0; i < BLOCKS.size(); i++) {
      least = Math.min(least, ratio(found.series().get(0), found.series().get(1), i));
    }
    return withClaims(
        found,
        Claim.between(
            "TAPIOCA is better at all sizes", "least ratio", 1, least, Double.POSITIVE_INFINITY),
        Claim.between(
            "2 times at 3.6 MB a rank",
            "ratio at the largest size",
            1.5,
            ratio(found.series().get(0), found.series().get(1), BLOCKS.size() - 1),
            2.5));
  }

  private static Figure withClaims(Figure figure, Claim... claims) {
    return new Figure(
        figure.title(),
        figure.axis(),
        figure.points(),
        figure.unit(),
        figure.series(),
        List.of(claims));
  }

  /** Table I: ratios of buffer and stripe, mean of buffers of 4, 8 and 16 MiB. */
  static Figure table1(int shrink) {
    int nodes = 512 / shrink;
    List<String> points = List.of("1:8", "1:4", "1:2", "1:1", "2:1", "4:1");
    double[] ratios = {1.0 / 8, 1.0 / 4, 1.0 / 2, 1, 2, 4};
    List<Double> means = new ArrayList<>();
    for (double ratio : ratios) {
      double sum = 0;
      for (long buffer : new long[] {4 * MIB, 8 * MIB, 16 * MIB}) {
        long stripe = (long) (buffer / ratio);
        KernelTimes times =
            theta(nodes, 48, stripe).times(tapioca(Math.max(1, 48 / shrink), buffer));
        sum += gigabytes(times, blocks(MIB), true);
      }
      means.add(sum / 3);
    }
    List<Double> paper = List.of(0.36, 0.64, 0.91, 1.57, 1.08, 1.14);
    double others = IntStream.of(0, 1, 2, 4, 5).mapToDouble(means::get).max().orElse(0);
    return new Figure(
        "buffers and stripes on Theta, " + nodes * PER_NODE + " ranks, 48 OSTs, 48 aggregators",
        "buffer:stripe",
        points,
        "GB/s",
        List.of(new Series("TAPIOCA", means), new Series("paper", paper)),
        List.of(
            Claim.between(
                "1:1 is best, 1.57 GB/s; next 1.14",
                "1:1 over the best of the others",
                1.02,
                means.get(3) / others,
                Double.POSITIVE_INFINITY)));
  }

  private static Figure tuning(
      String title, List<String> names, List<KernelTimes> times, List<Claim> none) {
    List<Series> all = new ArrayList<>();
    for (int i = 0; i < names.size(); i++) {
      List<Double> written = new ArrayList<>();
      List<Double> read = new ArrayList<>();
      for (long size : BLOCKS) {
        IoKernel kernel = blocks(size);
        written.add(gigabytes(times.get(i), kernel, false));
        read.add(times.get(i).bytes(kernel) / 1e9 / times.get(i).read(kernel).seconds());
      }
      all.add(new Series(names.get(i) + " write", written));
      all.add(new Series(names.get(i) + " read", read));
    }
    return new Figure(title, "MiB a rank", mebibytes(BLOCKS, 1), "GB/s", all, none);
  }

  static Figure figure7(int shrink) {
    int nodes = 512 / shrink;
    Figure found =
        tuning(
            "IOR on Mira, " + nodes * PER_NODE + " ranks, a file for each Pset",
            List.of("default"),
            List.of(mira(nodes).times(mpiio(16, 16 * MIB))),
            List.of());
    double share = nodes / 512.0;
    return withClaims(
        found,
        Claim.between(
            "reads reach 7.3 GB/s by default",
            "greatest bandwidth of reads",
            0.85 * 7.3 * share,
            found.series().get(1).most(),
            1.15 * 7.3 * share),
        Claim.between(
            "writes reach about 2 GB/s by default, 3 times that with shared locks of files",
            "greatest bandwidth of writes, with locks that cost nothing",
            0.85 * 6 * share,
            found.series().get(0).most(),
            1.15 * 6 * share));
  }

  static Figure figure8(int shrink) {
    int nodes = 512 / shrink;
    Site narrow = theta(nodes, 1, MIB);
    Site wide = theta(nodes, 48, 8 * MIB);
    Figure found =
        tuning(
            "IOR on Theta, " + nodes * PER_NODE + " ranks: 1 OST, stripes of 1 MiB; 48, 8 MiB",
            List.of("default", "tuned"),
            List.of(
                narrow.times("hyperslab_collective=two-phase cb_nodes=1"),
                wide.times(mpiio(Math.max(1, 96 / shrink), 8 * MIB))),
            List.of());
    int largest = BLOCKS.size() - 1;
    return withClaims(
        found,
        Claim.between(
            "tuned writes reach 10 GB/s, default ones 0.2",
            "tuned over default writes at the largest size",
            25,
            ratio(found.series().get(2), found.series().get(0), largest),
            75),
        Claim.between(
            "tuned reads reach 36 GB/s, default ones 0.8",
            "tuned over default reads at the largest size",
            30,
            ratio(found.series().get(3), found.series().get(1), largest),
            60));
  }
}
