package org.hyperslab.tools.figure;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import org.hyperslab.error.InvalidUseException;

/** The figures and tables of papers that can be computed again, by their names. */
public final class Figures {

  /** Returns the figures by name, each from a divisor of the numbers of nodes or bytes of it. */
  private static Map<String, IntFunction<Figure>> all() {
    Map<String, IntFunction<Figure>> all = new LinkedHashMap<>();
    all.put("tapioca-7", TapiocaFigures::figure7);
    all.put("tapioca-8", TapiocaFigures::figure8);
    all.put("tapioca-9", TapiocaFigures::figure9);
    all.put("tapioca-10", TapiocaFigures::figure10);
    all.put("tapioca-table-1", TapiocaFigures::table1);
    all.put("tapioca-11", TapiocaFigures::figure11);
    all.put("tapioca-12", TapiocaFigures::figure12);
    all.put("tapioca-13", TapiocaFigures::figure13);
    all.put("tapioca-14", TapiocaFigures::figure14);
    all.put("started-table-4.1", StartedFigures::table41);
    all.put("started-table-4.2", StartedFigures::table42);
    all.put("started-interval", StartedFigures::interval);
    all.put("ompio-tiles", OmpioFigures::tiles);
    all.put("ompio-automatic", OmpioFigures::automatic);
    return all;
  }

  private Figures() {}

  /** {@return the names} */
  public static List<String> names() {
    return List.copyOf(all().keySet());
  }

  /**
   * {@return a figure}
   *
   * @param name its name
   * @param shrink by what numbers of nodes, or bytes, are divided; 1 for those of the paper
   * @throws InvalidUseException if no figure has that name, or the divisor is not 1 to 64
   */
  public static Figure of(String name, int shrink) {
    IntFunction<Figure> found = all().get(name);
    if (found == null) {
      throw new InvalidUseException(
          "--figure: actual=" + name + ", expected=one of " + String.join(", ", names()));
    }
    if (shrink < 1 || shrink > 64) {
      throw new InvalidUseException("--shrink: actual=" + shrink + ", expected=1 to 64");
    }
    return found.apply(shrink);
  }
}
