package org.hyperslab.machine.mapping;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.machine.NodeShape;

/** Methods of placing the ranks of a job on processors. */
public enum PlacementMethod {
  /** Fills one node after the other. */
  BYSLOT,
  /** Assigns ranks to nodes in turn. */
  BYNODE,
  /** Matches sets of ranks with nodes; for matrices of grids. */
  SETMATCH,
  /** Like {@link #SETMATCH}, for recorded matrices: sets that share a member are merged. */
  SETMATCHG,
  /** Improves a random placement by swapping pairs; for matrices of grids. */
  MPIPP,
  /** Like {@link #MPIPP}, for recorded matrices. */
  MPIPPG,
  /** Groups ranks level by level of the hardware. */
  TREEMATCH;

  private static final long SEED = 20_060_628L;
  private static final int MAX_PASSES = 64;

  /**
   * Returns the method with the given name.
   *
   * @param name the name, such as {@code setmatch}
   * @return the method
   * @throws InvalidUseException if no method has that name
   */
  public static PlacementMethod parse(String name) {
    return Arrays.stream(values())
        .filter(method -> method.word().equals(name))
        .findFirst()
        .orElseThrow(() ->
            new InvalidUseException(
                "placement: actual="
                    + name
                    + ", expected=one of "
                    + Arrays.stream(values())
                        .map(PlacementMethod::word)
                        .collect(Collectors.joining(", "))));
  }

  /** {@return the name in lower case} */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /**
   * Places the ranks of an application on processors, one on each.
   *
   * @param application the amounts that ranks exchange
   * @param architecture the processors that they may use
   * @return the placement, which is deterministic
   * @throws InvalidUseException if there are more ranks than processors
   */
  public ProcessPlacement place(ApplicationMatrix application, ArchitectureMatrix architecture) {
    int ranks = application.ranks();
    if (ranks > architecture.places()) {
      throw new InvalidUseException(
          "placement: actual="
              + ranks
              + " ranks, expected=at most "
              + architecture.places()
              + ", one for each processor");
    }
    int[] placeOf =
        switch (this) {
          case BYSLOT -> IntStream.range(0, ranks).toArray();
          case BYNODE -> byNode(ranks, architecture);
          case SETMATCH -> SetMatch.map(application, architecture, false);
          case SETMATCHG -> SetMatch.map(application, architecture, true);
          case MPIPP, MPIPPG -> Mpipp.map(application, architecture, SEED, MAX_PASSES);
          case TREEMATCH -> treeMatch(application, architecture);
        };
    return new ProcessPlacement(this, application, architecture, placeOf);
  }

  private static int[] byNode(int ranks, ArchitectureMatrix architecture) {
    List<List<Integer>> nodes = new ArrayList<>();
    int last = -1;
    for (int place = 0; place < architecture.places(); place++) {
      int node = architecture.machine().nodeOf(architecture.processor(place));
      if (node != last) {
        nodes.add(new ArrayList<>());
        last = node;
      }
      nodes.getLast().add(place);
    }
    int[] placeOf = new int[ranks];
    for (int rank = 0, turn = 0; rank < ranks; turn++) {
      List<Integer> node = nodes.get(turn % nodes.size());
      int seat = turn / nodes.size();
      if (seat < node.size()) {
        placeOf[rank++] = node.get(seat);
      }
    }
    return placeOf;
  }

  /**
   * Maps ranks with TreeMatch. The arity of the innermost part excludes processors that the job may
   * not use.
   */
  private static int[] treeMatch(ApplicationMatrix application, ArchitectureMatrix architecture) {
    List<Integer> arities = new ArrayList<>();
    int perNode =
        (int)
            IntStream.range(0, architecture.places())
                .filter(place ->
                    architecture.machine().nodeOf(architecture.processor(place))
                        == architecture.machine().nodeOf(architecture.processor(0)))
                .count();
    int left = Math.max(1, perNode);
    for (NodeShape.Part part : architecture.machine().node().parts()) {
      if (left % part.arity() == 0) {
        arities.add(part.arity());
        left /= part.arity();
      }
    }
    arities.add(left);
    int[] extents = architecture.machine().network().extents();
    for (int i = extents.length - 1; i >= 0; i--) {
      arities.add(extents[i]);
    }
    int[] order = TreeMatch.order(application, arities);
    int last = order.length;
    while (last > 0 && order[last - 1] < 0) {
      last--;
    }
    boolean fits = last <= architecture.places();
    int[] placeOf = new int[application.ranks()];
    for (int i = 0, place = 0; i < last; i++) {
      if (order[i] >= 0) {
        placeOf[order[i]] = place;
      }
      place += fits || order[i] >= 0 ? 1 : 0;
    }
    return placeOf;
  }
}
