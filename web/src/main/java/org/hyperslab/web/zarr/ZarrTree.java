package org.hyperslab.web.zarr;

import java.util.Optional;
import org.hyperslab.Dataset;
import org.hyperslab.Group;
import org.hyperslab.H5File;
import org.hyperslab.H5Object;
import org.hyperslab.Link;
import org.hyperslab.error.NotFoundException;
import org.hyperslab.model.LinkKind;
import org.hyperslab.scales.DimensionTable;
import org.hyperslab.scales.DimensionTable.Member;
import org.hyperslab.scales.ScaleConventions;

/**
 * The groups and arrays of a file by the paths that they have in a store of Zarr. They are what
 * hard links reach, without the datasets that only stand for dimensions of netCDF-4, and with its
 * names of variables.
 *
 * <p>Thread rule: any thread.
 *
 * @param file the file, open
 * @param dimensions its dimensions
 */
public record ZarrTree(H5File file, DimensionTable dimensions) {

  /**
   * {@return the name of an array; empty if the dataset only stands for a dimension}
   *
   * @param dataset the dataset
   * @param linkName the name of the link by which it was reached
   */
  Optional<String> name(Dataset dataset, String linkName) {
    Optional<Member> member = dimensions.member(dataset);
    return member.isPresent() && !member.get().isVariable()
        ? Optional.empty()
        : Optional.of(
            member
                .filter(known -> known.linkName().equals(linkName))
                .map(Member::name)
                .orElse(linkName));
  }

  /** {@return the array of a dataset; empty if Zarr has none} */
  Optional<ZarrArray> array(Dataset dataset) {
    return ZarrArray.of(dataset, dimensions.member(dataset));
  }

  /**
   * {@return the object at a path, which the caller closes}
   *
   * @param path the names of groups and of the object, separated by slashes; empty for the root
   *     group
   * @throws NotFoundException if there is none
   */
  H5Object open(String path) {
    H5Object object = file.root();
    for (String name : path.isEmpty() ? new String[0] : path.split("/", -1)) {
      try (H5Object _ = object) {
        object = member(object, name, path);
      }
    }
    return object;
  }

  private H5Object member(H5Object object, String name, String path) {
    if (object instanceof Group group && !name.isEmpty() && !name.equals(".")) {
      for (String linkName : new String[] {name, ScaleConventions.reserved(name)}) {
        Optional<H5Object> found = target(group, linkName, name);
        if (found.isPresent()) {
          return found.get();
        }
      }
    }
    throw new NotFoundException("key: actual=" + path + ", expected=one of the store");
  }

  private Optional<H5Object> target(Group group, String linkName, String name) {
    if (!group.exists(linkName)) {
      return Optional.empty();
    }
    Link link = group.link(linkName);
    if (link.kind() != LinkKind.HARD) {
      return Optional.empty();
    }
    H5Object object = link.open();
    boolean isMeant =
        object instanceof Dataset dataset
            ? name(dataset, linkName).filter(name::equals).isPresent()
            : linkName.equals(name);
    if (!isMeant) {
      object.close();
    }
    return isMeant ? Optional.of(object) : Optional.empty();
  }
}
