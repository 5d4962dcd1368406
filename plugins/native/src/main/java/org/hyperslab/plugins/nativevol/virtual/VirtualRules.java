package org.hyperslab.plugins.nativevol.virtual;

import org.hyperslab.error.InvalidUseException;
import org.hyperslab.format.space.Dataspace;
import org.hyperslab.format.space.RegularHyperslab;
import org.hyperslab.format.space.Selection;
import org.hyperslab.model.Layout;

/**
 * Checks the mappings of a new virtual dataset. The HDF5 library creates no dataset whose mappings
 * break these rules, and cannot print one.
 *
 * <p>Reference: {@code H5D_virtual_check_mapping_pre}, {@code H5D_virtual_check_mapping_post} and
 * {@code H5D_virtual_check_min_dims} in {@code H5Dvirtual.c}.
 */
public final class VirtualRules {

  private VirtualRules() {}

  /**
   * Requires that mappings are consistent and lie within the extent.
   *
   * @param layout the mappings
   * @param space the new dataset's present extent
   * @throws InvalidUseException naming the first mapping, from 0, that breaks a rule
   */
  public static void require(Layout.Virtual layout, Dataspace space) {
    for (int i = 0; i < layout.mappings().size(); i++) {
      Layout.Virtual.Mapping mapping = layout.mappings().get(i);
      String name = "mapping " + i + " of a virtual dataset";
      requireWithin(name, mapping.selection(), space.dims());
      requireSameCount(name, mapping, space.dims());
    }
  }

  /**
   * Requires that an extent contains the part of a mapping that does not depend on a source.
   *
   * @param selection the elements that a mapping fills
   * @param extent the extent of the virtual dataset
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
      return; // a selection of all of a source with an unknown extent
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
              + ", expected=the same number on both sides (for unlimited selections, for each index)");
    }
  }

  /**
   * Returns the number of elements of a selection; for an unlimited one, those of one index or of
   * one whole block.
   */
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
