package org.hyperslab.plugins.nativevol;

import org.hyperslab.error.InvalidUseException;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.space.RegularHyperslab;
import org.hyperslab.format.space.Selection;
import org.hyperslab.model.Layout;

/**
 * Checks the mappings of a new virtual dataset: the HDF5 library makes no dataset, and cannot print
 * one, whose mappings break these rules.
 *
 * <p>Reference: {@code H5D_virtual_check_mapping_pre}, {@code H5D_virtual_check_mapping_post} and
 * {@code H5D_virtual_check_min_dims} in {@code H5Dvirtual.c}.
 */
final class VirtualRules {

  private VirtualRules() {}

  /**
   * Refuses mappings that do not fit together, or not into the extent.
   *
   * @param layout the mappings
   * @param space the new dataset's extent now
   * @throws InvalidUseException naming the first mapping, from 0, that breaks a rule
   */
  static void require(Layout.Virtual layout, Dataspace space) {
    for (int i = 0; i < layout.mappings().size(); i++) {
      Layout.Virtual.Mapping mapping = layout.mappings().get(i);
      String name = "mapping " + i + " of a virtual dataset";
      requireWithin(name, mapping.selection(), space.dims());
      requireSameCount(name, mapping, space.dims());
    }
  }

  /**
   * Refuses an extent that does not hold all that mappings say without depending on a source.
   *
   * @param selection the elements that a mapping fills
   * @param extent of the virtual dataset
   * @throws InvalidUseException if the selection reaches further, or has another rank
   */
  static void requireWithin(String name, Selection selection, long[] extent) {
    if (selection.rank() == Selection.ANY_RANK) {
      return;
    }
    if (selection.rank() != extent.length) {
      throw new InvalidUseException(
          name + ": actual=rank " + selection.rank() + ", expected=" + extent.length);
    }
    if (!(selection instanceof RegularHyperslab regular)) {
      selection.requireWithin(extent);
      return;
    }
    for (int d = 0; d < extent.length; d++) {
      long reach = d == regular.unlimitedDimension() ? 0 : reach(regular, d);
      if (reach > extent[d]) {
        throw new InvalidUseException(
            name
                + ": actual=reaches to index "
                + (reach - 1)
                + " of dimension "
                + d
                + ", expected=below the extent "
                + extent[d]
                + "; make the extent larger");
      }
    }
  }

  private static long reach(RegularHyperslab regular, int dimension) {
    return regular.extentFor(dimension, regular.indicesWithin(dimension, Long.MAX_VALUE));
  }

  private static void requireSameCount(String name, Layout.Virtual.Mapping mapping, long[] extent) {
    Selection virtual = mapping.selection();
    Selection source = mapping.sourceSelection();
    boolean numbered =
        VirtualSources.isPattern(mapping.sourceFile())
            || VirtualSources.isPattern(mapping.sourceDataset());
    if (!virtual.isUnlimited() && (source.isUnlimited() || numbered)) {
      throw new InvalidUseException(
          name
              + ": actual=limited, from "
              + (numbered ? "numbered sources" : "an unlimited source")
              + ", expected=an unlimited selection of the virtual dataset");
    }
    if (virtual.isUnlimited() && !source.isUnlimited() && !numbered) {
      throw new InvalidUseException(
          name
              + ": actual=unlimited, from a limited source without a number, expected=an unlimited"
              + " source, or \"%b\" in its name");
    }
    if (source.rank() == Selection.ANY_RANK && mapping.sourceSpace().rank() == 0) {
      return; // all of a source whose extent is not known, as a file leaves it
    }
    long wanted = perStep(virtual, extent, numbered && !source.isUnlimited());
    long there = perStep(source, mapping.sourceSpace().dims(), false);
    if (wanted != there) {
      throw new InvalidUseException(
          name
              + ": actual="
              + wanted
              + " elements, of the source "
              + there
              + ", expected=as many on both sides (of an unlimited selection, for each index)");
    }
  }

  /** Elements of a selection; of an unlimited one, those of one index or of one whole block. */
  private static long perStep(Selection selection, long[] extent, boolean block) {
    if (!(selection instanceof RegularHyperslab regular) || !regular.isUnlimited()) {
      return selection.elementCount(extent);
    }
    int unlimited = regular.unlimitedDimension();
    long elements = block ? regular.block(unlimited) : 1;
    for (int d = 0; d < regular.rank(); d++) {
      if (d != unlimited) {
        elements =
            Math.multiplyExact(elements, Math.multiplyExact(regular.count(d), regular.block(d)));
      }
    }
    return elements;
  }
}
